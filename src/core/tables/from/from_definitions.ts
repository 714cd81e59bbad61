/** A definitions export, CSV or JSON, to a table and to definitions that type other tables. */
import { definitionRows } from "../../client/definition_rows.ts";
import { messageOf, ParseError } from "../../errors.ts";
import { parseJson, writeJson } from "../../contract/json/lossless_json.ts";
import type { ByteSource } from "../../io/bytes/byte_source.ts";
import { sourceName } from "../../io/bytes/open_bytes.ts";
import { readText } from "../../io/bytes/text_lines.ts";
import type { FieldDefinition } from "../../contract/metadata.ts";
import { closeLedger } from "../../contract/ledger.ts";
import { TextColumns } from "../types/columns.ts";
import { makeTable } from "../types/typed_table.ts";
import { readTextColumns } from "./from_csv.ts";
import { type ReadDefinitions, readDefinitions } from "../../contract/answers/read_definitions.ts";
import type { TypedTable } from "../types/table.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";
import { checkOptions } from "../../options/check_options.ts";

/** Options of {@linkcode tableFromDefinitions}. */
export interface DefinitionsTableOptions {
  /** Format of the export. */
  readonly format: "csv" | "json";
  /** Exact public field names that were asked for. */
  readonly asked?: readonly string[];
  /** Named in errors; the source's own name by default. */
  readonly name?: string;
  /** Ends the reading with the signal's reason. */
  readonly signal?: AbortSignal;
}

const DEFINITIONS_TABLE_OPTIONS = {
  format: rule.required(rule.oneOf(["csv", "json"])),
  asked: rule.texts,
  name: rule.text,
  signal: rule.signal,
} satisfies OptionRules<DefinitionsTableOptions>;

/** Definitions as they came, every column text, and what was understood of them. */
export interface DefinitionsTable extends TypedTable {
  /** What types other tables; see `readDefinitions`. */
  readonly definitions: readonly FieldDefinition[];
  /** Which columns were taken for name, alias and type. */
  readonly recognised: ReadDefinitions["recognised"];
}

/** Longest JSON of definitions that is read, in characters. */
const MAX_JSON_LETTERS = 64 * 1024 * 1024;

/**
 * Makes a table of a definitions export.
 *
 * @param source Where the export is.
 * @param options Format and the names asked for.
 * @returns rows = definitions, every column String. The ledger counts names: `asked`, `received`, `missing`.
 * @throws {ParseError} If it is not such an export.
 * @see Specification 4.5, rule 2: names that match no field are left out without an error, so the ledger names them.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromDefinitions } from "./from_definitions.ts";
 *
 * const json = '[{"name": "Country", "type": "string"}]';
 * const table = await tableFromDefinitions(new TextEncoder().encode(json), { format: "json", asked: ["Country",
 *   "Cuntry"] });
 *
 * assertEquals(table.ledger.missing, ["Cuntry"]);
 * ```
 */
export async function tableFromDefinitions(
  source: ByteSource,
  options: DefinitionsTableOptions,
): Promise<DefinitionsTable> {
  checkOptions("tableFromDefinitions()", options, DEFINITIONS_TABLE_OPTIONS);
  const { asked = [], format } = options;
  const columns = format === "csv" ? (await readTextColumns(source, options)).columns : await readJson(source, options);
  const understood = readDefinitions(rowsOf(columns), asked);
  const table = makeTable({ columns, hasHeader: false }, {});
  const ledger = closeLedger({
    asked: asked.length === 0 ? null : asked.length,
    received: columns.rows,
    missing: understood.missing,
    entries: understood.entries,
  });
  return Object.assign(table, {
    ledger,
    definitions: understood.definitions,
    recognised: understood.recognised,
  });
}

function rowsOf(columns: TextColumns): Record<string, string | null>[] {
  return Array.from(
    { length: columns.rows },
    (_, row) => Object.fromEntries(columns.fields.map((field) => [field, columns.get(field)![row]])),
  );
}

async function readJson(source: ByteSource, options: DefinitionsTableOptions): Promise<TextColumns> {
  const name = options.name ?? sourceName(source);
  const parts: string[] = [];
  let characters = 0;
  for await (const part of readText(source, options)) {
    characters += part.length;
    if (characters > MAX_JSON_LETTERS) throw new ParseError(`Cannot read ${name}: more than 64 MiB of definitions`);
    parts.push(part);
  }
  const columns = new TextColumns();
  for (const row of definitionRows(parseDefinitions(parts.join(""), name), options.asked ?? [], name)) {
    columns.addRecord(
      Object.entries(row).map(([key, cell]) => [
        key,
        cell === null ? null : typeof cell === "object" ? writeJson(cell) : String(cell),
      ]),
    );
  }
  return columns;
}

function parseDefinitions(text: string, name: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    const why = messageOf(cause);
    throw new ParseError(`Cannot read ${name}: expected a JSON array of definitions; ${why}`, {}, { cause });
  }
}
