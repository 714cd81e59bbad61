/** The rows of a table on their way to the browser: column by column as JSON, compressed where they are many. */
import process from "node:process";
import type { ShownValue } from "./_cell_text.ts";
import type { SentCell } from "./in_browser/cells.ts";
import { sequenceStrip } from "./sequence_strip.ts";

/** Rows that are sent at least, where there are as many and they are not too large. */
export const LEAST_ROWS = 1000;
/** Rows that are sent at most: a browser holds and searches them all. */
export const MOST_ROWS = 100_000;
/** Bytes of compressed rows beyond the first 1,000. */
const MOST_COMPRESSED_BYTES = 200_000;
/** Bytes of compressed rows in any case: of very wide rows fewer than 1,000 are sent. */
const MOST_BYTES = 1_000_000;
/** Characters of JSON up to which rows are sent as they are. */
const MOST_PLAIN_CHARACTERS = 16_000;
/** Attempts to come nearer to as many rows as fit. */
const MOST_ATTEMPTS = 6;
/** Characters of a cell that are sent, for less and less room. */
const REACHABLE = [180, 64, 24] as const;
/** Where there are few rows, more of each is sent. */
const FEW_ROWS = 50;
const REACHABLE_OF_FEW = 2000;
export const STRIP_CHARACTERS = 24;

export interface SentRows {
  /** How many rows there are. */
  readonly count: number;
  /** Columns of values as JSON, or the base64 of their zlib stream. */
  readonly text: string;
  readonly isCompressed: boolean;
  /** Characters of a cell that are sent at most. */
  readonly reachable: number;
  /** Whether a cell has more characters than are sent. */
  readonly isCut: boolean;
}

export interface RowsToSend {
  readonly rows: readonly (readonly ShownValue[])[];
  readonly columns: number;
  /** Column of sequences; -1 without one. */
  readonly strip: number;
}

/** Packs as many rows as fit in 200 kB compressed, and at least the first 1,000 that fit in 1 MB. */
export function packRows(content: RowsToSend): SentRows {
  const available = Math.min(content.rows.length, MOST_ROWS);
  const least = Math.min(available, LEAST_ROWS);
  const [first, ...tighter] = available <= FEW_ROWS ? [REACHABLE_OF_FEW, ...REACHABLE] : REACHABLE;
  let cells = new ColumnCells(content, first);
  let best = cells.pack(least);
  for (const reachable of tighter) {
    if (bytesOf(best) <= MOST_COMPRESSED_BYTES) break;
    cells = new ColumnCells(content, reachable);
    best = cells.pack(least);
  }
  while (bytesOf(best) > MOST_BYTES && best.count > 1) {
    best = cells.pack(Math.max(1, Math.floor(best.count * Math.min(0.9, MOST_BYTES / bytesOf(best)))));
  }
  let tooMany = available + 1;
  for (let attempt = 0; attempt < MOST_ATTEMPTS && best.count < available; attempt++) {
    const count = Math.min(available, tooMany - 1, Math.floor(best.count * MOST_COMPRESSED_BYTES / bytesOf(best)));
    if (count <= best.count * 1.01) break;
    const packed = cells.pack(count);
    if (bytesOf(packed) <= MOST_COMPRESSED_BYTES) best = packed;
    else tooMany = Math.max(best.count + 1, Math.floor(count * MOST_COMPRESSED_BYTES / bytesOf(packed) * 0.995) + 1);
  }
  return best;
}

/**
 * Estimates how many rows are worth reading for a table of which the first ones have been read: somewhat more than fit.
 *
 * @param first The first 1,000 rows.
 */
export function rowsWorthReading(first: RowsToSend, total: number): number {
  if (first.rows.length >= total || first.rows.length < LEAST_ROWS) return first.rows.length;
  const packed = new ColumnCells(first, REACHABLE[0]).pack(first.rows.length);
  const fitting = Math.ceil(packed.count * MOST_COMPRESSED_BYTES / bytesOf(packed) * 1.25);
  return Math.min(total, MOST_ROWS, Math.max(fitting, first.rows.length));
}

/** Bytes of packed rows once they are compressed; of few rows fewer than fit. */
function bytesOf({ text, isCompressed }: SentRows): number {
  return isCompressed ? text.length * 3 / 4 : Math.min(text.length, MOST_PLAIN_CHARACTERS);
}

/** Cells as JSON, made once however often they are packed. */
class ColumnCells {
  readonly #content: RowsToSend;
  readonly #reachable: number;
  readonly #cells: string[][];
  #made = 0;
  #isCut = false;

  constructor(content: RowsToSend, reachable: number) {
    this.#content = content;
    this.#reachable = reachable;
    this.#cells = Array.from({ length: content.columns }, () => []);
  }

  pack(count: number): SentRows {
    const { rows } = this.#content;
    for (; this.#made < count; this.#made++) {
      for (const [index, cells] of this.#cells.entries()) {
        cells.push(JSON.stringify(this.#sentCell(rows[this.#made][index], index)));
      }
    }
    const columns = this.#cells.map((cells) => `[${(cells.length > count ? cells.slice(0, count) : cells).join(",")}]`);
    const json = `[${columns.join(",")}]`;
    const shared = { count, reachable: this.#reachable, isCut: this.#isCut };
    return json.length <= MOST_PLAIN_CHARACTERS
      ? { ...shared, text: escapeJson(json), isCompressed: false }
      : { ...shared, text: deflateBase64(json), isCompressed: true };
  }

  #sentCell(value: ShownValue, index: number): SentCell {
    if (value === null || value === undefined) return null;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    const text = String(value);
    if (index === this.#content.strip && typeof value === "string") {
      const { marks, description } = sequenceStrip(value);
      return [marks, description, value.slice(0, STRIP_CHARACTERS)];
    }
    if (text.length <= this.#reachable) return text;
    this.#isCut = true;
    return [text.slice(0, this.#reachable).toWellFormed(), text.length];
  }
}

/**
 * Writes JSON so that it can stand in a script: no value ends the script, and control characters and direction marks
 * are escaped.
 */
export function escapeJson(json: string): string {
  return json.replace(
    /[<\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * Compresses at once: a display is a value, not a promise. `node:zlib` is loaded only then, since it costs start-up.
 */
export function deflateBase64(text: string): string {
  return process.getBuiltinModule("node:zlib").deflateSync(text).toString("base64");
}
