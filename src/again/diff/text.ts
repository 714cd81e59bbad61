/** A comparison for people. */
import { countOf } from "@seqreg/core/contract/count_of";
import { listSome } from "@seqreg/core/contract/ledger";
import { terminalText } from "@seqreg/core/io/bytes/terminal_text";
import { isEqualTable } from "./equal_table.ts";
import type { Diff, TableDiff } from "./diff_result.ts";
import { HOW_CHANGED } from "./how_changed.ts";
import type { ChangedValue, RecordChange } from "./record_change.ts";

/** Records that are listed, and fields of each. */
const SHOWN_RECORDS = 20;
const SHOWN_FIELDS = 4;

/** Characters of a value that are shown. */
const SHOWN_CHARACTERS = 40;

/** Names of taxa that are listed. */
const SHOWN_TAXA = 5;

/**
 * Writes what differs in words: counts, fields, how their cells changed, the first 20 records.
 *
 * @param diff The comparison.
 * @returns Lines with their line ends; a line end within a key or a name is written as `\u{a}`.
 */
export async function* diffToText(diff: Diff): AsyncGenerator<string> {
  for await (const line of linesOf(diff)) yield `${terminalText(line)}\n`;
}

async function* linesOf(diff: Diff): AsyncGenerator<string> {
  const outcome = diff.differs ? "different" : diff.isEqual ? "equal" : "equal as far as they were compared";
  yield `${diff.places[0]} → ${diff.places[1]}: ${outcome}`;
  for (const table of diff.tables) yield* describeTable(table, diff.tables.length > 1);
  for (const version of ["old", "new"] as const) {
    if (diff.unpaired[version].length > 0) {
      yield `only in the ${version} version: ${diff.unpaired[version].join(", ")}`;
    }
  }
  let shown = 0;
  for await (const change of diff.records()) {
    if (shown++ === SHOWN_RECORDS) break;
    yield describeRecord(change, diff.tables.length > 1);
  }
  const { added, removed, changed } = diff.counts;
  const more = added + removed + changed - SHOWN_RECORDS;
  if (more > 0) yield `… and ${countOf(more, "record")} more: --format jsonl or csv lists all`;
}

function* describeTable(table: TableDiff, isOneOfMany: boolean): Generator<string> {
  const { added, removed, changed, unchanged, key, columns, leftOut, leftOutBy } = table;
  const indent = isOneOfMany ? "  " : "";
  const by = key === undefined ? "whole rows" : `by ${key}`;
  if (isOneOfMany) yield `${table.table}: ${isEqualTable(table) ? "equal, " : ""}${countOf(table.new, "record")}`;
  const left = leftOutBy === undefined
    ? []
    : [`${indent}left out by ${leftOutBy}: ${leftOut[0]} of the old version, ${leftOut[1]} of the new one`];
  if (isOneOfMany && isEqualTable(table)) return yield* left;
  yield `${indent}${countOf(table.old, "record")} → ${table.new}, ${by}: ${added} added, ${removed} removed, ` +
    `${changed} changed, ${unchanged} unchanged`;
  yield* left;
  const pairs = (list: readonly (readonly [string, string])[]) => list.map(([from, to]) => `"${from}" → "${to}"`);
  const accepted = columns.renamed.filter((pair) => !columns.proposed.includes(pair));
  const fields = [
    ["fields added", columns.added],
    ["fields removed", columns.removed],
    ["fields renamed", pairs(accepted)],
    ["fields probably renamed (accept with --rename OLD=NEW)", pairs(columns.proposed)],
    ["fields moved", columns.moved],
  ] as const;
  for (const [what, names] of fields) if (names.length > 0) yield `${indent}${what}: ${listSome(names, 10)}`;
  const counted = Object.entries(table.fields)
    .map(([name, counts]) => ({ name, counts, sum: Object.values(counts).reduce((sum, count) => sum + count, 0) }))
    .sort((a, b) => b.sum - a.sum || (a.name < b.name ? -1 : 1));
  if (counted.length > 0) yield `${indent}changed values by field:`;
  for (const { name, counts, sum } of counted) {
    const hows = HOW_CHANGED.filter((how) => counts[how] !== undefined).map((how) => `${how} ${counts[how]}`);
    yield `${indent}  ${name}: ${sum} (${hows.join(", ")})`;
  }
  if (table.taxa.length > 0) {
    const taxa = table.taxa.map(({ old, new: now, cells }) => `${old} → ${now} (${countOf(cells, "value")})`);
    yield `${indent}renamed taxa, as the taxonomy archive has them: ${listSome(taxa, SHOWN_TAXA)}`;
  }
}

function describeRecord({ table, kind, key, fields }: RecordChange, isOneOfMany: boolean): string {
  const sign = { added: "+", removed: "-", changed: "~" }[kind];
  const name = `${sign} ${isOneOfMany ? `${table} ` : ""}${key}`;
  if (kind !== "changed") return name;
  const changes = Object.entries(fields).map(([field, { old, new: now, how }]) =>
    `${field}: ${showChange(old, now)}${how === "value" ? "" : ` (${how})`}`
  );
  const more = changes.length - SHOWN_FIELDS;
  return `${name}  ${changes.slice(0, SHOWN_FIELDS).join("; ")}${more > 0 ? `; ${countOf(more, "field")} more` : ""}`;
}

function showChange(old: ChangedValue, now: ChangedValue): string {
  const from = Math.max(0, firstDifference(old, now) - SHOWN_CHARACTERS / 2);
  return `${show(old, from)} → ${show(now, from)}`;
}

/** Where long texts begin to differ; 0 of others. */
function firstDifference(old: ChangedValue, now: ChangedValue): number {
  if (typeof old !== "string" || typeof now !== "string") return 0;
  if (Math.max(old.length, now.length) <= SHOWN_CHARACTERS) return 0;
  let at = 0;
  while (at < Math.min(old.length, now.length) && old[at] === now[at]) at++;
  return at;
}

/** A value, or the part of a long one that begins at an offset. */
function show(value: ChangedValue, from: number): string {
  if (value === null) return "missing";
  const text = String(value);
  const rest = text.slice(from, from + SHOWN_CHARACTERS).toWellFormed();
  return JSON.stringify(`${from > 0 ? "…" : ""}${rest}${text.length > from + SHOWN_CHARACTERS ? "…" : ""}`);
}
