// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/** Sequences from lines of any length to lines of one length. See `rewrap.as.ts`. */
import { classes, GREATER, LF, SEMICOLON, state } from "./rewrap_state.as.ts";

const SPACE: u8 = 32;

/** Classes of bytes, as `text/bases.ts` has them: this and more are not sequence characters. */
const INVALID_BASE: u8 = 3;
const WHITE_SPACE: u8 = 4;

/** Bases of a line, or of a run, that are written without a look at how full the output is. */
const RUN: u32 = 4096;

/** Sixteen times what makes a character lower case, the first lower-case one, and how many there are. */
const SMALL: usize = memory.data<u8>([32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 32], 16);
const FIRST: usize = memory.data<u8>([97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97, 97], 16);
const BASE_COUNTS: usize = memory.data<u8>([26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26], 16);
const LOW: usize = memory.data<u8>([15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15], 16);
/** By the low four bits of a byte: `*`, `-` and `.`, and elsewhere a byte whose low bits are others. */
const SIGNS: usize = memory.data<u8>([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x2a, 0, 0, 0x2d, 0x2e, 0], 16);

/** Which of sixteen bytes are bases of a sequence, one bit for each. */
function baseBits(bytes: v128, small: v128, first: v128, count: v128, low: v128, signs: v128): i32 {
  const isBase = i8x16.lt_u(i8x16.sub(v128.or(bytes, small), first), count);
  const isSign = i8x16.eq(bytes, i8x16.swizzle(signs, v128.and(bytes, low)));
  return i8x16.bitmask(v128.or(isBase, isSign));
}

/** Writes `wrap` bytes, at least 16, to `to`; whether all are A to Z, either case. The last 16 go twice. */
function copyLine(p: usize, to: usize, wrap: usize, small: v128, first: v128, count: v128): bool {
  const last = v128.load(p + wrap - 16);
  v128.store(to + wrap - 16, last);
  // How far the furthest byte lies behind the first base; what lies before it is furthest.
  let far = i8x16.sub(v128.or(last, small), first);
  for (let done: usize = 0; done + 16 <= wrap; done += 16) {
    const bytes = v128.load(p + done);
    v128.store(to + done, bytes);
    far = i8x16.max_u(far, i8x16.sub(v128.or(bytes, small), first));
  }
  return i8x16.all_true(i8x16.lt_u(far, count));
}

/** Whether `wrap` bytes, at least 16, are bases of a sequence, `*`, `-` and `.` among them. */
function areBases(p: usize, wrap: usize): bool {
  const small = v128.load(SMALL);
  const first = v128.load(FIRST);
  const count = v128.load(BASE_COUNTS);
  const low = v128.load(LOW);
  const signs = v128.load(SIGNS);
  let bits = baseBits(v128.load(p + wrap - 16), small, first, count, low, signs);
  for (let done: usize = 0; done + 16 <= wrap; done += 16) {
    bits &= baseBits(v128.load(p + done), small, first, count, low, signs);
  }
  return bits === 0xffff;
}

/**
 * Writes the sequence between `from` and `to` to the output, in lines of `wrap` bases. A line that would begin
 * with `>` or `;` begins with a space. White space is dropped.
 *
 * @returns Where it stopped: `to`, a `>` or a `;` that begins a line, or anywhere with the output at `limit`.
 */
export function rewrap(from: usize, to: usize, limit: usize, wrap: u32): usize {
  const small = v128.load(SMALL);
  const first = v128.load(FIRST);
  const count = v128.load(BASE_COUNTS);
  const low = v128.load(LOW);
  const signs = v128.load(SIGNS);
  let p = from;
  let out = <usize> load<f64>(state);
  let column = <u32> load<f64>(state + 8);
  let bases = load<f64>(state + 16);
  let atLineStart = load<f64>(state + 48) !== 0;
  let lines: u32 = 0;
  let invalidOffset: usize = 0;
  let invalidLines: u32 = 0;
  while (p < to && out < limit) {
    if (atLineStart) {
      // Neither `>` nor `;` is a base: a line that begins with one is not copied.
      if (column === 0 && wrap >= 16 && wrap <= RUN) {
        const begin = out;
        const beginLines = lines;
        while (wrap < <u32> (to - p) && load<u8>(p + wrap) === LF && out < limit) {
          if (!copyLine(p, out, wrap, small, first, count) && !areBases(p, wrap)) break;
          store<u8>(out + wrap, LF);
          p += wrap + 1;
          out += wrap + 1;
          lines += 1;
        }
        bases += <f64> (out - begin - (lines - beginLines));
        if (p === to || out >= limit) break;
      }
      const mark = load<u8>(p);
      if (mark === GREATER || mark === SEMICOLON) break;
    }
    // Up to 15 excess bytes are written; later output overwrites them.
    const room = min<usize>(min<usize>(wrap - column, to - p), RUN);
    let run: usize = 0;
    while (run < room) {
      const bytes = v128.load(p + run);
      v128.store(out + run, bytes);
      const bits = baseBits(bytes, small, first, count, low, signs);
      if (bits !== 0xffff) {
        run += ctz(~bits);
        break;
      }
      run += 16;
    }
    run = min(run, room);
    p += run;
    out += run;
    bases += <f64> run;
    column += <u32> run;
    if (run > 0) atLineStart = false;
    if (run < room) {
      const byte = load<u8>(p);
      const kind = load<u8>(classes + byte);
      atLineStart = byte === LF;
      if (atLineStart) lines += 1;
      else if (kind !== WHITE_SPACE) {
        if (invalidOffset === 0 && kind === INVALID_BASE) {
          invalidOffset = p;
          invalidLines = lines;
        }
        if (column === 0 && (byte === GREATER || byte === SEMICOLON)) {
          store<u8>(out, SPACE);
          out += 1;
        }
        store<u8>(out, byte);
        out += 1;
        column += 1;
        bases += 1;
      }
      p += 1;
    }
    if (column === wrap) {
      store<u8>(out, LF);
      out += 1;
      column = 0;
    }
  }
  store<f64>(state, <f64> out);
  store<f64>(state + 8, <f64> column);
  store<f64>(state + 16, bases);
  store<f64>(state + 24, <f64> lines);
  store<f64>(state + 32, <f64> invalidOffset);
  store<f64>(state + 40, <f64> invalidLines);
  store<f64>(state + 48, atLineStart ? 1 : 0);
  return p;
}
