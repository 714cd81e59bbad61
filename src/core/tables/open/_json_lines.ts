/** Tables of JSON Lines: one object a line, such as the `data_report.jsonl` of NCBI Datasets. */
import { ParseError } from "../../errors.ts";
import { readLines } from "../../io/bytes/text_lines.ts";
import type { TextTable } from "../../io/csv/text_table.ts";
import { fieldAlias } from "../../contract/field_alias.ts";

/** Columns at most, and objects within objects: what has more is not a report of records. */
const MAX_COLUMNS = 1000;
const MAX_DEPTH = 8;

/** Whether text begins with a whole line that is one JSON object. */
export function looksLikeJsonLines(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head).replace(/^\uFEFF/, "").trimStart();
  // The first line may be longer than the head: then it holds a first key at least.
  return /^\{"[^"]+"\s*:/.test(text);
}

/**
 * Reads one object a line as a row. A value within objects has a column of the names on its way, as in
 * `isolate_collection_date`; a list becomes its items joined by `;`, a list of objects their names.
 *
 * @param source UTF-8.
 * @param options Name for errors, signal.
 * @throws {ParseError} If a line is not a JSON object, or a column has several values.
 */
export async function readJsonLines(
  source: AsyncIterable<Uint8Array>,
  { name, signal }: { readonly name: string; readonly signal?: AbortSignal },
): Promise<TextTable> {
  const columns = new Map<string, number>();
  const cells: string[][] = [];
  let line = 0;
  for await (const text of readLines(source, { name, signal })) {
    line++;
    if (text.trim() === "") continue;
    const row: string[] = [];
    const fault = (what: string) => new ParseError(`Cannot read the table ${name}: ${what}`, { line });
    for (const [path, value] of leaves(parseObject(text, fault), fault)) {
      const column = fieldAlias(path.join(" "));
      const index = columns.get(column) ?? columns.size;
      columns.set(column, index);
      if (columns.size > MAX_COLUMNS) throw fault(`it has more than ${MAX_COLUMNS} columns`);
      if (row[index] !== undefined) throw fault(`it has two values of ${column}`);
      row[index] = value;
    }
    cells.push(row);
  }
  if (columns.size === 0) throw new ParseError(`Cannot read the table ${name}: it is empty, expected JSON Lines`);
  const names = [...columns.keys()];
  return { columns: names, rows: cells.map((row) => names.map((_, index) => row[index] ?? "")) };
}

function parseObject(text: string, fault: (what: string) => ParseError): object {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  throw fault("this line is not a JSON object, expected JSON Lines such as data_report.jsonl of NCBI Datasets");
}

/** Yields the values within an object, each with the names on its way in snake case. */
function* leaves(
  value: object,
  fault: (what: string) => ParseError,
  path: readonly string[] = [],
): Generator<[path: readonly string[], value: string]> {
  if (path.length >= MAX_DEPTH) throw fault(`it has more than ${MAX_DEPTH} objects within each other`);
  for (const [key, inner] of Object.entries(value)) {
    const way = [...path, key.replace(/([a-z0-9])([A-Z])/g, "$1_$2")];
    if (inner === null) continue;
    if (Array.isArray(inner)) yield [way, inner.map(itemText).join(";")];
    else if (typeof inner === "object") yield* leaves(inner, fault, way);
    else yield [way, String(inner)];
  }
}

/** An item of a list; of an object, such as a taxon of a lineage, its name. */
function itemText(item: unknown): string {
  if (typeof item !== "object" || item === null) return String(item);
  return "name" in item && typeof item.name === "string" ? item.name : JSON.stringify(item);
}
