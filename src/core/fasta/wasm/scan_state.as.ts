// deno-lint-ignore-file prefer-const -- AssemblyScript assigns what it imports
// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * What a scan keeps between two bytes: where its memory is, what the open record has counted so far, which records are
 * complete. See `scan.as.ts` for the whole.
 */

export const LF: u8 = 10;
export const CR: u8 = 13;
export const GREATER: u8 = 62;
export const SEMICOLON: u8 = 59;

/** Bytes that are counted at a time; there is as much room behind each piece of memory, since a block may overshoot. */
export const BLOCK: usize = 64;

// ------------------------------------------------------------------------------------------------------------- memory

/** Class of each byte: the caller writes the table of `bases.ts` here. */
export let classes: usize = memory.data(256, 16);

/** Columns of the rows; see `layout`. */
export let headerOffsets: usize = 0;
export let idLengths: usize = 0;
export let idHashes: usize = 0;
export let valueCounts: usize = 0;
export let headerMarks: usize = 0;
export let sequenceOffsets: usize = 0;
export let lengths: usize = 0;
export let gcCounts: usize = 0;
export let ambiguousCounts: usize = 0;
export let lines: usize = 0;
export let starts: usize = 0;
export let invalidBases: usize = 0;
export let invalidLines: usize = 0;
export let invalidBytes: usize = 0;
/** Where the bytes of headers, the input and the bases of sequences lie. */
export let headers: usize = 0;
export let input: usize = 0;
export let sequences: usize = 0;

let maxRows: u32 = 0;
let fullBytes: u32 = 0;
export let maxHeaderBytes: u32 = 0;
export let maxSequenceBytes: f64 = 0;

function allot(from: usize, bytes: usize): usize {
  return (from + bytes + 63) & ~63;
}

/** Lays out memory for batches of at most `batchRows` records. `maxSequence` is infinite when bases are not kept. */
export function layout(batchRows: u32, batchBytes: u32, headerBytes: u32, maxSequence: f64, inputBytes: u32): void {
  maxRows = batchRows;
  fullBytes = batchBytes;
  maxHeaderBytes = headerBytes;
  maxSequenceBytes = maxSequence;
  const numbers = <usize> batchRows * 8 + 8;
  headerOffsets = allot(__heap_base, 0);
  idLengths = allot(headerOffsets, numbers);
  idHashes = allot(idLengths, numbers);
  valueCounts = allot(idHashes, numbers);
  headerMarks = allot(valueCounts, numbers);
  sequenceOffsets = allot(headerMarks, numbers);
  lengths = allot(sequenceOffsets, numbers);
  gcCounts = allot(lengths, numbers);
  ambiguousCounts = allot(gcCounts, numbers);
  lines = allot(ambiguousCounts, numbers);
  starts = allot(lines, numbers);
  invalidLines = allot(starts, numbers);
  invalidBytes = allot(invalidLines, numbers);
  invalidBases = allot(invalidBytes, numbers);
  input = allot(invalidBases, batchRows + 1);
  headers = allot(input, inputBytes + BLOCK);
  // A batch of headers is full at `batchBytes`; one more header may be under way, and a piece of input past its limit.
  sequences = allot(headers, <usize> batchBytes + headerBytes + inputBytes + BLOCK);
  reserve(0);
}

/** Makes room for bases behind those that are kept. */
export function reserve(more: u32): void {
  const needed = sequences + sequenceLength + more + BLOCK;
  const there = <usize> memory.size() << 16;
  if (needed <= there) return;
  // Twice as much, so that a giant record is not copied again and again; at most what WebAssembly can hold.
  const wanted = min<usize>(max<usize>(needed, sequences + 2 * (<usize> sequenceLength + more)), 0xffff0000);
  if (memory.grow(<i32> ((wanted - there + 0xffff) >> 16)) < 0) unreachable();
}

// -------------------------------------------------------------------------------------------------------------- state

/** Records that are complete. */
export let rows: u32 = 0;
/** Whether a record is open: its row is `rows`. */
export let isOpen: bool = false;
/** Bytes of headers and bases of sequences in the batch. */
export let headerLength: u32 = 0;
export let sequenceLength: u32 = 0;
/** Line of the next byte, counted from 1. */
export let line: f64 = 1;
/** 0, or what the limit was that the open record broke: 1 its header's, 2 its sequence's. */
export let fault: u32 = 0;

export let inHeader: bool = false;
export let atLineStart: bool = true;
/** Offset in the text of the byte at pointer 0, so that an offset is this plus a pointer. */
export let textOffset: f64 = 0;
/** Counts of the open record. */
export let length: u64 = 0;
export let gcCount: u64 = 0;
export let ambiguous: u64 = 0;

/** Whether the batch is full: no record is open, and no further one fits. */
export function isFull(): bool {
  return !isOpen && (rows >= maxRows || headerLength >= fullBytes || sequenceLength >= fullBytes);
}

/** Begins a new batch, once the rows of this one have been taken. */
export function clear(): void {
  rows = 0;
  headerLength = 0;
  sequenceLength = 0;
}

/** Begins a record, whose `>` is at a pointer. */
export function openRecord(pointer: usize): void {
  const row = <usize> rows;
  store<f64>(lines + (row << 3), line);
  store<f64>(starts + (row << 3), textOffset + <f64> pointer);
  store<f64>(invalidBytes + (row << 3), -1);
  length = 0;
  gcCount = 0;
  ambiguous = 0;
  isOpen = true;
  inHeader = true;
  atLineStart = false;
}

/** Completes the open record, unless its sequence is too long. */
export function closeRecord(): void {
  if (!isOpen) return;
  const row = <usize> rows;
  store<f64>(lengths + (row << 3), <f64> length);
  store<f64>(gcCounts + (row << 3), <f64> gcCount);
  store<f64>(ambiguousCounts + (row << 3), <f64> ambiguous);
  if (<f64> length > maxSequenceBytes) {
    fault = 2;
    return;
  }
  isOpen = false;
  rows += 1;
  store<u32>(sequenceOffsets + (<usize> rows << 2), sequenceLength);
}

/** Notes the first byte of a record that is not a sequence character. */
export function noteInvalid(byte: u8, pointer: usize): void {
  const row = <usize> rows;
  if (load<f64>(invalidBytes + (row << 3)) >= 0) return;
  store<u8>(invalidBases + row, byte);
  store<f64>(invalidLines + (row << 3), line);
  store<f64>(invalidBytes + (row << 3), textOffset + <f64> pointer);
}

/** Counts lines that the caller has read itself. */
export function skipLines(count: f64): void {
  line += count;
}
