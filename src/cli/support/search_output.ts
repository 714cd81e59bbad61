/** Hits as rows of a table, lines of JSON, or Parquet: all columns, or the requested ones. */
import { csvRow, tsvRow } from "@seqreg/core/io/csv/csv_text";
import { fieldAlias } from "@seqreg/core/contract/field_alias";
import type { LedgerEntry, SearchHit } from "@seqreg/core/contract";
import { noteAbsent } from "@seqreg/core/tables/types/table_entries";
import type { Facet, FacetValue } from "@seqreg/core/contract/facets";
import type { Registry } from "@seqreg/core/registry";
import type { CommandContext } from "./command.ts";
import type { Output } from "./output.ts";
import { layOutTable, lineWidth, WIDTH_ROWS } from "./text_table.ts";

export interface HitFormat {
  readonly format: "table" | "csv" | "tsv" | "jsonl" | "parquet";
  /** Public names or aliases of the columns, in order; all, the accession first, when absent. */
  readonly fields?: readonly string[] | undefined;
}

/** Records beyond the pages: texts by column. */
export interface MoreRows {
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<readonly string[]>;
}

/** Writes hits, then more rows; returns a reason if a requested column is missing, and what Parquet lost. */
export async function writeHits(
  context: CommandContext,
  registry: Registry,
  output: Output,
  { format, fields, hits, more }: HitFormat & { readonly hits: readonly SearchHit[]; readonly more?: MoreRows },
): Promise<LedgerEntry[]> {
  const came = [...new Set([...hits.flatMap(({ source }) => Object.keys(source)), ...more?.columns ?? []])];
  const absent = (fields ?? []).filter((field) => indexOf(came, field) === -1);
  const entries: LedgerEntry[] = [];
  if (format === "jsonl") await writeLines(output, { fields, hits, more });
  else if (format === "parquet") {
    entries.push(...await writeParquet(context, registry, { fields, hits, more }));
  } else {
    const paged = await textsOf(hits, registry);
    const columns = fields ?? [...new Set([...paged.columns, ...more?.columns ?? []])];
    const rows = paged.rows.map(pickerOf(paged.columns, columns));
    const rest = more === undefined ? undefined : pickedLater(more, columns);
    if (columns.length > 0) await writeRows(context, output, { format, columns, rows, more: rest });
  }
  return absent.length === 0 || hits.length === 0 ? entries : [...entries, noteAbsent(absent)];
}

/** Index of a column by its public name or alias. */
function indexOf(columns: readonly string[], field: string): number {
  const exact = columns.indexOf(field);
  return exact === -1 ? columns.findIndex((column) => fieldAlias(column) === fieldAlias(field)) : exact;
}

function pickerOf(from: readonly string[], columns: readonly string[]): (cells: readonly string[]) => string[] {
  const indices = columns.map((column) => indexOf(from, column));
  return (cells) => indices.map((index) => cells[index] ?? "");
}

async function* pickedLater(more: MoreRows, columns: readonly string[]): AsyncGenerator<readonly string[]> {
  const pick = pickerOf(more.columns, columns);
  for await (const cells of more.rows) yield pick(cells);
}

/** Records beyond the pages as a page would have them, values as text. */
async function* sourcesOf(more: MoreRows | undefined): AsyncGenerator<Readonly<Record<string, string>>> {
  if (more === undefined) return;
  for await (const cells of more.rows) {
    yield Object.fromEntries(more.columns.map((column, index) => [column, cells[index] ?? ""]));
  }
}

interface WrittenHits {
  readonly fields: readonly string[] | undefined;
  readonly hits: readonly SearchHit[];
  readonly more?: MoreRows;
}

/** One JSON object of public fields per line, values as received; rows beyond the pages as text. */
async function writeLines(output: Output, { fields, hits, more }: WrittenHits): Promise<void> {
  const { writeJson } = await import("@seqreg/core/contract/json/lossless_json");
  const write = async (source: Readonly<Record<string, unknown>>) => {
    const names = Object.keys(source);
    const entries = fields === undefined
      ? Object.entries(source)
      : fields.map((field): [string, unknown] => [field, source[names[indexOf(names, field)] ?? ""] ?? null]);
    await output.write(`${writeJson(Object.fromEntries(entries))}\n`);
  };
  for (const { source } of hits) await write(source);
  for await (const source of sourcesOf(more)) await write(source);
}

/** Writes Parquet, typed by the definitions; returns what became of values and types. */
async function writeParquet(
  context: CommandContext,
  registry: Registry,
  { fields, hits, more }: WrittenHits,
): Promise<readonly LedgerEntry[]> {
  const { tableFromHits } = await import("@seqreg/core/tables/from/from_hits");
  const { DefinitionCache } = await import("@seqreg/core/registry/definitions/definition_cache");
  const { naming, client } = registry;
  const records = [...hits];
  for await (const source of sourcesOf(more)) records.push({ id: "", score: null, source });
  const names = [...new Set(records.flatMap(({ source }) => Object.keys(source)))];
  const columns = fields && [...new Set(fields.map((field) => names[indexOf(names, field)] ?? field))];
  const { definitions, entries } = await new DefinitionCache(client).find(columns ?? names, context.signal);
  const table = await tableFromHits(records, { definitions, naming, columns });
  const path = context.flags.text("output");
  if (path !== undefined) await table.toParquet(path, { signal: context.signal });
  // What concerns whole records is in the ledger of the search.
  return [...entries, ...table.ledger.entries.filter(({ field, level }) => level === "warning" && field !== undefined)];
}

async function writeRows(
  context: CommandContext,
  output: Output,
  { format, columns, rows, more }: {
    readonly format: "table" | "csv" | "tsv";
    readonly columns: readonly string[];
    readonly rows: readonly (readonly string[])[];
    readonly more?: AsyncIterable<readonly string[]>;
  },
): Promise<void> {
  const table = layOutTable(columns, rows.slice(0, WIDTH_ROWS), lineWidth(context.env));
  const write = format === "csv"
    ? (cells: readonly string[]) => `${csvRow(cells)}\n`
    : format === "tsv"
    ? (cells: readonly string[]) => `${tsvRow(cells)}\n`
    : table.row;
  await output.write(format === "table" ? table.head : write(columns));
  for (const cells of rows) await output.write(write(cells));
  for await (const cells of more ?? []) await output.write(write(cells));
  const hidden = columns.length - table.shown.length;
  if (format === "table" && hidden > 0) {
    context.summary(`${hidden} of ${columns.length} columns are not shown: use --format csv or tsv for all`);
  }
}

/** Values as they are written in an archive, the accession first. */
async function textsOf(
  hits: readonly SearchHit[],
  { naming }: Registry,
): Promise<{ readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] }> {
  const { tableFromHits } = await import("@seqreg/core/tables/from/from_hits");
  const table = await tableFromHits(hits, { naming });
  const columns = table.columns.map(({ field }) => field);
  const texts = columns.map((column) => table.texts(column));
  return {
    columns,
    rows: Array.from({ length: table.rows }, (_, row) => texts.map((column) => column[row] ?? "")),
  };
}

/** Writes the first values of a facet and their counts; returns them. @throws {Error} If the registry has none. */
export async function writeFacet(
  context: CommandContext,
  output: Output,
  { facets, field, format, limit }: {
    readonly facets: readonly Facet[];
    readonly field: string;
    readonly format: HitFormat["format"];
    readonly limit: number | undefined;
  },
): Promise<readonly FacetValue[]> {
  const facet = facets[indexOf(facets.map(({ field }) => field), field)];
  if (facet === undefined) {
    const names = facets.map(({ field }) => JSON.stringify(field)).join(", ");
    const others = names === "" ? "no facets" : `only ${names}`;
    throw new Error(`Cannot list the facet ${JSON.stringify(field)}: the registry has ${others}`);
  }
  const values = facet.values.slice(0, limit);
  const path = context.flags.text("output");
  if (format === "jsonl") {
    for (const { value, count } of values) await output.write(`${JSON.stringify({ value, count })}\n`);
  } else if (format !== "parquet") {
    const rows = values.map(({ value, count }) => [value, String(count)]);
    await writeRows(context, output, { format, columns: ["value", "count"], rows });
  } else if (path !== undefined) {
    const { buildFrame } = await import("@seqreg/core/engine/frames");
    const { writeFrame } = await import("@seqreg/core/tables/types/write_frame");
    const frame = await buildFrame([
      { column: { name: "value", dtype: "String" }, values: values.map(({ value }) => value) },
      { column: { name: "count", dtype: "Int64" }, values: values.map(({ count }) => count) },
    ]);
    await writeFrame(frame, path, { format, signal: context.signal });
  }
  return values;
}
