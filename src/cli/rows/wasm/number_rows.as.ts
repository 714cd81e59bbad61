// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * Rows of texts and numbers as the bytes of TSV, in AssemblyScript. Conventions: see `scan.as.ts` of the room fasta.
 *
 * Equivalent to `tests/cli/rows/_plain_rows.ts`, the reference; a property test compares them.
 *
 * ## Memory
 *
 *     column descriptions, columns, output buffer: allocated by the caller for each batch
 *
 * A description is four 32-bit numbers: the kind of the column and up to three offsets. There are three kinds:
 *
 * - text: bytes (checked by `isPlain`), the start of each row in them (i32), lengths (i32);
 * - integer: integers of at least 0 (f64);
 * - share: parts (f64), wholes (f64), what to subtract from the wholes (f64).
 */

const TEXT: u32 = 0;
const INTEGER: u32 = 1;

const TAB: u8 = 9;
const LF: u8 = 10;
const DOT: u8 = 46;
const ZERO: u8 = 48;

/** Bytes of a description. */
const DESCRIPTION: usize = 16;
/** Bytes of the longest number, and of the separator after a cell. */
const MOST_NUMBER_BYTES: u32 = 32;
/** A text is copied in steps of 16: up to 15 bytes after it may be read and overwritten. */
const OVERSHOOT: usize = 16;

/** Sixteen times the first printable byte, and sixteen times the number of printable bytes; sixteen backslashes. */
const FIRST_PRINTABLE: usize = memory.data<u8>([32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32], 16);
const PRINTABLE: usize = memory.data<u8>([95, 95, 95, 95, 95, 95, 95, 95, 95, 95, 95, 95, 95, 95, 95, 95], 16);
const BACKSLASHES: usize = memory.data<u8>([92, 92, 92, 92, 92, 92, 92, 92, 92, 92, 92, 92, 92, 92, 92, 92], 16);

/** Offset of the next allocation. */
let free: usize = 0;
/** End of the rows that were written last. */
export let written: usize = 0;

/** Frees all memory. */
export function clear(): void {
  free = (__heap_base + 15) & ~15;
}

/** Allocates memory; its offset is stable until all is freed. */
export function allot(bytes: u32): usize {
  const place = free;
  free = (place + bytes + OVERSHOOT + 15) & ~15;
  const there = <usize> memory.size() << 16;
  if (free > there && memory.grow(<i32> ((free - there + 0xffff) >> 16)) < 0) unreachable();
  return place;
}

/** Whether `bytes` bytes at an offset are all printable ASCII without backslash: TSV holds them without escapes. */
export function isPlain(place: usize, bytes: u32): bool {
  const first = v128.load(FIRST_PRINTABLE);
  const printable = v128.load(PRINTABLE);
  const backslashes = v128.load(BACKSLASHES);
  for (let at: usize = 0; at < bytes; at += 16) {
    const text = v128.load(place + at);
    const odd = v128.or(i8x16.ge_u(i8x16.sub(text, first), printable), i8x16.eq(text, backslashes));
    // Mask of the requested bytes: the last load may reach beyond them.
    const own = bytes - at >= 16 ? 0xffff : (1 << <i32> (bytes - at)) - 1;
    if ((i8x16.bitmask(odd) & own) !== 0) return false;
  }
  return true;
}

/** Maximum bytes of a row. */
function mostBytes(columns: usize, count: u32, row: usize): u32 {
  let bytes: u32 = 0;
  const end = columns + DESCRIPTION * <usize> count;
  for (let column = columns; column < end; column += DESCRIPTION) {
    bytes += MOST_NUMBER_BYTES;
    if (load<u32>(column) === TEXT) bytes += load<u32>(<usize> load<u32>(column, 12) + (row << 2));
  }
  return bytes;
}

/** Maximum bytes of the longest of the first `rows` rows. */
export function longestRow(columns: usize, count: u32, rows: u32): u32 {
  let longest: u32 = 0;
  for (let row: u32 = 0; row < rows; row++) longest = max(longest, mostBytes(columns, count, row));
  return longest;
}

/**
 * Writes rows from `from` on at offset `at`; rows that might not end before `limit` are left. `columns` is the offset
 * of `count` descriptions.
 *
 * @returns The first row that was not written, or `to`; `written` is where they end.
 */
export function writeRows(columns: usize, count: u32, from: u32, to: u32, at: usize, limit: usize): u32 {
  const end = columns + DESCRIPTION * <usize> count;
  let out = at;
  let row = from;
  for (; row < to && out + mostBytes(columns, count, row) <= limit; row++) {
    for (let column = columns; column < end; column += DESCRIPTION) {
      out = writeCell(column, row, out);
      store<u8>(out, TAB);
      out += 1;
    }
    store<u8>(out - 1, LF);
  }
  written = out;
  return row;
}

function writeCell(column: usize, row: usize, out: usize): usize {
  const kind = load<u32>(column);
  const first = <usize> load<u32>(column, 4);
  const second = <usize> load<u32>(column, 8);
  const third = <usize> load<u32>(column, 12);
  if (kind === TEXT) {
    const begin = first + <usize> load<u32>(second + (row << 2));
    const length = <usize> load<u32>(third + (row << 2));
    for (let done: usize = 0; done < length; done += 16) v128.store(out + done, v128.load(begin + done));
    return out + length;
  }
  const number = load<f64>(first + (row << 3));
  if (kind === INTEGER) return writeInteger(out, <u64> number);
  return writeShare(out, number, load<f64>(second + (row << 3)) - load<f64>(third + (row << 3)));
}

/** Writes an integer. */
function writeInteger(out: usize, value: u64): usize {
  let digits: u32 = 1;
  for (let rest = value / 10; rest > 0; rest /= 10) digits += 1;
  writeDigits(out, value, digits);
  return out + digits;
}

/** Writes the last digits of an integer. */
function writeDigits(out: usize, value: u64, digits: u32): void {
  let rest = value;
  for (let place = out + digits - 1; place >= out; place--) {
    const tens = rest / 10;
    store<u8>(place, ZERO + <u8> (rest - 10 * tens));
    rest = tens;
  }
}

/**
 * Writes a share with six decimals; empty if the divisor is 0. Ties round to even; all binary digits of the share
 * decide whether it is a tie.
 */
function writeShare(out: usize, part: f64, whole: f64): usize {
  if (whole === 0) return out;
  const share = part / whole;
  const product = share * 1e6;
  const floor = Math.floor(product);
  let millionths = <u64> floor;
  // Distance of the product from the tie; if it is zero, the rounding error of the product decides.
  let beyond = product - floor - 0.5;
  if (beyond === 0) beyond = roundedOff(share, product);
  if (beyond > 0 || beyond === 0 && (millionths & 1) === 1) millionths += 1;
  store<u8>(out, ZERO + <u8> (millionths / 1000000));
  store<u8>(out + 1, DOT);
  writeDigits(out + 2, millionths, 6);
  return out + 8;
}

/**
 * The rounding error of a million shares: exact product minus rounded product. Halves of a share, 27 and 26 bits, are
 * exact.
 */
function roundedOff(share: f64, product: f64): f64 {
  const shifted = share * 134217729;
  const high = shifted - (shifted - share);
  return high * 1e6 - product + (share - high) * 1e6;
}
