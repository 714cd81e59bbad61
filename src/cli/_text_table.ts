/** Tables for people: aligned, safe for a terminal, cut to its width. */
import { terminalText } from "../io/terminal_text.ts";

const GAP = "  ";
const LEAST_WIDTH = 6;
const MOST_WIDTH = 32;

/** A table laid out for a width; rows can be written as they come. */
export interface TextTable {
  /** Columns that are shown, by their place. */
  readonly shown: readonly number[];
  /** The header and a rule, each with a line end. */
  readonly head: string;
  /** Writes one row with a line end. */
  row(cells: readonly string[]): string;
}

/**
 * Lays a table out: as many columns from the left as fit.
 *
 * @param columns Names of the columns.
 * @param sample Rows by which widths are chosen.
 * @param width Letters of a line.
 */
export function layOutTable(
  columns: readonly string[],
  sample: readonly (readonly string[])[],
  width: number,
): TextTable {
  const widths: number[] = [];
  const shown: number[] = [];
  let used = 0;
  for (const [index, column] of columns.entries()) {
    const cells = sample.map((row) => row[index] ?? "");
    // A column without a value tells nothing; the first one says whose row it is.
    if (index > 0 && cells.every((cell) => cell === "")) continue;
    const longest = Math.max(lengthOf(column), ...cells.map(lengthOf));
    const wanted = Math.max(1, Math.min(longest, MOST_WIDTH));
    const left = width - used - (shown.length === 0 ? 0 : GAP.length);
    if (shown.length > 0 && left < Math.min(wanted, LEAST_WIDTH)) break;
    const given = Math.min(wanted, Math.max(left, LEAST_WIDTH));
    used += given + (shown.length === 0 ? 0 : GAP.length);
    shown.push(index);
    widths.push(given);
  }
  const row = (cells: readonly string[]) =>
    shown.map((index, place) => fit(cells[index] ?? "", widths[place])).join(GAP).trimEnd() + "\n";
  return { shown, head: row(columns) + widths.map((size) => "-".repeat(size)).join(GAP) + "\n", row };
}

/** Letters of a line: of the terminal, else of `COLUMNS`, else 80. */
export function lineWidth(env: (name: string) => string | undefined): number {
  if (Deno.stdout.isTerminal()) return Math.max(20, Deno.consoleSize().columns);
  const columns = Number(env("COLUMNS"));
  return Number.isInteger(columns) && columns >= 20 && columns <= 10_000 ? columns : 80;
}

function lengthOf(text: string): number {
  return text.length > 1000 ? text.length : [...terminalText(text)].length;
}

function fit(text: string, width: number): string {
  const letters = [...terminalText(text.slice(0, 1000))];
  return letters.length > width ? letters.slice(0, width - 1).join("") + "…" : letters.join("").padEnd(width);
}
