/**
 * Rows as bytes in plain TypeScript: the reference for the module.
 */
import { formatShare } from "../../../src/cli/rows/decimals.ts";
import { HELD_BYTES, MOST_NUMBER_BYTES, type RowCell, type RowWriter } from "../../../src/cli/rows/row_cell.ts";

const TAB = 9;
const LF = 10;
const DOT = 46;
const ZERO = 48;
const BACKSLASH = 92;

/** Writes rows in plain TypeScript. */
export class PlainRows implements RowWriter {
  #bytes = new Uint8Array(HELD_BYTES);

  write(rows: number, cells: readonly RowCell[]): Generator<Uint8Array> | undefined {
    const isHeld = cells.every((cell) => cell.kind !== "bytes" || cell.data.every(isPlain));
    return isHeld ? this.#write(rows, cells) : undefined;
  }

  *#write(rows: number, cells: readonly RowCell[]): Generator<Uint8Array> {
    // Short programs end before this code is optimised, so it is written for an interpreter: no fields, no
    // iterators.
    const writers = cells.map(writerOf);
    const texts = cells.flatMap((cell) => cell.kind === "bytes" ? [cell.lengths] : []);
    const count = writers.length;
    let bytes = this.#bytes;
    let room = bytes.length;
    let at = 0;
    for (let row = 0; row < rows; row++) {
      let most = MOST_NUMBER_BYTES * count;
      for (let text = 0; text < texts.length; text++) most += texts[text][row];
      if (at + most > room) {
        yield bytes.subarray(0, at);
        at = 0;
        if (most > room) bytes = this.#bytes = new Uint8Array(room = 2 * most);
      }
      for (let cell = 0; cell < count; cell++) {
        at = writers[cell](bytes, at, row);
        bytes[at++] = TAB;
      }
      bytes[at - 1] = LF;
    }
    if (at > 0) yield bytes.subarray(0, at);
  }
}

function isPlain(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f && byte !== BACKSLASH;
}

/** Writes the cell of a row at an offset; returns the offset after it. */
type CellWriter = (out: Uint8Array, at: number, row: number) => number;

function writerOf(cell: RowCell): CellWriter {
  if (cell.kind === "bytes") {
    const { data, starts, lengths } = cell;
    return (out, at, row) => copyBytes(out, at, data, starts[row], lengths[row]);
  }
  if (cell.kind === "integer") {
    const { values } = cell;
    return (out, at, row) => writeInteger(out, at, values[row]);
  }
  const { parts, wholes, others } = cell;
  return (out, at, row) => writeShare(out, at, parts[row], wholes[row] - others[row]);
}

function copyBytes(out: Uint8Array, at: number, data: Uint8Array, start: number, length: number): number {
  const end = at + length;
  while (at < end) out[at++] = data[start++];
  return end;
}

/** Writes an integer of at least 0. */
function writeInteger(out: Uint8Array, at: number, value: number): number {
  if (value > 0x7fff_ffff) return writeText(out, at, String(value));
  let digits = 1;
  for (let bound = 10; bound <= value; bound *= 10) digits += 1;
  writeDigits(out, at, value, digits);
  return at + digits;
}

/** Writes the given number of digits of an integer below 2^31. */
function writeDigits(out: Uint8Array, at: number, value: number, digits: number): void {
  let rest = value | 0;
  for (let place = at + digits - 1; place >= at; place--) {
    const tens = rest / 10 | 0;
    out[place] = ZERO + rest - 10 * tens;
    rest = tens;
  }
}

/** Writes the same as {@linkcode formatShare}. */
function writeShare(out: Uint8Array, at: number, part: number, whole: number): number {
  if (whole === 0) return at;
  const share = part / whole;
  const millionths = share * 1e6;
  const floor = Math.floor(millionths);
  const rest = millionths - floor;
  // A possible tie, which must be rounded by all digits of the share, is rare.
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
