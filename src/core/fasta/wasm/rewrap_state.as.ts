// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/** Memory, and what is kept from call to call. See `rewrap.as.ts`. */

export const LF: u8 = 10;
export const GREATER: u8 = 62;
export const SEMICOLON: u8 = 59;

// ------------------------------------------------------------------------------------------------------------- memory

export let classes: usize = 0;
export let input: usize = 0;
export let output: usize = 0;
/** Where the caller lays the template: see `rewrap_header.as.ts`. */
export let template: usize = 0;

/** Columns of the rows of a run. */
export let headerEnds: usize = 0;
export let idLengths: usize = 0;
export let idHashes: usize = 0;
export let valueCounts: usize = 0;
export let lengths: usize = 0;
export let lines: usize = 0;
export let starts: usize = 0;
export let invalidLines: usize = 0;
export let invalidBytes: usize = 0;
export let invalidBases: usize = 0;
/** Headers of the rows, one after the other. */
export let headers: usize = 0;

/**
 * What is kept from call to call, as sixteen f64 that the caller reads and sets, which is quicker than to ask for each:
 *
 * 0. where the output ends;
 * 1. bases on the line that is being written;
 * 2. bases of the sequence so far;
 * 3. line ends that the last call of `rewrap` has passed;
 * 4. pointer to its first byte that is not a sequence character, or 0;
 * 5. line ends that it had passed before that byte;
 * 6. whether the input is at the beginning of a line: 1 or 0.
 *
 * What the caller says to `scanRecords`:
 *
 * 7. line of the first byte, counted from 1; afterwards of the byte where it stopped;
 * 8. offset in the text of the first byte;
 * 9. offset in the output at or after which no record begins;
 * 10. rows that it may fill; afterwards those that it has;
 * 11. bytes of headers after which no record begins; afterwards the bytes written;
 * 12. bytes of headers that the caller has of rows before.
 */
export let state: usize = 0;

let end: usize = 0;

/** Takes so many bytes of memory, and some that are read or written past them. */
function allot(bytes: usize): usize {
  const begin = end;
  end = (begin + bytes + 64 + 63) & ~63;
  return begin;
}

/** Makes room for what is read, what is written, a template, and the rows of a run with the bytes of their headers. */
export function layout(inputBytes: u32, outputBytes: u32, templateBytes: u32, rows: u32, headerBytes: u32): void {
  end = (__heap_base + 63) & ~63;
  state = allot(128);
  classes = allot(256);
  input = allot(inputBytes);
  output = allot(outputBytes);
  template = allot(templateBytes);
  headerEnds = allot(rows << 2);
  idLengths = allot(rows << 2);
  idHashes = allot(rows << 2);
  valueCounts = allot(rows << 2);
  lengths = allot(rows << 3);
  lines = allot(rows << 3);
  starts = allot(rows << 3);
  invalidLines = allot(rows << 3);
  invalidBytes = allot(rows << 3);
  invalidBases = allot(rows);
  headers = allot(headerBytes);
  const there = <usize> memory.size() << 16;
  if (end > there && memory.grow(<i32> ((end - there + 0xffff) >> 16)) < 0) unreachable();
}
