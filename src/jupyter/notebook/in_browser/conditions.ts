/** Filters of one column: what a person chose, as a test of cells and in words. Runs in the browser; see `cells.ts`. */
import { cellKey, type CellKind, orderKey, searchedText, type SentCell, shownText } from "./cells.ts";
import { type FilterRule, readFilter } from "./read_filter.ts";

/** How a column is filtered. */
export interface ColumnCondition {
  /** What a person wrote, in the words of {@linkcode readFilter}; empty for nothing. */
  readonly text: string;
  /** Values that were chosen; empty for all. */
  readonly chosen: readonly SentCell[];
}

/** Whether a condition leaves any row out. */
export function isActive({ text, chosen }: ColumnCondition): boolean {
  return chosen.length > 0 || text.trim() !== "";
}

/** A bound of numbers or days as cells are compared with it. */
export function boundOf(text: string, kind: CellKind): number | bigint | string {
  if (kind === "date") return text;
  return /^[+-]?\d+$/.test(text) && !Number.isSafeInteger(Number(text)) ? BigInt(text.replace("+", "")) : Number(text);
}

/**
 * Compares a cell with a bound: below it -1, equal 0, above it 1, and NaN where there is nothing to compare. A day is
 * compared as far as the bound is written: 2013-05-02 equals 2013-05. Of a partial date its first or its last day is
 * compared.
 */
export function compareWithBound(
  cell: SentCell,
  bound: number | bigint | string,
  kind: CellKind,
  day: "first" | "last",
): number {
  const key = orderKey(cell, kind);
  if (key === null || Number.isNaN(key)) return NaN;
  if (typeof key !== "string" || typeof bound !== "string") return key < bound ? -1 : key > bound ? 1 : 0;
  const known = key.replaceAll("-XX", "");
  const rest = known.length >= 10 ? "" : (day === "first" ? "-01-01" : "-12-31").slice(known.length < 7 ? 0 : 3);
  const value = (known + rest).slice(0, bound.length);
  const [year, month] = bound.split("-").map(Number);
  const isLast = bound.length === 10 && bound === new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
  // A month ends with its day 31, however many it has.
  const end = day === "last" && isLast && rest !== "" ? `${bound.slice(0, 8)}31` : bound;
  return value < end ? -1 : value > end ? 1 : 0;
}

/** Makes the test of a condition. What cannot be read as a filter is a fault in words, and lets every row pass. */
export function testOf(
  { text, chosen }: ColumnCondition,
  kind: CellKind,
): { readonly test: (cell: SentCell) => boolean; readonly fault: string } {
  const keys = new Set(chosen.map(cellKey));
  const isChosen = (cell: SentCell) => keys.size === 0 || keys.has(cellKey(cell));
  const { rule, fault = "" } = readFilter(text, kind === "sequence" ? "text" : kind);
  if (rule === undefined) return { fault, test: isChosen };
  const matches = matchOf(rule, kind);
  return { fault, test: (cell) => matches(cell) !== (rule.not === true) && isChosen(cell) };
}

/** Makes the test of a filter, without its negation. */
export function matchOf({ kind: what, text = "", ...range }: FilterRule, kind: CellKind): (cell: SentCell) => boolean {
  if (what === "missing") return (cell) => cell === null;
  if (what === "present") return (cell) => cell !== null;
  if (what === "is") return (cell) => cell !== null && searchedText(cell) === text;
  if (what === "holds") {
    const words = text.toLowerCase();
    return (cell) => cell !== null && searchedText(cell).toLowerCase().includes(words);
  }
  const [min, max] = [range.min, range.max].map((bound) => bound === undefined ? undefined : boundOf(bound, kind));
  return (cell) => {
    const low = min === undefined ? 1 : compareWithBound(cell, min, kind, "first");
    const high = max === undefined ? -1 : compareWithBound(cell, max, kind, "last");
    return (range.above === true ? low > 0 : low >= 0) && (range.below === true ? high < 0 : high <= 0);
  };
}

/** Describes a condition in a few words, such as `ken`, `10..20` or `Kenya, Peru`. */
export function describeCondition({ text, chosen }: ColumnCondition): string {
  const parts = text.trim() === "" ? [] : [text.trim()];
  if (chosen.length > 0) {
    const names = chosen.slice(0, 3).map((cell) => shownText(cell).slice(0, 40)).join(", ");
    parts.push(chosen.length > 3 ? `${names} and ${chosen.length - 3} more` : names);
  }
  return parts.join("; ");
}

/** Counts the different values of a column over some rows, the most frequent first. */
export function countValues(
  cells: readonly SentCell[],
  rows: readonly number[],
): { readonly cell: SentCell; readonly count: number }[] {
  const counts = new Map<string, { cell: SentCell; count: number }>();
  for (const row of rows) {
    const key = cellKey(cells[row]);
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { cell: cells[row], count: 1 });
    else known.count++;
  }
  return [...counts.values()].sort((a, b) => b.count - a.count);
}
