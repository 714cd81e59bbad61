/**
 * Definitions of fields, with any column names.
 *
 * The specification does not show the columns or keys of a definition (2.5). They are recognised by their values: the
 * name column is the one with the requested names. If no column has them, every field is text, and the ledger includes
 * a reason.
 */
import { fieldAlias } from "../fields/field_alias.ts";
import { writeJson } from "../json/lossless_json.ts";
import { listSome } from "../ledger.ts";
import type { FieldDefinition, FieldType } from "../metadata.ts";
import { type LedgerEntry, noteEntry, textsOf } from "../ledger_entries.ts";

/** Which column of definitions has which meaning, as far as it is known. */
export interface RecognisedColumns {
  /** Column of the fields' public names. */
  readonly name?: string;
  /** Column of their aliases. */
  readonly alias?: string;
  /** Column of their types. */
  readonly type?: string;
}

/** Definitions that were read. */
export interface ReadDefinitions {
  /** Definitions of the requested names, in the order requested; of all rows if no names were requested. */
  readonly definitions: readonly FieldDefinition[];
  /** Requested names without a definition. */
  readonly missing: readonly string[];
  /** What could not be interpreted, as entries of a ledger. */
  readonly entries: readonly LedgerEntry[];
  /** Why it is unknown which definitions were received, in words; empty if the name column was recognised. */
  readonly reasons: readonly string[];
  /** Warnings, for example that no column has types. */
  readonly warnings: readonly string[];
  /** Which column has which meaning. */
  readonly recognised: RecognisedColumns;
}

/** Type names of databases, search engines and languages. */
const TYPE_WORDS: ReadonlyMap<string, FieldType> = new Map([
  ...words("string", "string str text varchar char keyword constant_keyword wildcard utf8 character object nested"),
  ...words("string", "flattened geo_point geo_shape ip version search_as_you_type"),
  ...words("integer", "integer int long bigint smallint short byte unsigned_long int32 int64 i32 i64 whole"),
  ...words("float", "float double half_float scaled_float decimal real numeric number float32 float64 f64"),
  ...words("boolean", "boolean bool"),
  ...words("date", "date datetime timestamp date_nanos"),
  ...words("list", "list array"),
]);

function words(type: FieldType, spellings: string): (readonly [string, FieldType])[] {
  return spellings.split(" ").map((word) => [word, type] as const);
}

/**
 * Reads definitions from rows whose columns have any names.
 *
 * The name column has more of the requested names than any other; without requested names, it is the column whose
 * values appear in snake case in another column, else the one called `name` or `…_name`. The alias column has the names
 * in snake case, else it is called `alias`, `…_alias` or `…_field_id`. The type column has the largest share of type
 * names, at least half. `description`, `unit` and `example` are recognised by these names, alone or after a prefix.
 * `N/A` is a missing value.
 *
 * @param rows Rows of the answer: JSON objects, or rows of the CSV by header.
 * @param asked Exact public field names, or aliases, that were requested; may be empty.
 * @returns The definitions; a field whose type is unknown is a `string`.
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
  const columns = columnsOf(rows);
  const wanted = [...new Set(asked)];
  const found = findNames(columns, wanted);
  if (found === undefined) {
    const unnamed = "no column of the definitions has the requested names: every field is treated as text";
    const entries = rows.length === 0 ? [] : [noteEntry("definitions-unrecognised", unnamed)];
    return {
      definitions: wanted.map(asText),
      missing: rows.length === 0 ? wanted : [],
      entries,
      reasons: textsOf(entries, "reason"),
      warnings: [],
      recognised: {},
    };
  }
  const { name, alias } = found;
  const rest = [...columns.keys()].filter((key) => key !== name && key !== alias);
  const type = typeColumn(rest, columns);
  const cell = (key: string | undefined, row: number) => key === undefined ? "" : columns.get(key)![row];
  const [description, unit, example] = ["description", "unit", "example"].map((word) =>
    rest.find((key) => key.toLowerCase() === word) ??
      rest.find((key) => key !== type && new RegExp(`(^|[^a-z])${word}s?$`, "i").test(key))
  );
  const byName = new Map<string, FieldDefinition>();
  const untyped: string[] = [];
  const repeated = new Set<string>();
  columns.get(name)!.forEach((field, row) => {
    if (field === "") return;
    if (byName.has(field)) {
      repeated.add(field);
      return;
    }
    const word = cell(type, row);
    const known = typeOf(word);
    if (word !== "" && known === undefined) untyped.push(`${field} (${JSON.stringify(word)})`);
    byName.set(field, {
      name: field,
      alias: cell(alias, row),
      type: known ?? "string",
      description: cell(description, row),
      unit: cell(unit, row),
      example: cell(example, row),
    });
  });
  const byAlias = new Map([...byName.values()].map((definition) => [definition.alias, definition]));
  byAlias.delete("");
  const definitionOf = (field: string) => byName.get(field) ?? byAlias.get(field);
  const entries = repeated.size === 0 ? [] : [noteRepeated([...repeated])];
  entries.push(
    ...type === undefined
      ? [noteEntry("types-unknown", "no column of the definitions has types: every field is treated as text")]
      : untyped.length === 0
      ? []
      : [
        noteEntry("types-unknown", `unknown types, their fields are treated as text: ${listSome(untyped, 20)}`, {
          count: untyped.length,
        }),
      ],
  );
  return {
    definitions: asked.length === 0
      ? [...byName.values()]
      : [...new Set(wanted.map(definitionOf).filter((definition) => definition !== undefined))],
    missing: wanted.filter((field) => definitionOf(field) === undefined),
    entries,
    reasons: [],
    warnings: textsOf(entries, "warning"),
    recognised: { name, ...alias !== undefined && { alias }, ...type !== undefined && { type } },
  };
}

type AnswerColumns = ReadonlyMap<string, readonly string[]>;

function columnsOf(rows: readonly Readonly<Record<string, unknown>>[]): AnswerColumns {
  const keys = new Set(rows.flatMap((row) => Object.keys(row)));
  return new Map([...keys].map((key) => [key, rows.map((row) => textOf(row[key]))]));
}

function asText(name: string): FieldDefinition {
  return { name, alias: "", type: "string", description: "", unit: "", example: "" };
}

/** The text of a value; empty if it is missing. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" ? value.trim() : typeof value === "object" ? writeJson(value) : String(value);
  return /^(?:n\/a|null|none|-)$/i.test(text) ? "" : text;
}

interface Names {
  readonly name: string;
  readonly alias?: string;
}

function findNames(columns: AnswerColumns, asked: readonly string[]): Names | undefined {
  const keys = [...columns.keys()];
  const pair = findPair(columns);
  const withAlias = (name: string): Names => {
    if (name === pair?.name) return pair;
    const alias = keys.find((key) => key !== name && isAliasColumn(columns.get(key)!, columns.get(name)!)) ??
      aliasByKey(columns, name);
    return { name, ...alias !== undefined && { alias } };
  };
  if (asked.length === 0) {
    const named = pair?.name ?? keys.find((key) => /^(field[ _]?)?name$/i.test(key)) ??
      keys.find((key) => /[^a-z]name$/i.test(key) && isKey(columns.get(key)!));
    return named === undefined ? undefined : withAlias(named);
  }
  let best: string | undefined;
  let most = 0;
  for (const key of keys) {
    const values = new Set(columns.get(key));
    const hits = asked.filter((name) => values.has(name)).length;
    if (hits > most || hits === most && hits > 0 && key === pair?.name) [best, most] = [key, hits];
  }
  // Requested names may be aliases.
  if (best !== undefined && best === pair?.alias) best = pair.name;
  return best === undefined ? undefined : withAlias(best);
}

/** Two columns, one of which has the other's values in snake case. */
function findPair(columns: AnswerColumns): { readonly name: string; readonly alias: string } | undefined {
  for (const [name, names] of columns) {
    if (!isKey(names)) continue;
    for (const [alias, aliases] of columns) {
      const differ = aliases.some((text, row) => text !== names[row]);
      if (alias !== name && differ && isAliasColumn(aliases, names)) return { name, alias };
    }
  }
  return undefined;
}

/** Whether all rows have different values. */
function isKey(values: readonly string[]): boolean {
  return !values.includes("") && new Set(values).size === values.length;
}

/** Most of the values are the names in snake case, without duplicates. */
function isAliasColumn(values: readonly string[], names: readonly string[]): boolean {
  const filled = values.filter((value) => value !== "");
  if (filled.length === 0 || new Set(filled).size < filled.length) return false;
  const hits = values.filter((value, index) => value !== "" && value === fieldAlias(names[index])).length;
  return hits * 2 > values.length;
}

/** A column with the name of an alias column and suitable values: in few rows, all aliases may have another form. */
function aliasByKey(columns: AnswerColumns, name: string): string | undefined {
  return [...columns.keys()].find((key) =>
    key !== name && /(^|[^a-z])(alias|field_?id)$/i.test(key) && isKey(columns.get(key)!) &&
    columns.get(key)!.every((value) => /^[a-z0-9_.]+$/.test(value))
  );
}

/** The column with the largest share of type names; of equal ones, the one with other types than text. */
function typeColumn(keys: readonly string[], columns: AnswerColumns): string | undefined {
  let best: string | undefined;
  let most = [0.5, 0, 0];
  for (const key of keys) {
    const values = columns.get(key)!.filter((value) => value !== "");
    const types = values.map(typeOf).filter((type) => type !== undefined);
    if (types.length === 0) continue;
    const score = [
      types.length / values.length,
      Number(types.some((type) => type !== "string")),
      Number(/type|kind/i.test(key)),
    ];
    const difference = score.map((part, index) => part - most[index]).find((part) => part !== 0);
    if (difference !== undefined && difference > 0) [best, most] = [key, score];
  }
  return best;
}

/** `VARCHAR(20)` is a `varchar`; `list<string>` is a list. */
function typeOf(word: string): FieldType | undefined {
  return TYPE_WORDS.get(word.trim().toLowerCase().replace(/[(<[].*$/, "").trim());
}

/** The warning about fields that are defined more than once. */
export function noteRepeated(fields: readonly string[]): LedgerEntry {
  const text = `fields that are defined more than once have their first definition: ${listSome(fields, 20)}`;
  return noteEntry("definition-repeated", text, { ids: fields });
}
