/**
 * Cells as a table sends them to the browser: what they show, what is searched in them, and how they are ordered.
 *
 * The functions of this folder run far from here: their source is written into the output (`table_code.ts`). They use
 * one another, `visible` and the writers of CSV by name, and neither constants of their modules nor anything else.
 */
import { visible } from "@seqreg/core/io/display";

/**
 * A cell: null, a number, a text, a text cut after some characters with its length, or of a sequence the marks of its
 * strip, its description and its first characters. Whole numbers beyond 2^53, NaN and infinities are texts.
 */
export type SentCell =
  | null
  | number
  | string
  | readonly [text: string, length: number]
  | readonly [marks: string, description: string, characters: string];

/** What a column holds, as filters and orders treat it. */
export type CellKind = "text" | "number" | "date" | "sequence";

/** Writes a number with all digits before the point, and at most seven significant ones or three after it. */
export function shortNumber(value: number): string {
  if (Number.isInteger(value) || !Number.isFinite(value)) return String(value);
  const whole = Math.max(0, Math.floor(Math.log10(Math.abs(value))) + 1);
  return String(Number(value.toPrecision(Math.max(7, whole + 3))));
}

/** The text of a cell that a search reaches. */
export function searchedText(cell: SentCell): string {
  if (cell === null) return "null";
  if (typeof cell !== "object") return String(cell);
  return cell.length === 2 ? cell[0] : cell[2];
}

/** The text that a cell shows; of a sequence the words for its strip. */
export function shownText(cell: SentCell): string {
  if (cell === null) return "null";
  if (typeof cell === "number") return shortNumber(cell);
  if (typeof cell === "string") return visible(cell);
  return cell.length === 2
    ? `${visible(cell[0])}… (${cell[1].toLocaleString("en")} characters)`
    : `${cell[1]}: ${visible(cell[2])}…`;
}

/** Identifies a value of a column. */
export function cellKey(cell: SentCell): string {
  return JSON.stringify(cell);
}

export function orderKey(cell: SentCell, kind: CellKind): number | bigint | string | null {
  if (cell === null) return null;
  if (kind !== "number") return searchedText(cell);
  if (typeof cell === "number") return cell;
  const text = searchedText(cell);
  return /^-?\d+$/.test(text) ? BigInt(text) : Number(text);
}

/** Orders rows by a column; null and NaN come last in either direction, equal rows stay as they are. */
export function orderRows(
  rows: readonly number[],
  cells: readonly SentCell[],
  kind: CellKind,
  direction: 1 | -1,
): number[] {
  const keyed = rows.map((row) => ({ row, key: orderKey(cells[row], kind) }));
  const isLast = (key: number | bigint | string | null) => key === null || Number.isNaN(key);
  keyed.sort((a, b) => {
    const last = Number(isLast(a.key)) - Number(isLast(b.key));
    if (last !== 0 || a.key === null || b.key === null) return last;
    return a.key < b.key ? -direction : a.key > b.key ? direction : 0;
  });
  return keyed.map(({ row }) => row);
}
