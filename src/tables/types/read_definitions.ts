/**
 * Definitions of fields, whatever a registry calls their columns.
 *
 * The specification does not show the columns or keys of a definition (2.5). They are recognised by their values: the
 * name column is the one that holds the names asked for. Where no column does, every field is text, and the ledger says
 * why.
 *
 * @module
 */
import { fieldAlias } from "../../contract/field_alias.ts";
import type { FieldDefinition, FieldType } from "../../contract/metadata.ts";

/** What was understood of some definitions. */
export interface ReadDefinitions {
  /** Definitions of the names asked for that came, in the order asked; of all rows when no names were asked for. */
  readonly definitions: readonly FieldDefinition[];
  /** Names asked for that did not come. */
  readonly missing: readonly string[];
  /** Why it cannot be told which definitions came, in words; empty when the name column was recognised. */
  readonly reasons: readonly string[];
  /** What is odd, such as that no column holds types. */
  readonly warnings: readonly string[];
  /** Which column was taken for what. */
  readonly recognised: { readonly name?: string; readonly alias?: string; readonly type?: string };
}

/** Words for types, as databases and languages write them. */
const TYPE_WORDS: ReadonlyMap<string, FieldType> = new Map([
  ...words("string", "string str text varchar char keyword utf8 character object"),
  ...words("integer", "integer int long bigint smallint int32 int64 i32 i64 whole"),
  ...words("float", "float double decimal real numeric number float32 float64 f64"),
  ...words("boolean", "boolean bool"),
  ...words("date", "date datetime timestamp"),
  ...words("list", "list array"),
]);

function words(type: FieldType, spellings: string): (readonly [string, FieldType])[] {
  return spellings.split(" ").map((word) => [word, type] as const);
}

/**
 * Reads definitions from rows whose columns have any names.
 *
 * The name column holds more of the names asked for than any other; without names asked for, it is the one called
 * `name`, and a column of aliases is the one that holds the names in snake case. The type column holds nothing but words
 * for types, at least one of them not `string`'s where several columns do. `description`, `unit` and `example` are
 * known by those names alone.
 *
 * @param rows Rows of the answer: JSON objects, or rows of the CSV by header.
 * @param asked Exact public field names that were asked for; may be empty.
 * @returns What was understood; a field whose type was not is a `string`.
 * @see Specification 4.5 and 2.5.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readDefinitions } from "./read_definitions.ts";
 *
 * const rows = [{ Field: "Sequence Length", Kind: "INT", Key: "sequence_length" }];
 * const { definitions, missing } = readDefinitions(rows, ["Sequence Length", "Shoe Size"]);
 *
 * assertEquals(definitions[0].type, "integer");
 * assertEquals(definitions[0].alias, "sequence_length");
 * assertEquals(missing, ["Shoe Size"]);
 * ```
 */
export function readDefinitions(
  rows: readonly Readonly<Record<string, unknown>>[],
  asked: readonly string[],
): ReadDefinitions {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const column = (key: string) => rows.map((row) => textOf(row[key]));
  const wanted = [...new Set(asked)];
  const name = nameColumn(keys, column, wanted);
  if (name === undefined) {
    const unnamed = ["no column of the definitions holds the names asked for: every field is taken as text"];
    return {
      definitions: wanted.map(asText),
      missing: rows.length === 0 ? wanted : [],
      reasons: rows.length === 0 ? [] : unnamed,
      warnings: [],
      recognised: {},
    };
  }
  const names = column(name);
  const rest = keys.filter((key) => key !== name);
  const alias = rest.find((key) => isAliasColumn(column(key), names));
  const type = typeColumn(rest.filter((key) => key !== alias), column);
  const described = (row: Readonly<Record<string, unknown>>, key: string) => {
    const found = rest.find((other) => other.toLowerCase() === key || other.toLowerCase() === `${key}s`);
    return found === undefined ? "" : textOf(row[found]);
  };
  const byName = new Map<string, FieldDefinition>();
  rows.forEach((row, index) => {
    if (names[index] === "" || byName.has(names[index])) return;
    byName.set(names[index], {
      name: names[index],
      alias: alias === undefined ? "" : textOf(row[alias]),
      type: type === undefined ? "string" : typeOf(textOf(row[type])) ?? "string",
      description: described(row, "description"),
      unit: described(row, "unit"),
      example: described(row, "example"),
    });
  });
  const found = wanted.filter((field) => byName.has(field)).map((field) => byName.get(field)!);
  return {
    definitions: asked.length === 0 ? [...byName.values()] : found,
    missing: wanted.filter((field) => !byName.has(field)),
    reasons: [],
    warnings: type === undefined ? ["no column of the definitions holds types: every field is taken as text"] : [],
    recognised: { name, ...alias !== undefined && { alias }, ...type !== undefined && { type } },
  };
}

function asText(name: string): FieldDefinition {
  return { name, alias: "", type: "string", description: "", unit: "", example: "" };
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : typeof value === "object" ? JSON.stringify(value) : String(value);
}

function nameColumn(
  keys: readonly string[],
  column: (key: string) => string[],
  asked: readonly string[],
): string | undefined {
  if (asked.length === 0) return keys.find((key) => /^(field[ _]?)?name$/i.test(key));
  let best: string | undefined;
  let most = 0;
  for (const key of keys) {
    const values = new Set(column(key));
    const hits = asked.filter((name) => values.has(name)).length;
    if (hits > most) [best, most] = [key, hits];
  }
  return best;
}

/** Most of the values are the names in snake case, and none stands twice. */
function isAliasColumn(values: readonly string[], names: readonly string[]): boolean {
  const filled = values.filter((value) => value !== "");
  if (filled.length === 0 || new Set(filled).size < filled.length) return false;
  const hits = values.filter((value, index) => value === fieldAlias(names[index])).length;
  return hits * 2 > values.length;
}

function typeColumn(keys: readonly string[], column: (key: string) => string[]): string | undefined {
  const typed = keys.filter((key) => {
    const values = column(key).filter((value) => value !== "");
    return values.length > 0 && values.every((value) => typeOf(value) !== undefined);
  });
  return typed.find((key) => column(key).some((value) => (typeOf(value) ?? "string") !== "string")) ?? typed[0];
}

/** `VARCHAR(20)` is a `varchar`; `list<string>` is a list. */
function typeOf(word: string): FieldType | undefined {
  return TYPE_WORDS.get(word.trim().toLowerCase().replace(/[(<[].*$/, ""));
}
