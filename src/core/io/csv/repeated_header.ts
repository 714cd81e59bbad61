/** Rows of a table that repeat its header, as those of files that were joined with their headers. */
import { countOf } from "../../contract/count_of.ts";
import { listSome } from "../../contract/ledger.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";

/** How many lines a note names. */
const NAMED = 10;

/** Whether a row repeats the header; a table of one column may have its name as a value. */
export function repeatsHeader(cells: readonly string[], names: readonly string[]): boolean {
  return names.length > 1 && cells.length === names.length &&
    names.every((name, index) => cells[index] === name || index === 0 && cells[0] === `\uFEFF${name}`);
}

/**
 * The note on such rows; nothing without any.
 *
 * @param unit What the numbers count: `line`, or `row` of a sheet.
 */
export function noteRepeatedHeaders(name: string, numbers: readonly number[], unit = "line"): LedgerEntry[] {
  if (numbers.length === 0) return [];
  const repeat = numbers.length === 1 ? "repeats" : "repeat";
  const text = `${countOf(numbers.length, "row")} of ${name} ${repeat} the header: left out, ` +
    `${unit}${numbers.length === 1 ? "" : "s"} ${listSome(numbers.map(String), NAMED)}`;
  return [noteEntry("header-repeated", text, { count: numbers.length })];
}
