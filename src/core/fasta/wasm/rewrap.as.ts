// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * FASTA with lines of any length to plain FASTA with lines of one length, in AssemblyScript. How to read it: see
 * `scan.as.ts`.
 *
 * What it does to sequences is what `PlainRewrapRoutines` of its tests does, and what it does to headers is
 * what `_rewrap_scanner.ts` and `_header_writer.ts` do; a property test holds them together.
 *
 * ## Memory
 *
 *     constants | state | classes | input | output | template | columns of rows | headers
 *
 * Each part has the size passed to `layout`, plus padding, since sixteen bytes are read and written at a time.
 *
 * ## Files
 *
 * - `rewrap.as.ts`, this one: records, one after the other;
 * - `rewrap_state.as.ts`: memory, and what is kept from call to call;
 * - `rewrap_lines.as.ts`: sequences;
 * - `rewrap_header.as.ts`: headers.
 *
 * ## States
 *
 * Between two bytes of a sequence the input is at the beginning of a line or within one, and the output has `column`
 * bases on its line. These survive from call to call, so that the input may be cut anywhere.
 *
 * Headers have no state: `scanRecords` takes *simple* ones that are complete, and leaves all others to the caller,
 * which continues with `rewrap` after them. A header is simple if it is ASCII without a carriage return, not long, and
 * has as many values as a registry FASTA has fields.
 *
 *     caller ──'>'──▶ scanRecords: header ──LF──▶ sequence ──'>'──▶ header, while there is room
 *       ▲ header that is not simple,              │ end of the input
 *       │ no room, sequence too long              ▼
 *       └───────────────'>'───────────────── rewrap: sequence, behind any header
 *
 * ## Speed
 *
 * If input and output have the same line width, which is nearly always the case, lines are copied unchanged: sixteen
 * bytes are read, written, and checked to be bases. Otherwise runs of bases are copied up to the next other byte.
 *
 * A call from JavaScript, and what that does for a header, take as long as some kilobytes of a sequence: hence
 * `scanRecords`.
 */
import { describeHeader, readHeader, writeHeader } from "./rewrap_header.as.ts";
import { rewrap } from "./rewrap_lines.as.ts";
import {
  GREATER,
  headers,
  invalidBases,
  invalidBytes,
  invalidLines,
  lengths,
  LF,
  lines,
  starts,
  state,
} from "./rewrap_state.as.ts";

export { useHeaders, useTemplate } from "./rewrap_header.as.ts";
export { rewrap } from "./rewrap_lines.as.ts";
export {
  classes,
  headerEnds,
  headers,
  idHashes,
  idLengths,
  input,
  invalidBases,
  invalidBytes,
  invalidLines,
  layout,
  lengths,
  lines,
  output,
  starts,
  state,
  template,
  valueCounts,
} from "./rewrap_state.as.ts";

/**
 * Writes the records from `from` on, where a `>` begins a line and no record is open, up to `to`. Each
 * fills a row; the last one stays open, and its row is not more than what is known of it.
 *
 * @returns Where it stopped: `from` if its record is not simple; else `to`, a `>` or a `;` that begins a
 * line, or anywhere with the output at `limit`.
 */
export function scanRecords(from: usize, to: usize, limit: usize, wrap: u32, maxBases: f64): usize {
  const textOffset = load<f64>(state, 64) - <f64> from;
  const full = load<f64>(state, 72);
  const maxRows = <usize> load<f64>(state, 80);
  const maxHeaders = <u32> load<f64>(state, 88);
  const headersBefore = <u32> load<f64>(state, 96);
  let line = load<f64>(state, 56);
  let rows: usize = 0;
  let headerLength: u32 = 0;
  let p = from;
  while (rows < maxRows && headerLength < maxHeaders) {
    const isOpen = rows > 0;
    if (isOpen && load<f64>(state, 16) > maxBases) break;
    const endsLine = isOpen && load<f64>(state, 8) > 0;
    let out = <usize> load<f64>(state);
    if (<f64> (out + <usize> endsLine) >= full) break;
    const begin = p + 1;
    const end = readHeader(begin, to, headers + headerLength);
    if (end === 0) break;
    if (endsLine) {
      store<u8>(out, LF);
      out += 1;
    }
    headerLength += <u32> (end - begin);
    describeHeader(rows, begin, end, headersBefore + headerLength);
    store<f64>(lines + (rows << 3), line);
    store<f64>(starts + (rows << 3), textOffset + <f64> p);
    line += 1;
    store<f64>(state, <f64> writeHeader(out));
    store<f64>(state, 0, 8);
    store<f64>(state, 0, 16);
    store<f64>(state, 1, 48);
    p = rewrap(end + 1, to, limit, wrap);
    noteSequence(rows, line, textOffset);
    line += load<f64>(state, 24);
    rows += 1;
    if (p === to || load<f64>(state, 48) === 0 || load<u8>(p) !== GREATER) break;
  }
  store<f64>(state, line, 56);
  store<f64>(state, <f64> rows, 80);
  store<f64>(state, <f64> headerLength, 88);
  return p;
}

/** Notes of a row what the last call of `rewrap` has found, which began at a line. */
function noteSequence(row: usize, line: f64, textOffset: f64): void {
  store<f64>(lengths + (row << 3), load<f64>(state, 16));
  const invalid = load<f64>(state, 32);
  if (invalid === 0) {
    store<f64>(invalidBytes + (row << 3), -1);
    return;
  }
  store<f64>(invalidBytes + (row << 3), textOffset + invalid);
  store<f64>(invalidLines + (row << 3), line + load<f64>(state, 40));
  store<u8>(invalidBases + row, load<u8>(<usize> invalid));
}
