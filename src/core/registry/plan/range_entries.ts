/** Ranges of a query that meet values which are no numbers or dates. */
import { countOf } from "../../contract/count_of.ts";
import { listSome, quoteValue } from "../../contract/ledger.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";
import type { FieldDefinition } from "../../contract/metadata.ts";
import type { SearchResponse } from "../../contract/search.ts";
import { readDecimal, readPartialDate } from "../../contract/values/mod.ts";
import { CriteriaError } from "../../query/criteria_error.ts";
import { lookupFields } from "../../query/fields.ts";
import type { KeyRangeNode, QueryNode, TextRangeNode } from "../../query/query_ast.ts";
import { parseQuery } from "../../query/query_parser.ts";

/** Searches for some records and their number, which a sentence about a field shows. */
export type Ask = (query: string, field: string) => Promise<Pick<SearchResponse, "total" | "results">>;

/** What a user can do about values that are compared as texts. */
export interface Remedy {
  /** How the field gets another type, before the type's name. */
  readonly retype: string;
  /** What to do then. */
  readonly again: string;
}

const REMEDY: Remedy = { retype: "set the field's type in definitions.json to", again: "search again" };

/** How many distinct values a sentence shows. */
const SHOWN = 3;

/** Whether a query may hold a range: only then the fields need be known. */
export function mayHaveRange(query: string): boolean {
  return /[[{<>]/.test(query);
}

/**
 * Notes the ranges between numbers or dates that are compared with texts: those over a field of text, and those over a
 * field of numbers or dates of which some records hold something else.
 *
 * @param query The query, in the grammar of the embedded registry.
 * @param ask Asked for the values of each such field.
 * @param remedy What to do about them; by default as in a registry.
 */
export async function noteRanges(
  query: string,
  definitions: readonly FieldDefinition[],
  ask: Ask,
  remedy = REMEDY,
): Promise<LedgerEntry[]> {
  let node: QueryNode;
  try {
    node = parseQuery(query, lookupFields(definitions));
  } catch (cause) {
    if (cause instanceof CriteriaError) return [];
    throw cause;
  }
  const entries: LedgerEntry[] = [];
  const noted = new Set<number>();
  for (const range of rangesOf(node)) {
    if (noted.has(range.field)) continue;
    noted.add(range.field);
    const definition = definitions[range.field];
    const entry = range.kind === "key-range"
      ? await noteUnread(definition, ask, remedy)
      : await noteCompared(range, definition, ask, remedy);
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
}

function rangesOf(node: QueryNode): (KeyRangeNode | TextRangeNode)[] {
  switch (node.kind) {
    case "and":
    case "or":
      return node.nodes.flatMap(rangesOf);
    case "not":
      return rangesOf(node.node);
    case "key-range":
    case "text-range":
      return [node];
    default:
      return [];
  }
}

/** The values of a field of text, where the ends of a range are numbers or dates. */
async function noteCompared(
  { from, to }: TextRangeNode,
  { name, type }: FieldDefinition,
  ask: Ask,
  { retype, again }: Remedy,
): Promise<LedgerEntry | undefined> {
  const ends = [from, to].flatMap((end) => end === undefined ? [] : [end.value]);
  const [what, types, read] = ends.every((end) => readDecimal(end) !== undefined)
    ? ["numbers", "integer or float", readDecimal] as const
    : ["dates", "date", readPartialDate] as const;
  if (type === "boolean" || !ends.every((end) => read(end) !== undefined)) return undefined;
  const { total, results } = await ask(`${quoted(name)}:*`, name);
  if (total === 0) return undefined;
  const values = valuesOf(results, name);
  const odd = values.filter((value) => read(value) === undefined);
  const text = `the range of ${JSON.stringify(name)} compares texts, character by character, not ${what}, since the ` +
    `field is of type ${type}: ${countOf(total, "record")} ${total === 1 ? "has" : "have"} a value, such as ` +
    `${
      list(odd.length > 0 ? odd : values)
    }; correct the values that are no ${what}, or ${retype} ${types}, and ${again}`;
  return noteEntry("range-over-text", text, { count: total, field: name });
}

/** The values of a field of numbers or dates that are none: they are in no range. */
async function noteUnread(
  { name, type }: FieldDefinition,
  ask: Ask,
  { again }: Remedy,
): Promise<LedgerEntry | undefined> {
  const [what, least] = type === "date" ? ["date", "0001"] : ["number", "0"];
  const field = quoted(name);
  const { total, results } = await ask(`${field}:* -${field}:>=${least} -${field}:<${least}`, name);
  if (total === 0) return undefined;
  const text = `${countOf(total, "record")} ${total === 1 ? "is" : "are"} in no range of ${JSON.stringify(name)}, ` +
    `since ${total === 1 ? "its value is" : "their values are"} no ${what}: ${list(valuesOf(results, name))}; ` +
    `correct the values and ${again}`;
  return noteEntry("range-over-text", text, { count: total, field: name });
}

function valuesOf(results: SearchResponse["results"], name: string): string[] {
  return [...new Set(results.map(({ source }) => source[name] ?? "").map(String))].filter((value) => value !== "");
}

function list(values: readonly string[]): string {
  return listSome(values.slice(0, SHOWN).map((value) => JSON.stringify(quoteValue(value))), SHOWN);
}

/** A field's name as queries take any. */
function quoted(name: string): string {
  return `"${name.replace(/["\\]/g, "\\$&")}"`;
}
