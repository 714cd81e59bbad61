/** A metadata archive to Parquet, part by part: rows checked here, read and written by polars on its own threads. */
import { basename, join } from "node:path";
import type { Problem } from "../spec/ledger.ts";
import type { FieldDefinition } from "../spec/metadata.ts";
import { csvRow } from "../io/csv_text.ts";
import { type CastColumns, castColumns } from "./_cast_expressions.ts";
import { feedParts, keepProblems } from "./_feed_parts.ts";
import { escapeGlob } from "./_glob.ts";
import { IdCounter } from "./_id_counter.ts";
import { OddCells } from "./_odd_cells.ts";
import { forgetArrowSchema } from "./_plain_schema.ts";
import type { Polars } from "./_polars.ts";
import { releaseFrames } from "./_release_frames.ts";
import { PartSink, type PartSinkResult } from "./_part_sink.ts";
import { RowChecker } from "./_row_checker.ts";
import type { DateColumns } from "./table.ts";
import type { LakeColumn, LakeFile } from "./lake_manifest.ts";

/** How a metadata archive is converted. */
export interface MetadataPartsOptions {
  readonly pl: Polars;
  readonly folder: string;
  readonly name: string;
  readonly definitions: readonly FieldDefinition[];
  readonly dates: DateColumns;
  readonly idField: string;
  readonly signal?: AbortSignal;
}

/** What came of it. */
export interface MetadataParts extends PartSinkResult {
  readonly columns: readonly LakeColumn[];
  readonly used: readonly FieldDefinition[];
  readonly idField: string | null;
  readonly unique: number;
  readonly unparsed: number;
  readonly problems: readonly Problem[];
  readonly misfits: Readonly<Record<string, number>>;
  /** Files of texts that are not written as their type is. */
  readonly raw: readonly LakeFile[];
}

/** Cells in one part: few enough that little memory is needed and a stop comes soon, for wide tables and narrow ones. */
const PART_CELLS = 4_000_000;
/** Bytes of CSV in one part, if its cells are long. */
const PART_BYTES = 48 * 1024 * 1024;
/** Parts after which the memory of dropped frames is asked back. */
const RELEASE_PARTS = 4;

/** Converts inflated CSV. The folder is the caller's to remove when this throws. */
export async function convertMetadata(
  chunks: AsyncIterable<Uint8Array>,
  options: MetadataPartsOptions,
): Promise<MetadataParts> {
  const { pl, folder, definitions, dates, idField, signal } = options;
  const { problems, onProblem } = keepProblems();
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const definitionOf = (name: string) => name === idField ? undefined : byName.get(name);
  let header: readonly string[] = [];
  let casts: CastColumns[] = [];
  let odd = new OddCells([], definitionOf);
  const raw: LakeFile[] = [];
  const ids = new IdCounter(pl);
  const parts = new PartSink({
    folder,
    signal,
    complete: () => odd.takePart(),
    convert: async (csv, parquet, texts) => {
      const scanned = pl.scanCSV(escapeGlob(csv), {
        inferSchemaLength: 0,
        schema: schemaOf(pl, header, casts),
        cache: false,
      });
      await scanned.select(...casts.flatMap(({ expressions }) => expressions)).sinkParquet(parquet, PARQUET).collect();
      await forgetArrowSchema(parquet);
      if (texts.count === 0) return;
      const name = basename(parquet, ".parquet") + ".raw";
      await texts.write(join(folder, name));
      raw.push({ name, rows: texts.count, bytes: (await Deno.stat(join(folder, name))).size });
    },
    inspect: async (parquet) => {
      if (header.includes(idField)) await ids.observe(parquet, idField);
    },
  });
  const checker = new RowChecker({
    onHeader(names) {
      header = names;
      casts = names.map((name) => castColumns(pl, name, { definition: definitionOf(name), dates, taken: names }));
      odd = new OddCells(names, definitionOf);
      parts.head = new TextEncoder().encode(`${csvRow(names)}\n`);
      return odd.kinds;
    },
    onRows: (bytes, rows) => parts.write(bytes, rows),
    onOddCell: (column, row, text) => odd.settle(column, row, text),
    onProblem,
  }, options.name);
  const written = await feedParts(chunks, {
    checker,
    parts,
    signal,
    async afterChunk() {
      if (parts.bytes < PART_BYTES && parts.rows * header.length < PART_CELLS) return;
      await parts.close();
      if (parts.count % RELEASE_PARTS === 0) await releaseFrames();
    },
  });
  const hasIds = header.includes(idField);
  return {
    ...written,
    unique: hasIds ? await ids.count(folder, idField, written.rows) : written.rows,
    columns: casts.flatMap(({ columns }) => columns),
    used: header.map((name) => byName.get(name)).filter((definition) => definition !== undefined),
    idField: hasIds ? idField : null,
    unparsed: checker.unparsed,
    problems,
    misfits: odd.misfits,
    raw,
  };
}

/** A part is a row group, unless its rows are very short: a filter passes most of a table over. */
const PARQUET = { compression: "zstd", rowGroupSize: 262_144 } as const;

function schemaOf(pl: Polars, names: readonly string[], casts: readonly CastColumns[]) {
  const types = { String: pl.String, Int64: pl.Int64, Float64: pl.Float64, Bool: pl.Bool };
  return Object.fromEntries(names.map((name, index) => [name, types[casts[index].read]]));
}
