// deno-lint-ignore-file no-import-assign no-unused-vars -- AssemblyScript assigns what it imports
// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/** Reads the headers of blocks, and of the codes that they use. See `inflate.as.ts`. */
import {
  BAD_BLOCK_KIND,
  BAD_CODES,
  BAD_STORED_LENGTH,
  bitCount,
  bits,
  giveBack,
  GOES_ON,
  hasBits,
  inputPlace,
  isLast,
  NEEDS_INPUT,
  state,
  STORED,
  storedBytes,
  SYMBOLS,
  take,
} from "./inflate_state.as.ts";
import { buildFixed, buildTables } from "./inflate_tables.as.ts";

/** Order in which the lengths of the code for lengths come. */
const LENGTH_ORDER: usize = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);
/** Lengths of the codes of 286 symbols and 30 distances, of which a run may write 138 at once. */
const codeLengths: usize = memory.data(320 + 138);
/** Lengths of the codes of 19 lengths, and the table of 7 bits that these make: symbol × 256 + bits. */
const orderLengths: usize = memory.data(32);
const orderTable: usize = memory.data(128 * 2);

/** Reads the header of a block: all of it or, when the input ends in it, nothing. */
export function readHeader(): i32 {
  giveBack();
  const start = inputPlace;
  const oldBits = bits;
  const oldCount = bitCount;
  const reason = tryHeader();
  if (reason === NEEDS_INPUT) {
    inputPlace = start;
    bits = oldBits;
    bitCount = oldCount;
  }
  return reason;
}

function tryHeader(): i32 {
  if (!hasBits(3)) return NEEDS_INPUT;
  const last = take(1) !== 0;
  const kind = take(2);
  let reason = BAD_BLOCK_KIND;
  if (kind === 0) reason = readStoredHeader();
  else if (kind === 1) {
    buildFixed();
    state = SYMBOLS;
    reason = GOES_ON;
  } else if (kind === 2) reason = readCodes();
  if (reason === GOES_ON) isLast = last;
  return reason;
}

function readStoredHeader(): i32 {
  take(bitCount & 7);
  if (!hasBits(32)) return NEEDS_INPUT;
  const count = take(16);
  if ((count ^ take(16)) !== 0xffff) return BAD_STORED_LENGTH;
  storedBytes = count;
  state = STORED;
  return GOES_ON;
}

/** Reads the lengths of the codes, which are coded themselves, and builds the tables. */
function readCodes(): i32 {
  if (!hasBits(14)) return NEEDS_INPUT;
  const symbols = take(5) + 257;
  const distances = take(5) + 1;
  const orders = take(4) + 4;
  if (symbols > 286 || distances > 30) return BAD_CODES;
  memory.fill(orderLengths, 0, 19);
  for (let order: u32 = 0; order < orders; order++) {
    if (!hasBits(3)) return NEEDS_INPUT;
    store<u8>(orderLengths + load<u8>(LENGTH_ORDER + order), <u8> take(3));
  }
  if (!buildOrders()) return BAD_CODES;
  const reason = readLengths(symbols + distances);
  if (reason !== GOES_ON) return reason;
  const hasEnd = load<u8>(codeLengths + 256) !== 0;
  if (!hasEnd || !buildTables(codeLengths, symbols, codeLengths + symbols, distances)) return BAD_CODES;
  state = SYMBOLS;
  return GOES_ON;
}

/** Builds the table of the code for lengths; false if the code is invalid. */
function buildOrders(): bool {
  let code: u32 = 0;
  for (let length: u32 = 1; length <= 7; length++) {
    for (let symbol: u32 = 0; symbol < 19; symbol++) {
      if (load<u8>(orderLengths + symbol) !== length) continue;
      if (code >= 128) return false;
      // Codes come with their first bit highest, the table is asked with it lowest.
      const step: u32 = 1 << length;
      for (let entry = reversed(code >> (7 - length), length); entry < 128; entry += step) {
        store<u16>(orderTable + (entry << 1), <u16> (symbol << 8 | length));
      }
      code += 128 >> length;
    }
  }
  return code === 128;
}

function reversed(code: u32, length: u32): u32 {
  let result: u32 = 0;
  for (let bit: u32 = 0; bit < length; bit++) result |= (code >> bit & 1) << (length - 1 - bit);
  return result;
}

/** Reads lengths of codes: one as it is, or a run of the one before, or of zeros. */
function readLengths(count: u32): i32 {
  let at: u32 = 0;
  while (at < count) {
    // What is longest takes 7 bits of code and 7 for the run.
    hasBits(14);
    const entry = load<u16>(orderTable + (<usize> (bits & 127) << 1));
    const used: u32 = entry & 255;
    const symbol: u32 = entry >> 8;
    const extra: u32 = symbol === 16 ? 2 : symbol === 17 ? 3 : symbol === 18 ? 7 : 0;
    if (used + extra > bitCount) return NEEDS_INPUT;
    take(used);
    if (symbol < 16) {
      store<u8>(codeLengths + at, <u8> symbol);
      at += 1;
      continue;
    }
    if (symbol === 16 && at === 0) return BAD_CODES;
    const run = take(extra) + (symbol === 18 ? 11 : 3);
    if (at + run > count) return BAD_CODES;
    memory.fill(codeLengths + at, symbol === 16 ? load<u8>(codeLengths + at - 1) : 0, run);
    at += run;
  }
  return GOES_ON;
}
