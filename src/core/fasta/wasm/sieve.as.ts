// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * Finds the rows of a batch that must be examined, and duplicate ids, in AssemblyScript. Conventions: see `scan.as.ts`.
 *
 * A property test compares it with `PlainSieve` of its tests.
 *
 * ## Memory
 *
 *     slots | entries, growing to the end | room | the batch
 *
 * Ids are remembered during the whole read. Each has an *entry*: its hash and its length (u32 each), and its bytes,
 * padded to a multiple of four. Entries are stored in the order received. A *slot* holds the offset of an entry in
 * units of four bytes, plus one, or zero if it is free. The slot of an id is found by its hash, with linear probing.
 *
 * At least half of the slots are empty: when there are too few for a further batch, the entries are moved up, and all
 * slots are filled anew. The batch lies behind room enough for all of its ids.
 *
 * ## Speed
 *
 * Millions of ids do not fit the processor's cache, and memory takes long to answer; but it answers many questions in
 * the time of one. So what a few ids to come will be compared with is loaded ahead of them, for nothing but that.
 */

/** A header that holds bytes outside ASCII: its id is the caller's to compare. */
const NON_ASCII_MARK: u8 = 2;

const ENTRY_HEAD: usize = 8;
/** Ids are copied and compared in steps of eight: so many bytes behind them may be read, and written over. */
const STEP: usize = 8;
const FEWEST_SLOTS: u32 = 1 << 12;
/** Ids whose slots are loaded ahead of them. */
const AHEAD: u32 = 64;

/** How many values each header must hold; 0 when that is free. */
let values: u32 = 0;
let mostIds: u32 = 0;
let mostBytes: u32 = 0;

let slots: usize = 0;
let slotCount: u32 = 0;
let entries: usize = 0;
let entriesEnd: usize = 0;
let ids: u32 = 0;
let idBytes: u32 = 0;

/** Rows of the batch, and its columns: see `ScannedRows`. */
let rows: u32 = 0;
export let headerOffsets: usize = 0;
export let idLengths: usize = 0;
export let idHashes: usize = 0;
export let valueCounts: usize = 0;
export let headerMarks: usize = 0;
export let lengths: usize = 0;
export let invalidBytes: usize = 0;
export let headers: usize = 0;
/** Behind the batch: for an id that is not in it. */
export let spare: usize = 0;

/**
 * Result of the prefetch, which is not used; exported, so that the compiler keeps it. Rows up to `aheadRow` are loaded.
 */
export let aheadSum: u32 = 0;
let aheadRow: usize = 0;

/** Whether the id of the row that was found last came before. */
export let isDuplicate: bool = false;

/** Begins a reading that remembers so many ids and bytes of them, about. */
export function start(valuesOfHeader: u32, idLimit: u32, byteLimit: u32): void {
  values = valuesOfHeader;
  mostIds = idLimit;
  mostBytes = byteLimit;
  slots = (__heap_base + 15) & ~15;
  slotCount = FEWEST_SLOTS;
  entries = slots + (<usize> slotCount << 2);
  entriesEnd = entries;
  reach(entries);
}

/** Whether there were too many ids to remember. */
export function isOverfull(): bool {
  return ids >= mostIds || idBytes >= mostBytes;
}

/** Grows memory up to a pointer, and a little further. */
function reach(pointer: usize): void {
  const needed = pointer + STEP;
  const there = <usize> memory.size() << 16;
  if (needed > there && memory.grow(<i32> ((needed - there + 0xffff) >> 16)) < 0) unreachable();
}

function after(pointer: usize, bytes: usize): usize {
  return (pointer + bytes + STEP + 7) & ~7;
}

/** Makes room for a batch of so many rows, and for all of its ids, which may grow to `textBytes`. */
export function layout(rowCount: u32, headerBytes: u32, textBytes: u32): void {
  rows = rowCount;
  aheadRow = 0;
  if (slotCount < 2 * (ids + rows)) growSlots();
  const numbers = <usize> rows << 2;
  headerOffsets = after(entriesEnd, (ENTRY_HEAD + 4) * <usize> rows + textBytes);
  idLengths = after(headerOffsets, numbers + 4);
  idHashes = after(idLengths, numbers);
  valueCounts = after(idHashes, numbers);
  lengths = after(valueCounts, numbers);
  invalidBytes = after(lengths, 2 * numbers);
  headerMarks = after(invalidBytes, 2 * numbers);
  headers = after(headerMarks, rows);
  spare = after(headers, headerBytes);
  reach(spare);
}

/** Makes room for an id that is not in the batch. */
export function reserveSpare(bytes: u32): void {
  reach(spare + bytes);
}

function growSlots(): void {
  while (slotCount < 2 * (ids + rows)) slotCount <<= 1;
  const moved = slots + (<usize> slotCount << 2);
  reach(moved + (entriesEnd - entries));
  memory.copy(moved, entries, entriesEnd - entries);
  entriesEnd = moved + (entriesEnd - entries);
  entries = moved;
  memory.fill(slots, 0, entries - slots);
  let ahead = entries;
  for (let entry = entries; entry < entriesEnd; entry += entryBytes(load<u32>(entry, 4))) {
    if (entry === ahead) {
      for (let count: u32 = 0; count < AHEAD && ahead < entriesEnd; count++) {
        aheadSum += load<u32>(slotOf(load<u32>(ahead)));
        ahead += entryBytes(load<u32>(ahead, 4));
      }
    }
    let slot = slotOf(load<u32>(entry));
    while (load<u32>(slot) !== 0) slot = slotAfter(slot);
    store<u32>(slot, <u32> ((entry - entries) >> 2) + 1);
  }
}

/** The slot that a hash says. */
function slotOf(hash: u32): usize {
  return slots + (<usize> (hash & (slotCount - 1)) << 2);
}

/** The slot behind a slot; the first one behind the last. */
function slotAfter(slot: usize): usize {
  return slot + 4 === entries ? slots : slot + 4;
}

/** Loads what the ids of a few rows will be compared with. */
function loadAhead(row: usize): void {
  aheadRow = min<usize>(row + AHEAD, rows);
  for (let at = row; at < aheadRow; at++) {
    const taken = load<u32>(slotOf(load<u32>(idHashes + (at << 2))));
    aheadSum += load<u32>(entries + (<usize> (taken - <u32> (taken !== 0)) << 2));
  }
}

function entryBytes(length: u32): usize {
  return (ENTRY_HEAD + <usize> length + 3) & ~3;
}

/**
 * Finds the first row from `from` on that must be examined: with another number of values, with an unexpected
 * character, without a sequence or an id, with a mark, or with an id that came before. Ids are remembered on the way,
 * except where the number of values is wrong or the id may be no text.
 *
 * @returns The row, or the number of rows.
 */
export function next(from: u32): u32 {
  for (let row = <usize> from; row < rows; row++) {
    isDuplicate = false;
    if (row >= aheadRow) loadAhead(row);
    if (values !== 0 && load<u32>(valueCounts + (row << 2)) !== values) return <u32> row;
    const marks = load<u8>(headerMarks + row);
    const length = load<u32>(idLengths + (row << 2));
    if (length !== 0 && (marks & NON_ASCII_MARK) === 0) {
      const pointer = headers + <usize> load<u32>(headerOffsets + (row << 2));
      isDuplicate = seen(load<u32>(idHashes + (row << 2)), pointer, length);
    }
    if (isDuplicate || marks !== 0 || length === 0) return <u32> row;
    if (load<f64>(lengths + (row << 3)) === 0 || load<f64>(invalidBytes + (row << 3)) >= 0) return <u32> row;
  }
  return rows;
}

/** Remembers the id of `length` bytes at a pointer; returns whether it came before. */
export function seen(hash: u32, pointer: usize, length: u32): bool {
  let slot = slotOf(hash);
  for (let taken = load<u32>(slot); taken !== 0; taken = load<u32>(slot)) {
    const entry = entries + (<usize> (taken - 1) << 2);
    if (
      load<u32>(entry) === hash && load<u32>(entry, 4) === length && areEqual(entry + ENTRY_HEAD, pointer, length)
    ) return true;
    slot = slotAfter(slot);
  }
  if (isOverfull()) return false;
  store<u32>(slot, <u32> ((entriesEnd - entries) >> 2) + 1);
  store<u32>(entriesEnd, hash);
  store<u32>(entriesEnd, length, 4);
  for (let at: usize = 0; at < length; at += STEP) {
    store<u64>(entriesEnd + ENTRY_HEAD + at, load<u64>(pointer + at));
  }
  entriesEnd += entryBytes(length);
  ids += 1;
  idBytes += length;
  return false;
}

function areEqual(a: usize, b: usize, length: usize): bool {
  let at: usize = 0;
  for (; at + STEP <= length; at += STEP) if (load<u64>(a + at) !== load<u64>(b + at)) return false;
  for (; at < length; at++) if (load<u8>(a + at) !== load<u8>(b + at)) return false;
  return true;
}
