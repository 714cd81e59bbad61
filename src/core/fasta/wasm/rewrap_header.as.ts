// deno-lint-ignore-file no-unused-vars -- AssemblyScript assigns what it imports
// @ts-nocheck: this is AssemblyScript, which has types that TypeScript does not know.
/**
 * Simple headers: read, described and written by a template. See `rewrap.as.ts`.
 *
 * The template is a table of texts and a list of steps, each the number of a text that is to be written. A text is two
 * u32: where it begins and where it ends. The first texts are the values of the header, which are found
 * anew for each; the others stand between them, and the caller has laid them into memory. The caller's last step ends
 * the line.
 */
import { classes, headerEnds, headers, idHashes, idLengths, LF, template, valueCounts } from "./rewrap_state.as.ts";

const CR: u8 = 13;
const SLASH: u8 = 47;
const PIPE: u8 = 124;
/** Class of a byte, as in `bases.ts`. */
const WHITE_SPACE: u8 = 4;

/** Values of a registry header; 0 where a header is an id and a description. */
let registryValues: u32 = 0;
let hashFactor: u32 = 1;
let maxHeaderBytes: usize = 0;
/** Values in the table; how many steps, and where. */
let texts: u32 = 0;
let stepCount: u32 = 0;
let steps: usize = 0;
/** Whether a `|` in a value is written as `/`. */
let escapes: bool = false;

/** `|` in the header that was read last. */
let pipeCount: u32 = 0;

/** How headers are to be read: with how many values, with which odd factor ids are hashed, and up to which length. */
export function useHeaders(values: u32, factor: u32, maxBytes: u32): void {
  registryValues = values;
  hashFactor = factor;
  maxHeaderBytes = maxBytes;
}

/** How headers are to be written: the caller has laid the table, and steps behind it. */
export function useTemplate(stepsAt: usize, count: u32, escapesPipes: bool): void {
  steps = stepsAt;
  stepCount = count;
  escapes = escapesPipes;
  texts = registryValues === 0 ? 2 : registryValues;
}

/**
 * Reads a header and finds its values, and writes nothing but its copy at `kept`, and up to 15 bytes more.
 *
 * @returns A pointer to its line feed; 0 if it is not simple, or not wholly there.
 */
export function readHeader(from: usize, to: usize, kept: usize): usize {
  // Blanks before an id are dropped where headers are not simple.
  const first = load<u8>(from);
  if (registryValues === 0 && first !== LF && load<u8>(classes + first) === WHITE_SPACE) return 0;
  const lineFeeds = i8x16.splat(LF);
  const returns = i8x16.splat(CR);
  const pipes = i8x16.splat(PIPE);
  const stop = min(to, from + maxHeaderBytes + 1);
  let count: u32 = 0;
  if (registryValues > 0) store<u32>(template, <u32> from);
  for (let p = from; p < stop; p += 16) {
    const bytes = v128.load(p);
    v128.store(kept + (p - from), bytes);
    const ends = i8x16.bitmask(i8x16.eq(bytes, lineFeeds));
    // Bits of the bytes before the line feed.
    const own = ends === 0 ? 0xffff : (ends & -ends) - 1;
    if ((i8x16.bitmask(v128.or(bytes, i8x16.eq(bytes, returns))) & own) !== 0) return 0;
    let hits = i8x16.bitmask(i8x16.eq(bytes, pipes)) & own;
    if (registryValues === 0) count += popcnt(hits);
    else {
      while (hits !== 0) {
        const pipe = p + <usize> ctz(hits);
        count += 1;
        if (count === registryValues) return 0;
        const text = template + (<usize> count << 3);
        store<u32>(text - 4, <u32> pipe);
        store<u32>(text, <u32> pipe + 1);
        hits &= hits - 1;
      }
    }
    if (ends === 0) continue;
    const end = p + <usize> ctz(ends);
    if (end >= stop || registryValues > 0 && count + 1 !== registryValues) return 0;
    if (registryValues > 0) store<u32>(template + (<usize> registryValues << 3) - 4, <u32> end);
    pipeCount = count;
    return end;
  }
  return 0;
}

/** Describes the header that was read last as that of a row. An id and a description are found only here. */
export function describeHeader(row: usize, from: usize, end: usize, keptEnd: u32): void {
  let p = from;
  let hash = hashFactor;
  const idEnd: usize = registryValues > 0 ? load<u32>(template, 4) : end;
  while (p < idEnd) {
    const byte = load<u8>(p);
    if (registryValues === 0 && load<u8>(classes + byte) === WHITE_SPACE) break;
    hash = (hash ^ byte) * hashFactor;
    hash ^= hash >> 15;
    p += 1;
  }
  store<u32>(idLengths + (row << 2), <u32> (p - from));
  store<u32>(idHashes + (row << 2), hash);
  store<u32>(valueCounts + (row << 2), pipeCount + 1);
  store<u32>(headerEnds + (row << 2), keptEnd);
  if (registryValues > 0) return;
  store<u32>(template, <u32> from);
  store<u32>(template, <u32> p, 4);
  while (p < end && load<u8>(classes + load<u8>(p)) === WHITE_SPACE) p += 1;
  store<u32>(template, <u32> p, 8);
  store<u32>(template, <u32> end, 12);
}

/** Writes the header that was described last, by the template, and up to 15 bytes more; where it ends. */
export function writeHeader(to: usize): usize {
  let out = to;
  for (let step: u32 = 0; step < stepCount; step++) {
    const number = load<u32>(steps + (<usize> step << 2));
    const text = template + (<usize> number << 3);
    const from: usize = load<u32>(text);
    const end: usize = load<u32>(text, 4);
    for (let p = from, at = out; p < end; p += 16, at += 16) v128.store(at, v128.load(p));
    const behind = out + (end - from);
    if (escapes && number < texts) {
      for (; out < behind; out++) if (load<u8>(out) === PIPE) store<u8>(out, SLASH);
    }
    out = behind;
  }
  return out;
}
