// deno-lint-ignore-file prefer-const -- AssemblyScript assigns what it imports
// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/** Lists: their items, and the levels that say which list an item is of. See `columns.as.ts`. */
import { CR, LF, putBits, putVarint } from "./columns_bytes.as.ts";
import { firstCell, isValid, nextCell, rows } from "./columns_memory.as.ts";

const SEMICOLON: u8 = 59;

/** The list column whose items are laid out; -1 for none. */
export let list: i32 = -1;

export let itemStart: i32 = 0;
export let itemEnd: i32 = 0;

function isBlank(byte: u8): bool {
  return byte === 32 || byte === 9 || byte === LF || byte === CR;
}

/** Finds the next item of a list: a text before a semicolon or the end, without blanks around it, if anything is left. */
export function nextItem(from: i32, end: i32): i32 {
  for (let place = from; place < end;) {
    let stop = place;
    while (stop < end && load<u8>(stop) !== SEMICOLON) stop++;
    itemStart = place;
    itemEnd = stop;
    while (itemStart < itemEnd && isBlank(load<u8>(itemStart))) itemStart++;
    while (itemEnd > itemStart && isBlank(load<u8>(itemEnd - 1))) itemEnd--;
    place = stop + 1;
    if (itemStart < itemEnd) return place;
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
