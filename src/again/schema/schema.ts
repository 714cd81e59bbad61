/** What a source of data is made of: its fields as they are declared, and as their values are. */
import { checkArgument, checkOptions } from "@seqreg/core/options/check_options";
import { type Naming, NAMING_RULE } from "@seqreg/core/contract/naming";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { createScratchFolder } from "@seqreg/core/io/files/scratch_folder";
import type { OnProgress } from "@seqreg/core/io/tasks";
import { ScratchSql, withMemory } from "@seqreg/core/engine/local/scratch_sql";
import { type LedgerEntry, prefixEntries } from "@seqreg/core/contract/ledger_entries";
import { unreadEntries } from "@seqreg/core/tables/lake/build/manifest_entries";
import { alikeEntries } from "../columns.ts";
import { openSide } from "../open_side.ts";
import { measureTable } from "./_measure_table.ts";
import type { Schema, SchemaField, SchemaTable } from "./fields.ts";
import { ParseError } from "@seqreg/core/errors";
import { tableFromDefinitions } from "@seqreg/core/tables/from/from_definitions";

/** Bound of the database's memory, unless it is too little. */
const MEMORY_MB = 400;

/** Options of {@linkcode schemaOf}. */
export interface SchemaOptions {
  /** Sheet of a workbook, by name or number from 1; the first visible one that holds data by default. */
  readonly sheet?: string | number;
  /** Encoding of a table of text, as the Encoding standard names it; UTF-8 by default. */
  readonly encoding?: string;
  /** What the deployment calls things; the specification's spellings by default. */
  readonly naming?: Naming;
  /** Takes progress in bytes of archives that have to be read. */
  readonly onProgress?: OnProgress;
  /** Ends the work with the signal's reason; nothing is left behind. */
  readonly signal?: AbortSignal;
}

const SCHEMA_OPTIONS = {
  sheet: rule.either(rule.text, rule.wholeNumber({ from: 1 })),
  encoding: rule.text,
  naming: NAMING_RULE,
  onProgress: rule.callback(),
  signal: rule.signal,
} satisfies OptionRules<SchemaOptions>;

/**
 * Describes the fields of a source: declared types, units and meanings next to what the values are. Nothing is sampled.
 *
 * @param source Path of a lake, an archive, a folder of archives, a table (CSV, TSV, Parquet), or a JSON file of
 * definitions.
 * @param options Naming, progress, signal.
 * @returns A row for each field of each table.
 * @throws {ParseError} If a table cannot be read; {RegistryError} with code `disk` or `damaged`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { schemaOf } from "./schema.ts";
 *
 * const folder = await Deno.makeTempDir();
 * await Deno.writeTextFile(`${folder}/a.csv`, "accession,Collection Date,Length\na,2013-05,7\nb,2014,12\nc,?,\n");
 *
 * const { tables: [{ rows, fields: [, date, length] }] } = await schemaOf(`${folder}/a.csv`);
 * assertEquals([rows, date.type, date.values?.precision], [3, "date", { month: 1, year: 1 }]);
 * assertEquals([length.type, length.values?.range, length.values?.missing], ["integer", [7, 12], 1]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function schemaOf(source: string, options: SchemaOptions = {}): Promise<Schema> {
  checkArgument("schemaOf()", "source", source, rule.required(rule.text));
  checkOptions("schemaOf()", options, SCHEMA_OPTIONS);
  const { sheet, encoding, naming, onProgress, signal } = options;
  const definitions = await readDefinitionFile(source, signal);
  if (definitions !== undefined) return { source, tables: [{ table: "definitions", fields: definitions }] };
  using folder = await createScratchFolder("schema");
  const side = await openSide(source, {
    folder: `${folder.path}/lake`,
    types: "inferred",
    sheet,
    encoding,
    naming,
    onProgress,
    signal,
  });
  const files = side.tables.flatMap((table) => [...table.files, ...table.raw]);
  const tables = await withMemory(MEMORY_MB, async (memoryMb) => {
    await using sql = await ScratchSql.open({ files, folder: folder.path, memoryMb, signal });
    const measured: SchemaTable[] = [];
    for (const table of side.tables) measured.push(await measureTable(sql, table));
    return measured;
  });
  const named = (name: string, entries: readonly LedgerEntry[]) =>
    side.tables.length > 1 ? prefixEntries(entries, name) : entries;
  const entries = side.tables.flatMap((table) => [
    ...unreadEntries(table.name, table),
    ...named(table.name, [...table.entries ?? [], ...alikeEntries(table)]),
  ]);
  return { source, tables, ...entries.length > 0 && { entries } };
}

/** Reads a file of definitions; `undefined` if the path is something else. */
async function readDefinitionFile(path: string, signal?: AbortSignal): Promise<SchemaField[] | undefined> {
  if (!/\.json$/i.test(path)) return undefined;
  const { definitions, recognised, rows } = await tableFromDefinitions(path, {
    format: "json",
    signal,
  });
  if (recognised.name === undefined && rows > 0) {
    throw new ParseError(
      `Cannot read ${path}: expected a JSON array of definitions with names and types; a table of JSON has a name that ` +
        "ends with .jsonl",
    );
  }
  return definitions.map(({ name, alias, type, unit, description }) => ({
    name,
    alias,
    type,
    isDeclared: true,
    unit,
    description,
  }));
}
