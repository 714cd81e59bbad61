// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/** Returns whether a cell is written as its kind is printed: such a cell needs no second look. See `rows.as.ts`. */

const MINUS: u8 = 45;
const POINT: u8 = 46;
const ZERO: u8 = 48;

const QUOTE: u8 = 34;
const SEMICOLON: u8 = 59;

/** Kinds of columns; other columns are dates. All cells of a text column are plain. */
export const INTEGER: u8 = 1;
const FLOAT: u8 = 2;
const BOOLEAN: u8 = 3;
/**
 * Kinds while types are inferred: whole numbers of four digits, which may be years, and of up to 15, which floats hold.
 */
const YEAR: u8 = 6;
const SHORT_INTEGER: u8 = 7;
/** Every cell is of interest. */
const ANYTHING: u8 = 8;
/** A list, of which only a JSON array and a text that may say that it is missing are not canonical. */
const ITEMS: u8 = 9;

const BRACKET: u8 = 91;

/** Bytes of a list that are looked at for a second item. */
const LIST_BYTES: i32 = 64;

function isDigit(byte: u8): bool {
  return byte - 48 < 10;
}

/** Number of digits from a pointer on, before `end`. */
function digitsAt(pointer: i32, end: i32): i32 {
  let to = pointer;
  while (to < end && isDigit(load<u8>(to))) to++;
  return to - pointer;
}

/** A whole number as it is printed, of at most 18 digits. */
function isPlainInteger(start: i32, end: i32): bool {
  const from = load<u8>(start) === MINUS ? start + 1 : start;
  const digits = digitsAt(from, end);
  if (digits === 0 || digits > 18 || from + digits !== end) return false;
  return load<u8>(from) !== ZERO || (digits === 1 && from === start);
}

/**
 * A number as it is printed: at most 15 digits, no needless zeros, not so small that it is printed with an exponent.
 */
function isPlainFloat(start: i32, end: i32): bool {
  const from = load<u8>(start) === MINUS ? start + 1 : start;
  const whole = digitsAt(from, end);
  if (whole === 0 || (whole > 1 && load<u8>(from) === ZERO)) return false;
  const point = from + whole;
  if (point === end) return whole <= 15 && (load<u8>(from) !== ZERO || from === start);
  const fraction = digitsAt(point + 1, end);
  if (load<u8>(point) !== POINT || fraction === 0 || point + 1 + fraction !== end) return false;
  if (whole + fraction > 15 || load<u8>(end - 1) === ZERO) return false;
  return load<u8>(from) !== ZERO || fraction < 5 || load<u32>(point + 1) !== 0x30303030;
}

/** `true` or `false`. */
function isPlainBoolean(start: i32, end: i32): bool {
  const length = end - start;
  if (length === 4) return load<u32>(start) === 0x65757274;
  return length === 5 && load<u32>(start) === 0x736c6166 && load<u8>(start + 4) === 101;
}

function twoDigits(pointer: i32): i32 {
  const high = load<u8>(pointer);
  const low = load<u8>(pointer + 1);
  return isDigit(high) && isDigit(low) ? (high - 48) * 10 + (low - 48) : -1;
}

/** A year, a month or a day that every month has, written YYYY, YYYY-MM or YYYY-MM-DD. */
function isPlainDate(start: i32, end: i32): bool {
  const length = end - start;
  if (length !== 10 && length !== 7 && length !== 4) return false;
  if (digitsAt(start, start + 4) !== 4 || load<u32>(start) === 0x30303030) return false;
  if (length === 4) return true;
  const month = twoDigits(start + 5);
  if (load<u8>(start + 4) !== MINUS || month < 1 || month > 12) return false;
  if (length === 7) return true;
  const day = twoDigits(start + 8);
  return load<u8>(start + 7) === MINUS && day >= 1 && day <= 28;
}

/** A year from 1000 on. */
function isPlainYear(start: i32, end: i32): bool {
  return end - start === 4 && digitsAt(start, end) === 4 && load<u8>(start) !== ZERO;
}

/** Whether a word for a missing value may begin with two characters; the second is 0 if it is absent. */
function beginsMissing(first: u8, second: u8): bool {
  if (first === MINUS || first === POINT || first === 63) return true;
  const small = first | 32;
  const next = second | 32;
  // na, no, nu, n/; un; mi; re; xx.
  if (small === 110) return next === 97 || next === 111 || next === 117 || second === 47;
  if (small === 117) return next === 110;
  if (small === 120) return next === 120;
  return small === 109 ? next === 105 : small === 114 && next === 101;
}

/**
 * A list that is neither a JSON array nor a word for a missing value: as its beginning shows, or since it has two
 * items.
 */
function isPlainItems(start: i32, end: i32): bool {
  const from = load<u8>(start) === QUOTE ? start + 1 : start;
  const first = load<u8>(from);
  if (first <= 32 || first >= 128 || first === BRACKET) return false;
  if (!beginsMissing(first, from + 1 < end ? load<u8>(from + 1) : 0)) return true;
  const stop = from + LIST_BYTES < end ? from + LIST_BYTES : end;
  for (let pointer = from + 1; pointer < stop; pointer++) {
    const byte = load<u8>(pointer);
    if (byte >= 128) return false;
    if (byte === SEMICOLON) return true;
  }
  return false;
}

/** Whether the cell from `start` to `end` is written plainly as its kind. */
export function isPlain(kind: u8, start: i32, end: i32): bool {
  if (kind === INTEGER) return isPlainInteger(start, end);
  if (kind === FLOAT) return isPlainFloat(start, end);
  if (kind === YEAR) return isPlainYear(start, end);
  if (kind === ANYTHING) return false;
  if (kind === SHORT_INTEGER) return end - start <= 15 && isPlainInteger(start, end);
  if (kind === BOOLEAN) return isPlainBoolean(start, end);
  return kind === ITEMS ? isPlainItems(start, end) : isPlainDate(start, end);
}
