/**
 * Reads the `Range` header of RFC 9110.
 *
 * Own code instead of `range-parser`, which reads `bytes=1x-4` as a range.
 */

/** Part of a file: from `start` up to `end`, which is not in it. */
export interface ByteRange {
  /** First byte, counted from 0. */
  readonly start: number;
  /** The byte after the last one. */
  readonly end: number;
}

/**
 * Reads which part of a file a `Range` header asks for.
 *
 * @param header The header; `null` if absent.
 * @param size Bytes of the file.
 * @returns The part; `"unsatisfiable"` when it lies outside the file; `undefined` when the whole file is to be sent:
 * without a header, in another unit than bytes, malformed, or for several parts at once, as the RFC allows.
 */
export function readRange(header: string | null, size: number): ByteRange | "unsatisfiable" | undefined {
  const match = /^bytes=\s*([0-9]{0,16})-([0-9]{0,16})\s*$/i.exec(header ?? "");
  if (match === null || match[1] === "" && match[2] === "") return undefined;
  const [, first, last] = match;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return undefined;
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size : Math.min(Number(last) + 1, size) };
}
