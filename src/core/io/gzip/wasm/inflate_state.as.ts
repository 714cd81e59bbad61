// deno-lint-ignore-file prefer-const -- AssemblyScript assigns what it imports
// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/** What an inflater keeps from call to call, and how it takes bits. See `inflate.as.ts`. */

// --------------------------------------------------------------------------------------------- why `inflate` comes
// back

/** It needs more input, or room for more output; or the text has ended. */
export const NEEDS_INPUT: i32 = 0;
export const NEEDS_ROOM: i32 = 1;
export const ENDED: i32 = 2;
/** What is wrong: see `../gzip_inflater.ts` for the words. */
export const BAD_BLOCK_KIND: i32 = 3;
export const BAD_STORED_LENGTH: i32 = 4;
export const BAD_CODES: i32 = 5;
export const BAD_SYMBOL: i32 = 6;
export const BAD_DISTANCE: i32 = 7;
/** Not a reason: continue with the next state. */
export const GOES_ON: i32 = -1;

// -------------------------------------------------------------------------------------------------------------- state

export const HEADER: u32 = 0;
export const SYMBOLS: u32 = 1;
export const STORED: u32 = 2;

/** Where the next byte of input is, and the end of the input. */
export let inputPlace: usize = 0;
export let inputEnd: usize = 0;
/** Where the next byte of text goes, and the end of the room for it. */
export let outputPlace: usize = 0;
export let outputEnd: usize = 0;
/** Where the earliest byte lies that a distance may reach. */
export let windowBegin: usize = 0;

export let state: u32 = HEADER;
export let isLast: bool = false;
export let storedBytes: u32 = 0;
/** Bits that have been taken from the input and not been used: the next one is the lowest. */
export let bits: u64 = 0;
export let bitCount: u32 = 0;

/** Returns whole bytes that were taken and not used back to the input: the next may be elsewhere. */
export function giveBack(): void {
  inputPlace -= <usize> (bitCount >> 3);
  bitCount &= 7;
  bits &= (<u64> 1 << bitCount) - 1;
}

/** Takes bits if they are there. */
export function hasBits(count: u32): bool {
  while (bitCount < count) {
    if (inputPlace >= inputEnd) return false;
    bits |= <u64> load<u8>(inputPlace) << bitCount;
    inputPlace += 1;
    bitCount += 8;
  }
  return true;
}

export function take(count: u32): u32 {
  const value = <u32> bits & ((1 << count) - 1);
  bits >>= count;
  bitCount -= count;
  return value;
}
