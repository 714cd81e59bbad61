/** A metadata archive to Parquet, part by part: rows checked here, parsed and typed by polars on its own threads. */
import type { Problem } from "../spec/ledger.ts";
import type { FieldDefinition } from "../spec/metadata.ts";
import { csvRow } from "../io/csv_text.ts";
import { type CastColumns, castColumns, isDate } from "./_cast_expressions.ts";
import { escapeGlob } from "./_glob.ts";
import { IdCounter } from "./_id_counter.ts";
import { type Polars } from "./_polars.ts";
import { releaseFrames } from "./_release_frames.ts";
import { PartSink, type PartSinkResult } from "./_part_sink.ts";
import { RowChecker } from "./_row_checker.ts";
import type { DateColumns } from "./table.ts";
import type { LakeColumn } from "./lake_manifest.ts";

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
}

/** Bytes of CSV in one part: small enough that little memory is needed and a stop comes soon. */
const PART_BYTES = 16 * 1024 * 1024;
/** Parts after which the memory of dropped frames is asked back. */
const RELEASE_PARTS = 4;
/** Unreadable rows that a manifest holds. */
const MAX_PROBLEMS = 1000;

/** Converts inflated CSV. The folder is the caller's to remove when this throws. */
export async function convertMetadata(
  chunks: AsyncIterable<Uint8Array>,
  options: MetadataPartsOptions,
): Promise<MetadataParts> {
  const { pl, folder, definitions, dates, idField, signal } = options;
  const problems: Problem[] = [];
  const misfits: Record<string, number> = {};
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  let header: readonly string[] = [];
  let casts: CastColumns[] = [];
  const ids = new IdCounter(pl);
  const parts = new PartSink({
    folder,
    signal,
    convert: async (csv, parquet) => {
      const scanned = pl.scanCSV(escapeGlob(csv), {
        inferSchemaLength: 0,
        schema: textSchema(pl, header),
        cache: false,
      });
      await scanned.select(...casts.flatMap(({ expressions }) => expressions)).sinkParquet(parquet, PARQUET).collect();
    },
    inspect: async (parquet) => {
      await countMisfits(pl, parquet, casts, misfits);
      if (header.includes(idField)) await ids.observe(parquet, idField);
    },
  });
  const checker = new RowChecker({
    onHeader(names) {
      header = names;
      const definitionOf = (name: string) => name === idField ? undefined : byName.get(name);
      casts = names.map((name) => castColumns(pl, name, { definition: definitionOf(name), dates, taken: names }));
      parts.head = new TextEncoder().encode(`${csvRow(names)}\n`);
    },
    onRows: (bytes, rows) => parts.write(bytes, rows),
    onProblem(problem) {
      if (problems.length < MAX_PROBLEMS) problems.push(problem);
    },
  }, options.name);
  try {
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      checker.push(chunk);
      if (parts.bytes < PART_BYTES) continue;
      await parts.close();
      if (parts.count % RELEASE_PARTS === 0) await releaseFrames();
    }
    checker.finish();
    const written = await parts.finish();
    const hasIds = header.includes(idField);
    return {
      ...written,
      unique: hasIds ? await ids.count(folder, idField, written.rows) : written.rows,
      columns: casts.flatMap(({ columns, raw }) =>
        columns.map((column) => raw === undefined ? column : { ...column, raw })
      ),
      used: header.map((name) => byName.get(name)).filter((definition) => definition !== undefined),
      idField: hasIds ? idField : null,
      unparsed: checker.unparsed,
      problems,
      misfits,
    };
  } catch (error) {
    await parts.abandon();
    throw error;
  }
}

/** Row groups small enough that a filter passes most of them over. */
export const PARQUET = { compression: "zstd", rowGroupSize: 50_000 } as const;

function textSchema(pl: Polars, names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, pl.String]));
}

/** Adds the values of one part that do not fit: raw text beside a null, or text in a date column that is no date. */
async function countMisfits(
  pl: Polars,
  parquet: string,
  casts: readonly CastColumns[],
  misfits: Record<string, number>,
): Promise<void> {
  const counts = casts.flatMap(({ columns: [{ name, type }], raw }) => {
    if (raw !== undefined) return [pl.col(raw).isNotNull().and(pl.col(name).isNull()).sum().alias(name)];
    return type === "date" ? [isDate(pl, pl.col(name)).not().sum().alias(name)] : [];
  });
  if (counts.length === 0) return;
  const frame = await pl.scanParquet(escapeGlob(parquet)).select(...counts).collect();
  for (const [name, count] of Object.entries(frame.toRecords()[0] ?? {})) {
    if (Number(count) > 0) misfits[name] = (misfits[name] ?? 0) + Number(count);
  }
}
