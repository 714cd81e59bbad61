/** Tables for people: aligned, safe for a terminal, cut to its width. */
import { terminalText } from "@seqreg/core/io/bytes/terminal_text";

/** Rows that determine the widths of the columns of a long table. */
export const WIDTH_ROWS = 10_000;

/** A number is never cut: what is left of it would be another. */
const NUMBER = /^[+-]?[0-9][0-9.,]*(e[+-]?[0-9]+)?$/i;

const GAP = "  ";
const LEAST_WIDTH = 6;
const MOST_WIDTH = 32;

/** Characters of a cell that are considered: no line shows more. */
const MAX_CHARACTERS = 1000;

/** A table laid out for a width; rows can be written one by one. */
export interface TextLayout {
  /** Indices of the columns that are shown. */
  readonly shown: readonly number[];
  /** The header and a rule, each with a line end. */
  readonly head: string;
  /** Writes one row with a line end. */
  row(cells: readonly string[]): string;
}

/** Lays out a table: as many columns from the left as fit. */
export function layOutTable(
  columns: readonly string[],
  sample: readonly (readonly string[])[],
  width: number,
): TextLayout {
  const widths: number[] = [];
  const shown: number[] = [];
  let used = 0;
  for (const [index, column] of columns.entries()) {
    const cells = sample.map((row) => row[index] ?? "");
    // A column without values is hidden; the first column identifies the row.
    if (index > 0 && cells.every((cell) => cell === "")) continue;
    const longest = Math.max(widthOf(column), ...cells.map(widthOf));
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

/** Characters of a line: of the terminal, else of `COLUMNS`, else 80. */
export function lineWidth(env: (name: string) => string | undefined): number {
  if (Deno.stdout.isTerminal()) return Math.max(20, Deno.consoleSize().columns);
  const columns = Number(env("COLUMNS"));
  return Number.isInteger(columns) && columns >= 20 && columns <= 10_000 ? columns : 80;
}

/** Width of a text on a terminal, in columns. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of terminalText(text.slice(0, MAX_CHARACTERS))) width += characterWidth(character);
  return width;
}

/** Combining marks have no width; East Asian characters and pictures take two columns. */
function characterWidth(character: string): number {
  if (character < "\u0300") return 1;
  if (/^[\p{M}\u200b\u200c\u200d\ufe0f]$/u.test(character)) return 0;
  return /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]$/u
      .test(character)
    ? 2
    : 1;
}

function fit(text: string, width: number): string {
  if (NUMBER.test(text)) return text.padEnd(width);
  const shown = cutToWidth(text, width);
  return shown + " ".repeat(width - widthOf(shown));
}

/** A text without control characters, cut to a width, of which an ellipsis takes one column. */
export function cutToWidth(text: string, width: number): string {
  const characters = terminalText(text.slice(0, MAX_CHARACTERS));
  if (widthOf(characters) <= width) return characters;
  let shown = "";
  let used = 0;
  for (const character of characters) {
    const next = used + characterWidth(character);
    if (next > width - 1) break;
    shown += character;
    used = next;
  }
  return width < 1 ? "" : `${shown}…`;
}
