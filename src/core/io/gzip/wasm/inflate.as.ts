// deno-lint-ignore-file no-import-assign prefer-const -- AssemblyScript assigns what it imports
// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * Inflates DEFLATE (RFC 1951), in AssemblyScript: TypeScript's syntax, compiled to WebAssembly. `node:zlib` is the
 * reference; a property test holds the two together. Build it with `deno task wasm`.
 *
 * ## For a reader who has never seen WebAssembly
 *
 * Memory is one array of bytes, and pointers are offsets in it: `load<u32>(p)` reads four bytes at `p`. The caller
 * writes compressed bytes into memory, passes their offset (`giveInput`) and that of the output (`giveOutput`), and
 * calls `inflate`, which returns the reason why it stopped. It may stop anywhere in a block and resume with the next
 * call: a symbol is consumed only when all of its bits are available.
 *
 * ## DEFLATE in five lines
 *
 * A text is cut into blocks. A block begins with the codes that it uses: how many bits stand for each symbol, a
 * frequent one few. Then come symbols: a byte; or a length and a distance, which mean "the bytes that far back, so many
 * of them"; or the end of the block. Bits are read from the lowest of each byte on. A block may instead be stored as it
 * is.
 *
 * ## States
 *
 *     header ──codes──▶ symbols ──end of block──▶ header (or the end of the text, after the last block)
 *        └───stored───▶ stored ──all copied─────▶ header
 *
 * ## Speed
 *
 * A table maps the next 11 bits to everything that they encode: up to four bytes, then possibly a length, then possibly
 * its distance. In a genome most symbols are one of four bases or a short length, so one look-up often replaces three.
 * All rows are handled alike, to avoid branches: four bytes are written even if fewer count, then 16 bytes are copied
 * even if the row has no length; later output overwrites the excess. The remaining branches are rare: the row is `ODD`
 * (its distance is not in the row) or `RARE` (end of block, a long or an invalid code); the copy overlaps itself or is
 * long. Rare symbols are looked up in the plain table of single symbols.
 *
 * ## Files
 *
 * - `inflate.as.ts`, this one: what the caller calls, symbols, stored blocks;
 * - `inflate_state.as.ts`: what is kept from call to call, and how bits are taken;
 * - `inflate_header.as.ts`: headers of blocks;
 * - `inflate_tables.as.ts`: the tables that tell what bits mean.
 */
import { readHeader } from "./inflate_header.as.ts";
import {
  BAD_DISTANCE,
  BAD_SYMBOL,
  bitCount,
  bits,
  ENDED,
  giveBack,
  GOES_ON,
  hasBits,
  HEADER,
  inputEnd,
  inputPlace,
  isLast,
  NEEDS_INPUT,
  NEEDS_ROOM,
  outputEnd,
  outputPlace,
  state,
  STORED,
  storedBytes,
  SYMBOLS,
  windowBegin,
} from "./inflate_state.as.ts";
import {
  DISTANCE_BITS,
  distanceTable,
  distanceValues,
  EXCEPTION,
  FIRST_BITS,
  firstTable,
  LITERAL,
  ODD,
  RARE,
  SUBTABLE,
  SYMBOL_BITS,
  symbolTable,
} from "./inflate_tables.as.ts";

export { inputPlace, outputPlace } from "./inflate_state.as.ts";

/** The first free address, for what the caller puts into memory. */
export function freeMemory(): usize {
  return (__heap_base + 63) & ~63;
}

/** Begins a text. */
export function begin(): void {
  state = HEADER;
  isLast = false;
  bits = 0;
  bitCount = 0;
  windowBegin = outputPlace;
}

/** Sets where input is. There must be 16 bytes of memory behind it. */
export function giveInput(from: usize, to: usize): void {
  inputPlace = from;
  inputEnd = to;
}

/** Sets where texts go, and how far back from there they reach. There must be 320 bytes of memory behind the room. */
export function giveOutput(from: usize, to: usize, history: usize): void {
  windowBegin = from - history;
  outputPlace = from;
  outputEnd = to;
}

/** Bytes of the text so far before the next one: what a distance may reach. */
export function historyBytes(): usize {
  return outputPlace - windowBegin;
}

/** Inflates until input or room are used up, or the text ends; says which. */
export function inflate(): i32 {
  let reason = GOES_ON;
  while (reason === GOES_ON) {
    if (state === SYMBOLS) reason = readSymbols();
    else if (state === STORED) reason = copyStored();
    else reason = isLast ? ENDED : readHeader();
  }
  giveBack();
  return reason;
}

// -------------------------------------------------------------------------------------------------------- stored
// blocks

function copyStored(): i32 {
  giveBack();
  const count = min<usize>(storedBytes, min(inputEnd - inputPlace, outputEnd - outputPlace));
  memory.copy(outputPlace, inputPlace, count);
  inputPlace += count;
  outputPlace += count;
  storedBytes -= <u32> count;
  if (storedBytes === 0) {
    state = HEADER;
    return GOES_ON;
  }
  return outputPlace === outputEnd ? NEEDS_ROOM : NEEDS_INPUT;
}

// ------------------------------------------------------------------------------------------------------------- symbols

/** Bytes of input that one turn of the fast loop may look at, and bytes of text that it may write. */
const FAST_INPUT: usize = 32;
const FAST_OUTPUT: usize = 8 + 258;
const FIRST_MASK: u32 = (1 << FIRST_BITS) - 1;
const SYMBOL_MASK: u32 = (1 << SYMBOL_BITS) - 1;
const DISTANCE_MASK: u32 = (1 << DISTANCE_BITS) - 1;

function readSymbols(): i32 {
  let reason = GOES_ON;
  while (reason === GOES_ON && state === SYMBOLS) {
    const isRoomy = inputEnd - inputPlace >= FAST_INPUT && outputEnd - outputPlace >= FAST_OUTPUT;
    reason = isRoomy ? readFast() : readOne();
  }
  return reason;
}

/** What the first table says of bits. */
function entryOf(held: u64): u64 {
  return load<u64>(<usize> (<u32> held & FIRST_MASK) << 3, firstTable);
}

/** Reads symbols as long as there is plenty of input and room, so that neither must be looked at for each. */
function readFast(): i32 {
  const inputLimit = inputEnd - FAST_INPUT;
  const outputLimit = outputEnd - FAST_OUTPUT;
  const earliest = windowBegin;
  let input = inputPlace;
  let out = outputPlace;
  let held = bits;
  let count: u64 = bitCount;
  let reason = GOES_ON;
  // Fills up to at least 56 bits: enough for a length of 20 that stands in the plain table and a distance of 28, or for
  // what a row tells, 24 at most, and the look behind it.
  held |= load<u64>(input) << count;
  input += <usize> ((63 - count) >> 3);
  count |= 56;
  let entry = entryOf(held);
  while (true) {
    store<u32>(out, <u32> (entry >> 32));
    const rest = <u32> entry;
    out += rest >> 13 & 7;
    let before = <u32> held;
    // A shift takes the lowest six bits of its count, or five of a number of 32 bits, and no others.
    held >>= entry;
    count -= entry & 63;
    let length = rest >> 16 & 511;
    let distance: u32;
    if (rest < ODD) {
      const values = <usize> (rest >> 22 & 0xf8);
      distance = load<u32>(values, distanceValues) + (before >> (rest >> 8) & load<u32>(values, distanceValues + 4));
    } else {
      if (rest & RARE) {
        // One symbol of the plain table: a length, a byte with a long code, the end of the block, or no code at all.
        let symbol = load<u32>(<usize> (<u32> held & SYMBOL_MASK) << 2, symbolTable);
        if (symbol & SUBTABLE) {
          held >>= SYMBOL_BITS;
          count -= SYMBOL_BITS;
          const within = <u32> held & ((1 << (symbol >> 8 & 63)) - 1);
          symbol = load<u32>(<usize> ((symbol >> 16) + within) << 2, symbolTable);
        }
        if (symbol === 0) {
          reason = BAD_SYMBOL;
          break;
        }
        before = <u32> held;
        const used = symbol & 63;
        held >>= used;
        count -= <u64> used;
        if (symbol & LITERAL) {
          store<u8>(out, <u8> (symbol >> 16));
          out += 1;
          if (input > inputLimit || out > outputLimit) break;
          held |= load<u64>(input) << count;
          input += <usize> ((63 - count) >> 3);
          count |= 56;
          entry = entryOf(held);
          continue;
        }
        if (symbol & EXCEPTION) {
          state = HEADER;
          break;
        }
        length = (symbol >> 16) + ((before & ((1 << used) - 1)) >> (symbol >> 8 & 63));
      } else length += (before & ((1 << (rest & 63)) - 1)) >> (rest >> 8);
      let symbol = load<u32>(<usize> (<u32> held & DISTANCE_MASK) << 2, distanceTable);
      if (symbol & SUBTABLE) {
        held >>= DISTANCE_BITS;
        count -= DISTANCE_BITS;
        const within = <u32> held & ((1 << (symbol >> 8 & 63)) - 1);
        symbol = load<u32>(<usize> ((symbol >> 16) + within) << 2, distanceTable);
      }
      if (symbol === 0) {
        reason = BAD_SYMBOL;
        break;
      }
      distance = (symbol >> 16) + ((<u32> held & ((1 << (symbol & 63)) - 1)) >> (symbol >> 8 & 63));
      held >>= symbol;
      count -= <u64> (symbol & 63);
      held |= load<u64>(input) << count;
      input += <usize> ((63 - count) >> 3);
      count |= 56;
    }

    const from = out - <usize> distance;
    const to = out;
    if (<isize> from < <isize> earliest) {
      reason = BAD_DISTANCE;
      break;
    }
    out += <usize> length;
    // The next look-up runs while the bytes are copied.
    entry = entryOf(held);
    if (distance >= length || distance >= 16) {
      v128.store(to, v128.load(from));
      for (let done: usize = 16; done < <usize> length; done += 16) v128.store(to + done, v128.load(from + done));
    } else copyNear(from, to, out, distance);
    // Neither is 2 GiB away from its limit: one of the upper bits tells that it is beyond. One jump is quicker than
    // two.
    if (<i32> ((inputLimit - input) | (outputLimit - out)) < 0) break;
    held |= load<u64>(input) << count;
    input += <usize> ((63 - count) >> 3);
    count |= 56;
  }
  inputPlace = input;
  outputPlace = out;
  bits = held;
  bitCount = <u32> count;
  // Bits of `held` above those that are counted belong to the input, to which this returns.
  giveBack();
  return reason;
}

/** Copies bytes that are so near that the copy reads what it has just written. */
function copyNear(from: usize, to: usize, end: usize, distance: u32): void {
  if (distance === 1) {
    const same = i8x16.splat(load<u8>(from));
    for (let pointer = to; pointer < end; pointer += 16) v128.store(pointer, same);
  } else if (distance >= 8) {
    for (let pointer = to, source = from; pointer < end; pointer += 8, source += 8) {
      store<u64>(pointer, load<u64>(source));
    }
  } else {
    for (let pointer = to, source = from; pointer < end; pointer += 1, source += 1) {
      store<u8>(pointer, load<u8>(source));
    }
  }
}

/** Reads one symbol, if all of it is there and there is room for what it means. */
function readOne(): i32 {
  // 48 bits: a length takes 20 at most, a distance 28.
  const isWhole = hasBits(48);
  let held = bits;
  let used: u32 = 0;
  let symbol = load<u32>(symbolTable + (<usize> (<u32> held & SYMBOL_MASK) << 2));
  if (symbol & SUBTABLE) {
    used = SYMBOL_BITS;
    held >>= SYMBOL_BITS;
    const within = <u32> held & ((1 << (symbol >> 8 & 63)) - 1);
    symbol = load<u32>(symbolTable + (<usize> ((symbol >> 16) + within) << 2));
  }
  // Bits that are not there are zeros: what they seem to say counts only when it needs none of them.
  if (symbol === 0) return isWhole || bitCount >= 15 ? BAD_SYMBOL : NEEDS_INPUT;
  used += symbol & 255;
  if (used > bitCount) return NEEDS_INPUT;
  if (symbol & LITERAL) {
    if (outputPlace === outputEnd) return NEEDS_ROOM;
    store<u8>(outputPlace, <u8> (symbol >> 16));
    outputPlace += 1;
    take64(used);
    return GOES_ON;
  }
  if (symbol & EXCEPTION) {
    take64(used);
    state = HEADER;
    return GOES_ON;
  }
  const length = (symbol >> 16) + ((<u32> held & ((1 << (symbol & 255)) - 1)) >> (symbol >> 8 & 63));
  held >>= symbol & 255;
  symbol = load<u32>(distanceTable + (<usize> (<u32> held & DISTANCE_MASK) << 2));
  if (symbol & SUBTABLE) {
    used += DISTANCE_BITS;
    held >>= DISTANCE_BITS;
    const within = <u32> held & ((1 << (symbol >> 8 & 63)) - 1);
    symbol = load<u32>(distanceTable + (<usize> ((symbol >> 16) + within) << 2));
  }
  if (symbol === 0) return isWhole || bitCount >= used + 15 ? BAD_SYMBOL : NEEDS_INPUT;
  used += symbol & 255;
  if (used > bitCount) return NEEDS_INPUT;
  const distance = (symbol >> 16) + ((<u32> held & ((1 << (symbol & 255)) - 1)) >> (symbol >> 8 & 63));
  if (<usize> distance > outputPlace - windowBegin) return BAD_DISTANCE;
  if (<usize> length > outputEnd - outputPlace) return NEEDS_ROOM;
  for (let end = outputPlace + length; outputPlace < end; outputPlace += 1) {
    store<u8>(outputPlace, load<u8>(outputPlace - distance));
  }
  take64(used);
  return GOES_ON;
}

function take64(count: u32): void {
  bits >>= count;
  bitCount -= count;
  giveBack();
}
