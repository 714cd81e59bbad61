/** What each row of a chunk holds, by the levels and the dictionary indices of its pages. */

/** A page of values, inflated, or its beginning. */
export interface ValuePage {
  /** Levels, then values. */
  readonly bytes: Uint8Array;
  /** Number of values, nulls among them. */
  readonly values: number;
  /** Whether values are dictionary indices. */
  readonly isIndexed: boolean;
}

const LENGTH_BYTES = 4;
/** Widest index that is read: dictionaries with more values are left to the engine. */
const MAX_WIDTH = 24;

/** What is counted: rows without a value, by their group. */
export interface EmptyCounts {
  /** Group of each row of the chunk. */
  readonly groupOf: Uint16Array;
  /** Counts by group, which are added to. */
  readonly empty: number[];
}

/** Counts rows without a value. @returns Whether these are all rows. */
export function countEmpty(pages: Iterable<ValuePage>, optional: boolean, { groupOf, empty }: EmptyCounts): boolean {
  let row = 0;
  for (const { bytes, values } of pages) {
    const groups = groupOf.subarray(row, row += values);
    if (optional) countZeros(bytes, LENGTH_BYTES, lengthEnd(bytes, 0), { groupOf: groups, empty });
  }
  return row === groupOf.length;
}

/** Counts rows without a list, empty or not. @returns Whether these are all rows. */
export function countEmptyLists(pages: Iterable<ValuePage>, { groupOf, empty }: EmptyCounts): boolean {
  let row = -1;
  for (const { bytes, values } of pages) {
    const repeated = new Uint32Array(values);
    const levels = new Uint32Array(values);
    readLevels(bytes, readLevels(bytes, 0, 1, repeated), 2, levels);
    for (let at = 0; at < values; at++) {
      if (repeated[at] !== 0) continue;
      row++;
      if (levels[at] === 0) empty[groupOf[row]]++;
    }
  }
  return row + 1 === groupOf.length;
}

/** Reads dictionary indices plus 1, or 0 for null. @returns Whether every value is in the dictionary. */
export function readIndices(pages: Iterable<ValuePage>, optional: boolean, into: Uint32Array): boolean {
  let row = 0;
  for (const { bytes, values, isIndexed } of pages) {
    if (!isIndexed) return false;
    const codes = into.subarray(row, row += values);
    const at = readPresent(bytes, optional, codes);
    let present = 0;
    for (let index = 0; index < values; index++) present += codes[index];
    const indices = new Uint32Array(present);
    if (present > 0) readRuns(bytes, at + 1, bytes.length, bytes[at], indices);
    for (let index = 0, next = 0; index < values; index++) {
      if (codes[index] === 1) codes[index] = indices[next++] + 1;
    }
  }
  return row === into.length;
}

/** Reads which of some rows have a value. @returns Where the values begin. */
function readPresent(bytes: Uint8Array, optional: boolean, into: Uint32Array): number {
  if (optional) return readLevels(bytes, 0, 1, into);
  into.fill(1);
  return 0;
}

/** Reads levels, which stand after their length in bytes. @returns Where they end. */
function readLevels(bytes: Uint8Array, at: number, width: number, into: Uint32Array): number {
  const end = lengthEnd(bytes, at);
  readRuns(bytes, at + LENGTH_BYTES, end, width, into);
  return end;
}

/** Where something ends that stands after its length. */
function lengthEnd(bytes: Uint8Array, at: number): number {
  return at + LENGTH_BYTES + new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at, true);
}

/** Counts levels of one bit that are 0, by group: as {@linkcode readRuns} reads them, and in a third of its time. */
function countZeros(bytes: Uint8Array, from: number, end: number, { groupOf, empty }: EmptyCounts): void {
  if (end > bytes.length) throw new RangeError("levels that are cut off");
  const rows = groupOf.length;
  for (let [at, row] = [from, 0]; row < rows;) {
    let head = 0;
    for (let shift = 0;; shift += 7) {
      if (at >= end || shift > 28) throw new RangeError("levels that are cut off");
      const byte = bytes[at++];
      head |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    const isPacked = (head & 1) === 1;
    const stop = Math.min(rows, row + (head >>> 1) * (isPacked ? 8 : 1));
    if (stop === row || at + (isPacked ? Math.ceil((stop - row) / 8) : 1) > end) {
      throw new RangeError("a run of nothing, or cut off");
    }
    if (!isPacked) {
      if (bytes[at++] === 0) { for (; row < stop; row++) empty[groupOf[row]]++; }
      row = stop;
      continue;
    }
    for (; row < stop; row += 8) {
      const byte = bytes[at++];
      if (byte === 255) continue;
      const last = Math.min(8, stop - row);
      for (let bit = 0; bit < last; bit++) if ((byte >> bit & 1) === 0) empty[groupOf[row + bit]]++;
    }
    row = stop;
  }
}

/** Reads numbers that are stored as runs of one and as groups of eight. Throws RangeError where they are cut off. */
function readRuns(bytes: Uint8Array, from: number, end: number, width: number, into: Uint32Array): void {
  if (end > bytes.length || width > MAX_WIDTH) throw new RangeError("numbers that are cut off, or too wide");
  const mask = (1 << width) - 1;
  let [at, done] = [from, 0];
  while (done < into.length) {
    let head = 0;
    for (let shift = 0;; shift += 7) {
      if (at >= end || shift > 28) throw new RangeError("numbers that are cut off");
      const byte = bytes[at++];
      head |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    if ((head & 1) === 0) {
      let value = 0;
      for (let byte = 0; byte * 8 < width; byte++) value |= bytes[at++] << byte * 8;
      const stop = Math.min(into.length, done + (head >>> 1));
      if (stop === done || at > end) throw new RangeError("a run of nothing, or cut off");
      into.fill(value, done, done = stop);
      continue;
    }
    const stop = Math.min(into.length, done + (head >>> 1) * 8);
    const next = at + (head >>> 1) * width;
    if (width === 1) {
      for (; done < stop; done += 8) {
        const byte = bytes[at++];
        const last = Math.min(8, stop - done);
        for (let bit = 0; bit < last; bit++) into[done + bit] = byte >> bit & 1;
      }
      done = stop;
    }
    for (let [left, held] = [0, 0]; done < stop; done++) {
      for (; left < width; left += 8) held |= bytes[at++] << left;
      into[done] = held & mask;
      held >>>= width;
      left -= width;
    }
    if (at > end) throw new RangeError("groups that are cut off");
    at = next;
  }
}
