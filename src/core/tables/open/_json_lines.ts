/**
 * Tables of JSON: one object a line, such as the `data_report.jsonl` of NCBI Datasets, an array of objects, such as
 * gget writes, or an object that holds such an array as its `reports`, as `datasets summary` prints.
 */
import { ParseError } from "../../errors.ts";
import { readLines } from "../../io/bytes/text_lines.ts";
import type { TextTable } from "../../io/csv/text_table.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";
import { fieldAlias } from "../../contract/fields/field_alias.ts";
import type { KnownColumn } from "../../contract/fields/column_names.ts";

/** Columns at most, and objects within objects: what has more is not a report of records. */
const MAX_COLUMNS = 1000;
const MAX_DEPTH = 8;

/** A number that JavaScript may not keep, such as a whole number beyond 2^53, or `1e400`. */
const LONG_NUMBER = /[0-9][0-9.]{15}|[0-9][eE][+-]?[0-9]{3}/;

/** A string of JSON, a key with the colon after it, or where an object begins or ends. */
const JSON_KEYS = /"([^"\\]*(?:\\[^][^"\\]*)*)"(\s*:)?|[{}]/g;

/** Whether text begins as JSON of records: with an object that has a first key, or an array of objects or of none. */
export function looksLikeRecords(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head).replace(/^\uFEFF/, "").trimStart();
  // The first line may be longer than the head: then it holds a first key at least.
  return /^(?:\[\s*\]\s*$|(?:\[\s*)?\{\s*"[^"]+"\s*:)/.test(text);
}

export interface JsonTable {
  readonly table: TextTable;
  /** Types of columns whose lists are JSON: they are text. */
  readonly types: readonly (KnownColumn | undefined)[];
  readonly entries: readonly LedgerEntry[];
}

/**
 * Reads each object as a row. A key is a column of its name. A value within objects has a column of the names on its
 * way, as in `isolate_collection_date`; a list becomes its items joined by `;`, without null, a list of objects their
 * names, and a list of pairs of a `name` and a `value` a column for each name. Lists in a column of which an item has a
 * semicolon, or begins with a bracket as a list within it does, are JSON, as those of Parquet.
 *
 * @param source UTF-8.
 * @throws {ParseError} If a record is not a JSON object, an object has a key twice, or a column has several values.
 */
export async function readJsonLines(
  source: AsyncIterable<Uint8Array>,
  { name, signal }: { readonly name: string; readonly signal?: AbortSignal },
): Promise<JsonTable> {
  const columns = new Map<string, number>();
  const cells: Cell[][] = [];
  /** Whether the lists of a column are JSON. */
  const isJson: boolean[] = [];
  const valued = new Set<string>();
  const nests = new Set<string>();
  /** Records that there are, as answers count them: each may be a page of the same. */
  let promised = 0;
  const onAnswer = ({ total_count = 0 }: Answer) => promised = Math.max(promised, total_count);
  for await (const { record, line } of readRecords(readLines(source, { name, signal }), { name, onAnswer })) {
    const row: Cell[] = [];
    const fault = faultOf(name, line);
    for (const [path, value] of leaves(record, fault)) {
      const column = columnOf(path);
      if (value === NEST) {
        nests.add(column);
        continue;
      }
      const index = columns.get(column) ?? columns.size;
      columns.set(column, index);
      if (columns.size > MAX_COLUMNS) throw fault(`it has more than ${MAX_COLUMNS} columns`);
      if (value === undefined) continue;
      valued.add(column);
      if (row[index] !== undefined) throw fault(`it has two values of ${column}; rename a key of them`);
      row[index] = value;
      isJson[index] ||= typeof value !== "string" && value.some((item) => /^\s*\[|;/.test(itemText(item)));
    }
    cells.push(row);
  }
  if (columns.size === 0) {
    throw new ParseError(`Cannot read the table ${name}: it holds no record, expected JSON Lines`);
  }
  // An object that is null in some records has the columns of its values.
  const kept = [...columns].filter(([column]) => valued.has(column) || !nests.has(column));
  const entries: LedgerEntry[] = [];
  const names = kept.map(([column], index) => {
    if (column.trim() !== "") return column;
    let given = `column_${index + 1}`;
    while (columns.has(given)) given += "_";
    const text = `a key of ${name} is empty: it is read as ${JSON.stringify(given)}`;
    entries.push(noteEntry("row-names", text, { field: given }));
    return given;
  });
  if (promised > cells.length) {
    const text = `${name} holds ${cells.length} of ${promised} records, by its total_count; get the other pages too`;
    entries.push(noteEntry("fewer-than-promised", text, { count: promised - cells.length }));
  }
  const textOf = (cell: Cell = "", index: number) =>
    typeof cell === "string" ? cell : isJson[index] ? JSON.stringify(cell) : cell.map(itemText).join(";");
  return {
    table: { columns: names, rows: cells.map((row) => kept.map(([, index]) => textOf(row[index], index))) },
    types: kept.map(([, index]) => isJson[index] ? { type: "string", unit: "" } : undefined),
    entries,
  };
}

/** A value: a text, or the items of a list. */
type Cell = string | readonly unknown[];

/** How a fault of a table is reported. */
type Fault = (what: string) => ParseError;

function faultOf(name: string, line: number): Fault {
  return (what) => new ParseError(`Cannot read the table ${name}: ${what}`, { line });
}

/** Yields the records of each line, or those of all lines as one text where the first only begins it. */
async function* readRecords(
  lines: AsyncIterable<string>,
  { name, onAnswer }: { readonly name: string; readonly onAnswer: (answer: Answer) => void },
): AsyncGenerator<{ readonly record: object; readonly line: number }> {
  let line = 0;
  let begun = 0;
  const document: string[] = [];
  for await (const text of lines) {
    line++;
    if (document.length === 0 && text.trim() === "") continue;
    if (document.length > 0 || begun === 0 && /^\s*(?:\[|\{\s*$)/.test(text.replace(/^\uFEFF/, ""))) {
      document.push(text);
      begun ||= line;
      continue;
    }
    begun ||= line;
    for (const record of recordsOf(text, faultOf(name, line), onAnswer)) yield { record, line };
  }
  if (document.length === 0) return;
  for (const record of recordsOf(document.join("\n"), faultOf(name, begun), onAnswer)) yield { record, line: begun };
}

function recordsOf(text: string, fault: Fault, onAnswer: (answer: Answer) => void): readonly object[] {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""), LONG_NUMBER.test(text) ? keepDigits : undefined);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  const answer = isObject(value) && isAnswer(value) ? value : undefined;
  if (answer !== undefined) onAnswer(answer);
  const records: readonly unknown[] = answer?.reports ?? (Array.isArray(value) ? value : [value]);
  if (!records.every(isObject)) {
    throw fault("this line is not a JSON object, expected JSON Lines such as data_report.jsonl of NCBI Datasets");
  }
  // What is written again as it was has no key twice: that is found in an eighth of the time.
  const isAsWritten = !text.includes("\n") && JSON.stringify(value) === text;
  const twice = isAsWritten ? undefined : repeatedKey(text);
  if (twice !== undefined) throw fault(`an object has two values of ${twice}; rename a key of them`);
  return records;
}

/** Finds a key that an object has twice, of which `JSON.parse` keeps the last value alone. */
function repeatedKey(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, characters, colon] of text.matchAll(JSON_KEYS)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (colon !== undefined) {
      const key = characters.includes("\\") ? String(JSON.parse(`"${characters}"`)) : characters;
      const keys = open[open.length - 1];
      if (keys.has(key)) return key;
      keys.add(key);
    }
  }
  return undefined;
}

/** Passes a number of many digits on as it is written: as in a CSV, its column decides what it is. */
function keepDigits(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const { source } = context ?? {};
  return typeof value === "number" && source !== undefined && LONG_NUMBER.test(source) ? source : value;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An answer of NCBI Datasets: reports, and numbers and texts about them. */
interface Answer {
  readonly reports: readonly unknown[];
  /** Number of all reports, of which an answer may be one page. */
  readonly total_count?: number;
}

function isAnswer(value: object): value is Answer {
  return "reports" in value && Array.isArray(value.reports) && value.reports.every(isObject) &&
    Object.entries(value).every(([key, inner]) => key === "reports" || typeof inner !== "object") &&
    (!("total_count" in value) || typeof value.total_count === "number");
}

/** Stands for an object whose values follow. */
const NEST = Symbol("nest");

/** The column of a value: a key of a record keeps its name, the names on the way to others are in snake case. */
function columnOf(path: readonly string[]): string {
  if (path.length === 1) return path[0];
  return fieldAlias(path.map((key) => key.replace(/([a-z0-9])([A-Z])/g, "$1_$2")).join(" "));
}

/** A value with the names on its way; `undefined` if it is missing. */
type Leaf = readonly [path: readonly string[], value: Cell | undefined | typeof NEST];

/** Yields the values within an object, those of an object within it after it. */
function* leaves(value: object, fault: Fault, path: readonly string[] = []): Generator<Leaf> {
  if (path.length >= MAX_DEPTH) throw fault(`it has more than ${MAX_DEPTH} objects within each other`);
  for (const [key, inner] of Object.entries(value)) {
    const way = [...path, key];
    if (inner === null) yield [way, undefined];
    else if (Array.isArray(inner) && inner.every(isPair) && inner.some((item) => "value" in item)) {
      yield [way, NEST];
      yield* pairsOf(inner, way);
    } else if (Array.isArray(inner)) yield [way, inner.filter((item) => item !== null).map(nameOrItem)];
    else if (typeof inner === "object") {
      yield [way, NEST];
      yield* leaves(inner, fault, way);
    } else yield [way, String(inner)];
  }
}

/** An item of a list; of an object, such as a taxon of a lineage, its name. */
function nameOrItem(item: unknown): unknown {
  return isObject(item) && "name" in item && typeof item.name === "string" ? item.name : item;
}

function itemText(item: unknown): string {
  return typeof item === "object" ? JSON.stringify(item) : String(item);
}

/** A value under a name, as attributes of a BioSample are; one without a value is missing. */
interface Pair {
  readonly name: string;
  readonly value?: string | number | boolean | null;
}

function isPair(item: unknown): item is Pair {
  return isObject(item) && "name" in item && typeof item.name === "string" &&
    Object.entries(item).every(([key, value]) =>
      key === "name" || key === "value" && (value === null || typeof value !== "object")
    );
}

/** The values of pairs, those of one name joined by `;`. */
function* pairsOf(pairs: readonly Pair[], way: readonly string[]): Generator<Leaf> {
  const values = new Map<string, string[]>();
  for (const { name, value } of pairs) {
    const before = values.get(name) ?? [];
    values.set(name, value === undefined || value === null ? before : [...before, String(value)]);
  }
  for (const [name, texts] of values) yield [[...way, name], texts.length > 1 ? texts : texts[0]];
}
