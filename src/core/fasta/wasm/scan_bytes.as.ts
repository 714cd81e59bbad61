// deno-lint-ignore-file no-import-assign -- AssemblyScript assigns what it imports
// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/** Reads bytes of a sequence one by one: what no block could take. See `scan.as.ts`. */
import {
  ambiguous,
  atLineStart,
  classes,
  gcCount,
  GREATER,
  length,
  LF,
  line,
  noteInvalid,
  SEMICOLON,
  sequenceLength,
  sequences,
} from "./scan_state.as.ts";

const GC_BASE: u8 = 1;
const OTHER_BASE: u8 = 2;
const INVALID_BASE: u8 = 3;
const WHITE_SPACE: u8 = 4;

/** Reads bytes one by one; stops before a mark that begins a line. */
export function scanBytes(from: usize, to: usize, keeps: bool): usize {
  let p = from;
  let out = sequences + sequenceLength;
  while (p < to) {
    const byte = load<u8>(p);
    if (atLineStart && (byte === GREATER || byte === SEMICOLON)) break;
    p += 1;
    if (byte === LF) {
      line += 1;
      atLineStart = true;
      continue;
    }
    atLineStart = false;
    const kind = load<u8>(classes + <usize> byte);
    if (kind === WHITE_SPACE) continue;
    length += 1;
    if (keeps) {
      store<u8>(out, byte);
      out += 1;
    }
    if (kind === GC_BASE) gcCount += 1;
    else if (kind >= OTHER_BASE) {
      ambiguous += 1;
      if (kind === INVALID_BASE) noteInvalid(byte, p - 1);
    }
  }
  if (keeps) sequenceLength = <u32> (out - sequences);
  return p;
}
