/**
 * Filters of one column: what a person chose, as a test of cells and in words. Runs in the browser; see `cells.ts`.
 *
 * @module
 */
import { cellKey, type CellKind, orderKey, searchedText, type SentCell, shownText } from "./cells.ts";

/** How a column is filtered. */
export interface ColumnCondition {
  /** One of {@linkcode operatorsOf} the column's kind. */
  readonly operator: string;
  /** The text or number to compare with; empty for none. */
  readonly text: string;
  /** The end of a range. */
  readonly end: string;
  /** Values that were chosen; empty for all. */
  readonly chosen: readonly SentCell[];
}

/** A filter that lets everything pass. */
export function emptyCondition(kind: CellKind): ColumnCondition {
  return { operator: operatorsOf(kind)[0][0], text: "", end: "", chosen: [] };
}

/** Comparisons of a kind of column, with their names; the first is the usual one. */
export function operatorsOf(kind: CellKind): readonly (readonly [operator: string, name: string])[] {
  const missing = [["null", "is null"], ["value", "is not null"]] as const;
  if (kind === "text") {
    return [
      ["contains", "contains"],
      ["lacks", "does not contain, or is null"],
      ["starts", "starts with"],
      ["is", "is"],
      ...missing,
    ];
  }
  if (kind === "sequence") return [["contains", "contains"], ["starts", "starts with"], ...missing];
  return [
    ["range", "from … to"],
    ["=", "="],
    ["≠", "≠, or is null"],
    ["<", "<"],
    ["≤", "≤"],
    [">", ">"],
    ["≥", "≥"],
    ...missing,
  ];
}

/** Whether a condition leaves any row out. */
export function isActive({ operator, text, end, chosen }: ColumnCondition): boolean {
  return chosen.length > 0 || operator === "null" || operator === "value" || text.trim() !== "" ||
    (operator === "range" && end.trim() !== "");
}

/** Reads what a person typed as a bound of numbers or days; `undefined` if it is neither. */
export function readBound(text: string, kind: CellKind): number | bigint | string | undefined {
  const trimmed = text.trim();
  if (kind === "date") return /^-?\d{1,6}(-\d\d(-\d\d([T ][\d:.]*Z?)?)?)?$/.test(trimmed) ? trimmed : undefined;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)) return undefined;
  return /^[+-]?\d+$/.test(trimmed) && !Number.isSafeInteger(Number(trimmed))
    ? BigInt(trimmed.replace("+", ""))
    : Number(trimmed);
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

/**
 * Makes the test of a condition. What cannot be read as a number or a day is a fault in words, and lets every row
 * pass.
 */
export function testOf(
  condition: ColumnCondition,
  kind: CellKind,
): { readonly test: (cell: SentCell) => boolean; readonly fault: string } {
  const { operator, chosen } = condition;
  const keys = new Set(chosen.map(cellKey));
  const isChosen = (cell: SentCell) => keys.size === 0 || keys.has(cellKey(cell));
  if (operator === "null") return { fault: "", test: (cell) => cell === null && isChosen(cell) };
  if (operator === "value") return { fault: "", test: (cell) => cell !== null && isChosen(cell) };
  if (kind === "text" || kind === "sequence") {
    const words = condition.text.trim().toLowerCase();
    const matches = {
      contains: (text: string) => text.includes(words),
      lacks: (text: string) => !text.includes(words),
      starts: (text: string) => text.startsWith(words),
      is: (text: string) => text === words,
    }[operator] ?? (() => true);
    const test = (cell: SentCell) =>
      words === "" || (cell === null ? operator === "lacks" : matches(searchedText(cell).toLowerCase()));
    return { fault: "", test: (cell) => test(cell) && isChosen(cell) };
  }
  const isRange = operator === "range";
  const typed = isRange ? [condition.text, condition.end] : [condition.text];
  const bounds = typed.map((text) => text.trim() === "" ? null : readBound(text, kind));
  const wrong = bounds.indexOf(undefined);
  if (wrong >= 0) {
    const example = kind === "date" ? "a day: write 2013, 2013-05 or 2013-05-31" : "a number: write 1500 or 0.25";
    return { fault: `"${typed[wrong].trim()}" is not ${example}`, test: isChosen };
  }
  const [low, high] = bounds;
  const passes = (cell: SentCell) => {
    const isBelow = high === null || high === undefined || compareWithBound(cell, high, kind, "last") <= 0;
    if (low === null || low === undefined) return !isRange || isBelow;
    const first = compareWithBound(cell, low, kind, "first");
    const last = compareWithBound(cell, low, kind, "last");
    if (isRange) return first >= 0 && isBelow;
    if (operator === "≠") return first !== 0 || last !== 0;
    if (operator === "=") return first === 0 && last === 0;
    if (operator === "<" || operator === "≤") return last < 0 || (operator === "≤" && last === 0);
    return first > 0 || (operator === "≥" && first === 0);
  };
  return { fault: "", test: (cell) => passes(cell) && isChosen(cell) };
}

/** Describes a condition in a few words, such as `contains "ken"`, `from 10 to 20` or `Kenya, Peru`. */
export function describeCondition(condition: ColumnCondition, kind: CellKind): string {
  const { operator, chosen } = condition;
  const [text, end] = [condition.text.trim(), condition.end.trim()];
  const parts: string[] = [];
  if (operator === "null") parts.push("is null");
  else if (operator === "value") parts.push("is not null");
  else if (operator === "range") {
    if (text !== "") parts.push(`from ${text}`);
    if (end !== "") parts.push(`to ${end}`);
  } else if (text !== "") {
    const name = operator === "lacks" ? "does not contain" : operator === "starts" ? "starts with" : operator;
    parts.push(kind === "text" || kind === "sequence" ? `${name} "${text}"` : `${name} ${text}`);
  }
  if (chosen.length > 0) {
    const names = chosen.slice(0, 3).map((cell) => shownText(cell).slice(0, 40)).join(", ");
    parts.push(chosen.length > 3 ? `${names} and ${chosen.length - 3} more` : names);
  }
  return parts.join(" ");
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
