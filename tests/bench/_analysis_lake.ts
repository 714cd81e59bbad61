/** Lakes that the analyses are measured on: a sample, and one repeated until it is as large as a registry. */
import { join } from "node:path";
import { csvRow } from "../../src/core/io/csv/csv_text.ts";
import { readCsvRows } from "../../src/core/io/csv/csv_rows.ts";
import { openBytes } from "../../src/core/io/bytes/open_bytes.ts";
import { makeSample } from "../../src/embedded/sample/mod.ts";
import { type LakeFile, type LakeManifest, writeManifest } from "../../src/core/tables/lake/build/lake_manifest.ts";
import { buildLake, type BuiltTable } from "../../src/core/tables/mod.ts";
import { convertMetadata } from "../../src/core/tables/lake/build/_metadata_parts.ts";
import { ParquetOutput } from "../../src/core/parquet/write/parquet_file.ts";
import { loadPolars } from "../../src/core/tables/types/polars.ts";
import { layOutFacts, sequenceFields } from "../../src/core/tables/lake/build/_sequence_parts.ts";

/** Records of the sample that the large lake repeats. */
const SEED_RECORDS = 50_000;
/** Columns whose values are of their own in each repetition, in every table that has them; accessions always are. */
const OWN: readonly string[] = ["Isolate", "Cluster"];
/** An accession of the sample; its first digits, all 0, become the number of the repetition. */
const ACCESSION = /^vj0000(?=[0-9]{8}$)/;
/** Stands for the number of a repetition, and is as long. */
const COPY = "\u0001".repeat(4);
/** Bytes that an archive is inflated to at once: parts end between such pieces. */
const CHUNK_BYTES = 1 << 20;
/** Letters are left out: no analysis reads them, and they would fill tens of gigabytes. */
const LEFT_OUT = "Sequence";

/** Builds a lake of a synthetic sample: all eight tables. */
export async function makeLake(root: string, records: number): Promise<string> {
  const { lake, archives } = await buildSample(root, records);
  await Deno.remove(archives, { recursive: true });
  return lake;
}

/** Repeats every table of a sample until the metadata have so many rows, each written as `buildLake` writes it. */
export async function repeatLake(root: string, rows: number): Promise<string> {
  const { lake: seed, archives, tables } = await buildSample(root, SEED_RECORDS);
  const lake = join(root, "large");
  const copies = Array.from({ length: Math.ceil(rows / SEED_RECORDS) }, (_, copy) => String(copy).padStart(4, "0"));
  const written = new Map<string, LakeManifest>();
  for (const table of tables) {
    const { checksum: _checksum, ...manifest } = table.manifest;
    const folder = join(lake, manifest.table);
    await Deno.mkdir(folder, { recursive: true });
    const same = written.get(manifest.source.sha256);
    const repeated = same !== undefined
      ? await copyTable(join(lake, same.table), { folder, manifest: same })
      : manifest.kind === "metadata"
      ? await repeatMetadata(join(archives, manifest.source.archive), { folder, manifest, copies })
      : await repeatSequences(table, { folder, manifest, copies });
    const whole = { ...manifest, ...repeated };
    await writeManifest(folder, whole);
    written.set(manifest.source.sha256, whole);
  }
  for (const folder of [seed, archives]) await Deno.remove(folder, { recursive: true });
  return lake;
}

async function buildSample(
  root: string,
  records: number,
): Promise<{ readonly lake: string; readonly archives: string; readonly tables: readonly BuiltTable[] }> {
  const [archives, lake] = [join(root, `archives-${records}`), join(root, `lake-${records}`)];
  await makeSample(archives, { records, seed: 3 });
  return { lake, archives, tables: await buildLake(archives, lake) };
}

/** Where a table is repeated to, and how often. */
interface Repetition {
  readonly folder: string;
  readonly manifest: LakeManifest;
  /** The numbers of the repetitions. */
  readonly copies: readonly string[];
}

/**
 * Sends an archive's rows again and again, each time with accessions of their own, through what converts an archive.
 */
async function repeatMetadata(
  archive: string,
  { folder, manifest, copies }: Repetition,
): Promise<Partial<LakeManifest>> {
  const [header, ...rows] = await readRows(archive);
  const own = header.map((name) => OWN.includes(name));
  const encoder = new TextEncoder();
  const text = encoder.encode(
    rows.map((cells) => csvRow(cells.map((cell, column) => markCell(cell, own[column]))) + "\n").join(""),
  );
  const places: number[] = [];
  for (let at = text.indexOf(1); at !== -1; at = text.indexOf(1, at + COPY.length)) places.push(at);
  const chunks = async function* () {
    yield encoder.encode(`${csvRow(header)}\n`);
    for (const copy of copies) {
      const digits = encoder.encode(copy);
      for (const place of places) text.set(digits, place);
      for (let at = 0; at < text.length; at += CHUNK_BYTES) yield text.subarray(at, at + CHUNK_BYTES);
    }
  };
  const { columns, definitions, dates, idField, table } = manifest;
  // Types that were inferred from values are those of the repeated values too.
  const inferred = columns.map(({ field, type }) => ({
    name: field,
    alias: "",
    type,
    description: "",
    unit: "",
    example: "",
  }));
  const { wide: _, ...converted } = await convertMetadata(chunks(), {
    about: folder,
    folder,
    name: table,
    names: header,
    definitions: new Map([...inferred, ...definitions].map((definition) => [definition.name, definition])),
    dates,
    idField: idField ?? "",
  });
  return converted;
}

async function readRows(archive: string): Promise<(readonly string[])[]> {
  const rows: (readonly string[])[] = [];
  for await (const batch of readCsvRows(openBytes(archive))) for (const { cells } of batch) rows.push(cells);
  return rows;
}

function markCell(cell: string, isOwn: boolean): string {
  return isOwn && cell !== "" ? `${cell}/${COPY}` : cell.replace(ACCESSION, `vj${COPY}`);
}

/** Writes what is known of sequences, part by part as the sample has them, but not their letters. */
async function repeatSequences(
  { files }: BuiltTable,
  { folder, manifest, copies }: Repetition,
): Promise<Partial<LakeManifest>> {
  const pl = await loadPolars();
  const columns = manifest.columns.filter(({ name }) => name !== LEFT_OUT);
  const fields = sequenceFields([columns[0].name, LEFT_OUT]).slice(0, -1);
  const parts = files.map((path) => {
    const frame = pl.readParquet(path, { columns: columns.map(({ name }) => name) });
    const [lengths, shares, ambiguous] = columns.slice(1).map(({ name }) =>
      frame.getColumn(name).toArray().map(Number)
    );
    const gc = lengths.map((length, row) => Math.round(shares[row] * (length - ambiguous[row])));
    const ids = frame.getColumn(columns[0].name).toArray().map((id) => markCell(String(id), false));
    return { ids, lengths, gc, ambiguous };
  });
  const encoder = new TextEncoder();
  const written: LakeFile[] = [];
  for (const copy of copies) {
    for (const { ids, ...facts } of parts) {
      const name = `part-${String(written.length).padStart(5, "0")}.parquet`;
      const path = join(folder, name);
      const own = ids.map((id) => encoder.encode(id.replace(COPY, copy)));
      using file = new ParquetOutput(path, fields);
      await file.writeGroup(own.length, layOutFacts({ ids: own, ...facts }));
      file.finish();
      written.push({ name, rows: own.length, bytes: (await Deno.stat(path)).size });
    }
  }
  const rows = copies.length * manifest.rows;
  return { columns, rows, unique: rows, files: written };
}

/** Archives of the same bytes become tables of the same files. */
async function copyTable(
  from: string,
  { folder, manifest }: Pick<Repetition, "folder" | "manifest">,
): Promise<Partial<LakeManifest>> {
  const { table: _, source: __, ...same } = manifest;
  for (const { name } of manifest.files) await Deno.link(join(from, name), join(folder, name));
  // Texts that do not fit are not in the table's folder; no analysis reads them.
  return { ...same, raw: [], misfits: {} };
}
