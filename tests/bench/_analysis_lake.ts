/** Lakes that the analyses are measured on: a sample, and one repeated until it is as large as a registry. */
import pl from "nodejs-polars";
import { join } from "node:path";
import { makeSample } from "../../src/sample/mod.ts";
import { type LakeManifest, readManifest, writeManifest } from "../../src/tables/lake_manifest.ts";
import { buildLake } from "../../src/tables/mod.ts";

/** Records of the sample that the large lake repeats. */
const SEED_RECORDS = 50_000;
/** Columns whose values are of their own in each repetition, in every table that has them. */
const OWN: readonly string[] = ["Registry Accession", "Isolate", "Cluster", "Representative", "Member", "Taxon Name"];
/** Letters are left out: no analysis reads them, and they would fill tens of gigabytes. */
const LEFT_OUT = "Sequence";

/** Builds a lake of a synthetic sample: all eight tables. */
export async function makeLake(root: string, records: number): Promise<string> {
  const archives = join(root, `archives-${records}`);
  const lake = join(root, `lake-${records}`);
  await makeSample(archives, { records, seed: 3 });
  await buildLake(archives, lake);
  await Deno.remove(archives, { recursive: true });
  return lake;
}

/** Repeats every table of a sample until the metadata have so many rows. */
export async function repeatLake(root: string, rows: number): Promise<string> {
  const seed = await makeLake(root, SEED_RECORDS);
  const lake = join(root, "large");
  const copies = Math.ceil(rows / SEED_RECORDS);
  for await (const { name: table, isDirectory } of Deno.readDir(seed)) {
    const manifest = isDirectory ? await readManifest(join(seed, table)) : undefined;
    if (manifest !== undefined) await repeatTable(join(seed, table), join(lake, table), { manifest, copies });
  }
  await Deno.remove(seed, { recursive: true });
  return lake;
}

async function repeatTable(
  from: string,
  to: string,
  { manifest, copies }: { readonly manifest: LakeManifest; readonly copies: number },
): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  const columns = manifest.columns.filter(({ name }) => name !== LEFT_OUT);
  const frame = pl.scanParquet(join(from, "part-*.parquet")).select(...columns.map(({ name }) => pl.col(name)))
    .collectSync();
  const own = columns.filter(({ name }) => OWN.includes(name)).map(({ name }) => name);
  const files: { name: string; rows: number; bytes: number }[] = [];
  for (let copy = 0; copy < copies; copy++) {
    const name = `part-${String(copy).padStart(5, "0")}.parquet`;
    const path = join(to, name);
    frame.withColumns(
      ...own.map((column) => pl.concatString([pl.col(column), pl.lit(String(copy))], "/").alias(column)),
    ).writeParquet(path, { compression: "zstd" });
    files.push({ name, rows: frame.height, bytes: (await Deno.stat(path)).size });
  }
  const rows = copies * frame.height;
  // Texts that do not fit lie beside the rows, of which no analysis reads them.
  const none = { raw: [], misfits: {} };
  await writeManifest(to, { ...manifest, ...none, columns, rows, unique: rows, files });
}
