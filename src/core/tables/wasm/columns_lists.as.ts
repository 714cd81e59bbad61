// deno-lint-ignore-file prefer-const -- AssemblyScript assigns what it imports
// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/** Lists: their items, and the levels that say which list an item is of. See `columns.as.ts`. */
import { putBits, putVarint } from "./columns_bytes.as.ts";
import { firstCell, isValid, nextCell, rows } from "./columns_memory.as.ts";

const SEMICOLON: u8 = 59;

/** The list column whose items are laid out; -1 for none. */
export let list: i32 = -1;

export let itemStart: i32 = 0;
export let itemEnd: i32 = 0;

/** Bytes of the white space that begins at a pointer: Unicode's property White_Space in UTF-8; 0 for anything else. */
function blankAt(pointer: i32, end: i32): i32 {
  const byte = load<u8>(pointer);
  if (byte < 0x80) return byte === 32 || (byte >= 9 && byte <= 13) ? 1 : 0;
  if (byte === 0xc2 && pointer + 1 < end) {
    const next = load<u8>(pointer + 1);
    return next === 0x85 || next === 0xa0 ? 2 : 0;
  }
  if ((byte !== 0xe1 && byte !== 0xe2 && byte !== 0xe3) || pointer + 2 >= end) return 0;
  const second = load<u8>(pointer + 1);
  const third = load<u8>(pointer + 2);
  if (byte === 0xe1) return second === 0x9a && third === 0x80 ? 3 : 0;
  if (byte === 0xe3) return second === 0x80 && third === 0x80 ? 3 : 0;
  if (second === 0x81) return third === 0x9f ? 3 : 0;
  const isSpace = third <= 0x8a || third === 0xa8 || third === 0xa9 || third === 0xaf;
  return second === 0x80 && third >= 0x80 && isSpace ? 3 : 0;
}

/** Bytes of the white space that ends at a pointer. */
function blankBefore(pointer: i32, start: i32): i32 {
  for (let bytes = 1; bytes <= 3 && pointer - bytes >= start; bytes++) {
    if (blankAt(pointer - bytes, pointer) === bytes) return bytes;
    if (load<u8>(pointer - 1) < 0x80) return 0;
  }
  return 0;
}

/**
 * Finds the next item of a list: a text before a semicolon or the end, without white space around it, if anything is
 * left.
 */
export function nextItem(from: i32, end: i32): i32 {
  for (let pointer = from; pointer < end;) {
    let stop = pointer;
    while (stop < end && load<u8>(stop) !== SEMICOLON) stop++;
    itemStart = pointer;
    itemEnd = stop;
    let blank = 0;
    while (itemStart < itemEnd && (blank = blankAt(itemStart, itemEnd)) !== 0) itemStart += blank;
    while (itemEnd > itemStart && (blank = blankBefore(itemEnd, itemStart)) !== 0) itemEnd -= blank;
    pointer = stop + 1;
    if (itemStart < itemEnd) return pointer;
  }
  return -1;
}

export let listEntries: i32 = 0;

/** Writes where lists begin, one bit an item, and what of a list is there, two bits: none, an empty one, an item. */
export function putListLevels(to: i32): i32 {
  const repeatBytes = (listEntries + 7) >> 3;
  const definedBytes = (listEntries + 3) >> 2;
  const repeats = putVarint((<u32> repeatBytes << 1) | 1, to + 4);
  store<i32>(to, repeats + repeatBytes - to - 4);
  const second = repeats + repeatBytes;
  const defined = putVarint((<u32> ((definedBytes + 1) >> 1) << 1) | 1, second + 4);
  // A group of eight levels takes two bytes.
  const end = defined + ((definedBytes + 1) & ~1);
  store<i32>(second, end - second - 4);
  memory.fill(repeats, 0, repeatBytes);
  memory.fill(defined, 0, end - defined);
  let entry = 0;
  let cell = firstCell(list);
  for (let row = 0; row < rows; row++) {
    if (!isValid(list, row)) {
      entry++;
      continue;
    }
    const last = cell + 4 + load<i32>(cell);
    let items = 0;
    for (let next = nextItem(cell + 4, last); next >= 0; next = nextItem(next, last)) {
      putBits(defined, entry * 2, 3);
      if (items !== 0) putBits(repeats, entry, 1);
      items++;
      entry++;
    }
    if (items === 0) putBits(defined, entry++ * 2, 1);
    cell = nextCell(list, cell);
  }
  return end;
}
