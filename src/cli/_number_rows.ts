/**
 * Writes rows of ids and numbers as the bytes of TSV.
 *
 * Fifty thousand short rows cost more as texts than the reading of half a gigabyte: so digits are written as bytes.
 */
import { formatShare } from "./_decimals.ts";
import type { Output } from "./_output.ts";

const TAB = 9;
const LF = 10;
const DOT = 46;
const ZERO = 48;
/** Bytes that are held back until they are written. */
const HELD_BYTES = 1 << 17;
/** Bytes of the longest number, and the tab or line feed behind it. */
const MOST_NUMBER_BYTES = 32;

/** What stands in one column. */
export type RowCell =
  /** The beginning of a text: `data[starts[row]]`, so many bytes. */
  | { readonly kind: "bytes"; readonly data: Uint8Array; readonly starts: Int32Array; readonly lengths: Int32Array }
  | { readonly kind: "integer"; readonly values: Float64Array }
  /** `parts` of `wholes`, with six decimals; nothing where there is no whole. */
  | { readonly kind: "share"; readonly parts: Float64Array; readonly wholes: (row: number) => number };

/** Writes rows, each cell of which is a column's. */
export class NumberRows {
  readonly #output: Output;
  #bytes = new Uint8Array(HELD_BYTES);
  #at = 0;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Writes rows; the bytes that cells point to must not hold a tab, a line feed, a carriage return or a backslash. */
  async write(rows: number, cells: readonly RowCell[]): Promise<void> {
    for (let row = 0; row < rows; row++) {
      let most = MOST_NUMBER_BYTES * cells.length;
      for (const cell of cells) if (cell.kind === "bytes") most += cell.lengths[row];
      if (this.#at + most > this.#bytes.length) await this.#makeRoom(most);
      for (const cell of cells) this.#writeCell(cell, row);
      this.#bytes[this.#at - 1] = LF;
    }
    await this.#flush();
  }

  #writeCell(cell: RowCell, row: number): void {
    if (cell.kind === "bytes") {
      this.#at = copyBytes(this.#bytes, this.#at, cell.data, cell.starts[row], cell.lengths[row]);
    } else if (cell.kind === "integer") this.#at = writeInteger(this.#bytes, this.#at, cell.values[row]);
    else this.#at = writeShare(this.#bytes, this.#at, cell.parts[row], cell.wholes(row));
    this.#bytes[this.#at++] = TAB;
  }

  async #makeRoom(bytes: number): Promise<void> {
    await this.#flush();
    if (bytes > this.#bytes.length) this.#bytes = new Uint8Array(2 * bytes);
  }

  async #flush(): Promise<void> {
    const bytes = this.#bytes.subarray(0, this.#at);
    this.#at = 0;
    if (bytes.length > 0) await this.#output.write(bytes);
  }
}

function copyBytes(out: Uint8Array, at: number, data: Uint8Array, start: number, length: number): number {
  for (let index = 0; index < length; index++) out[at + index] = data[start + index];
  return at + length;
}

/** Writes a whole number of at least 0. */
function writeInteger(out: Uint8Array, at: number, value: number): number {
  if (value > 0x7fff_ffff) return writeText(out, at, String(value));
  let digits = 1;
  for (let bound = 10; bound <= value; bound *= 10) digits += 1;
  writeDigits(out, at, value, digits);
  return at + digits;
}

/** Writes so many digits of a whole number below 2^31. */
function writeDigits(out: Uint8Array, at: number, value: number, digits: number): void {
  let rest = value | 0;
  for (let place = at + digits - 1; place >= at; place--) {
    const tens = rest / 10 | 0;
    out[place] = ZERO + rest - 10 * tens;
    rest = tens;
  }
}

/** Writes what {@linkcode formatShare} does. */
function writeShare(out: Uint8Array, at: number, part: number, whole: number): number {
  if (whole === 0) return at;
  const share = part / whole;
  const millionths = share * 1e6;
  const floor = Math.floor(millionths);
  const rest = millionths - floor;
  // What may be a tie, to be rounded by all digits of the share, is rare.
  if (rest > 0.499999 && rest < 0.500001) return writeText(out, at, formatShare(share));
  const rounded = rest > 0.5 ? floor + 1 : floor;
  out[at] = rounded >= 1e6 ? ZERO + 1 : ZERO;
  out[at + 1] = DOT;
  writeDigits(out, at + 2, rounded >= 1e6 ? rounded - 1e6 : rounded, 6);
  return at + 8;
}

function writeText(out: Uint8Array, at: number, text: string): number {
  for (let index = 0; index < text.length; index++) out[at + index] = text.charCodeAt(index);
  return at + text.length;
}
