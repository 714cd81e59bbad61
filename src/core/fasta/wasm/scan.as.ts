// deno-lint-ignore-file no-import-assign no-unused-vars -- AssemblyScript assigns what it imports
// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * The fast FASTA scanner, in AssemblyScript: TypeScript's syntax, compiled to WebAssembly.
 *
 * What it does is what `_plain_scanner.ts` does, which is the reference; a property test holds the two together. Build
 * it with `deno task wasm`.
 *
 * ## For a reader who has never seen WebAssembly
 *
 * There is one piece of memory, an array of bytes, and numbers called pointers are offsets in it. `load<u8>(p)` reads
 * the byte at `p`, `store<f64>(p, x)` writes eight bytes there. A `v128` holds 16 bytes at once: `v128.load(p)` takes
 * them from memory, and every `i8x16` operation works on all 16 in one step. `i8x16.eq(a, b)` gives a mask: 0xFF where
 * two bytes are equal, 0 elsewhere. As a signed number 0xFF is -1, so subtracting a mask counts its hits, byte by byte.
 *
 * ## Memory
 *
 *     constants | columns of rows | input | headers | sequences, growing to the end
 *
 * The caller puts bytes into the input and calls `scanCounting` or `scanKeeping` with their pointer; the columns then
 * hold the records that are complete. Row `rows` is the record that is still open.
 *
 * ## Files
 *
 * - `scan.as.ts`, this one: the two ways through a text;
 * - `scan_state.as.ts`: memory, and what is kept from call to call;
 * - `scan_header.as.ts`: headers, for both ways;
 * - `scan_counting.as.ts` and `scan_keeping.as.ts`: sequences, in blocks;
 * - `scan_bytes.as.ts`: sequences, byte by byte, for what no block could take;
 * - `scan_vectors.as.ts`: constants and questions for sixteen bytes at once.
 *
 * ## States
 *
 * Between two bytes there are three: in a header; in a sequence at the beginning of a line; in a sequence within a
 * line. They survive from call to call, so that the input may be cut anywhere.
 *
 *     within ──LF──▶ beginning ──'>'──▶ header ──LF──▶ beginning
 *                        │ ';'  stop: the caller reads that line
 *                        └ other byte ──▶ within
 *
 * ## Speed
 *
 * Nearly all bytes of a FASTA are A, C, G, T and line feeds. So a sequence is looked at in blocks:
 *
 * - a *clean* block holds nothing but A, C, G, T, U (either case) and line feeds: G and C and line feeds are counted in
 *   16 byte-wide counters each, which are summed up before they can overflow at 256, and a table tells both at once;
 * - a *mixed* block holds other bases too: what is not one of the five is ambiguous;
 * - any other block is looked at 16 bytes at a time, and what is not clean then is read byte by byte, with a table that
 *   says what each byte is.
 *
 * Constants of 16 bytes are loaded from memory once a call: written as literals, V8 builds them anew in every turn.
 */
import { scanBytes } from "./scan_bytes.as.ts";
import { countBlocks, countSteps } from "./scan_counting.as.ts";
import { endHeader, scanHeader } from "./scan_header.as.ts";
import { keepLines } from "./scan_keeping.as.ts";
import {
  atLineStart,
  BLOCK,
  closeRecord,
  fault,
  GREATER,
  inHeader,
  isFull,
  isOpen,
  length,
  maxSequenceBytes,
  openRecord,
  SEMICOLON,
  textOffset,
} from "./scan_state.as.ts";

export {
  ambiguousCounts,
  classes,
  clear,
  fault,
  gcCounts,
  headerLength,
  headerMarks,
  headerOffsets,
  headers,
  idHashes,
  idLengths,
  input,
  invalidBases,
  invalidBytes,
  invalidLines,
  isFull,
  layout,
  lengths,
  line,
  lines,
  reserve,
  rows,
  sequenceLength,
  sequenceOffsets,
  sequences,
  skipLines,
  starts,
  valueCounts,
} from "./scan_state.as.ts";
export { useHeaders } from "./scan_header.as.ts";

/**
 * Scans the bytes from `from` up to `to` without keeping bases; `offset` is the offset in the text of the
 * byte at `from`.
 *
 * @returns Where it stopped: `to`, a `;` or a `>` that begins a line, or anywhere with `fault` set.
 */
export function scanCounting(from: usize, to: usize, offset: f64): usize {
  textOffset = offset - <f64> from;
  let p = from;
  while (p < to && fault === 0) {
    if (inHeader) p = scanHeader(p, to);
    else if (atLineStart && load<u8>(p) === SEMICOLON) break;
    else if (atLineStart && load<u8>(p) === GREATER) {
      closeRecord();
      if (fault !== 0 || isFull()) break;
      openRecord(p);
      p += 1;
    } else {
      p = countBlocks(p, to);
      p = countSteps(p, min(p + BLOCK, to));
      p = scanBytes(p, min(p + 16, to), false);
    }
  }
  return p;
}

/** As `scanCounting`, and keeps the bases. The caller has made room for `to - from` of them. */
export function scanKeeping(from: usize, to: usize, offset: f64): usize {
  textOffset = offset - <f64> from;
  let p = from;
  while (p < to && fault === 0) {
    if (inHeader) p = scanHeader(p, to);
    else if (atLineStart && load<u8>(p) === SEMICOLON) break;
    else if (atLineStart && load<u8>(p) === GREATER) {
      closeRecord();
      if (fault !== 0 || isFull()) break;
      openRecord(p);
      p += 1;
    } else {
      p = keepLines(p, to);
      p = scanBytes(p, min(p + 16, to), true);
    }
  }
  if (isOpen && <f64> length > maxSequenceBytes) fault = 2;
  return p;
}

/** Ends the text. */
export function finish(): void {
  if (inHeader) endHeader();
  closeRecord();
}
