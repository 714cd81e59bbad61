/**
 * What each byte means inside a sequence.
 *
 * A sequence is bytes: one byte, one base. What is not a sequence character (a digit, `>`, a byte outside ASCII) is
 * kept and counted like one, and its record gets a problem.
 */

/** Bytes with a meaning of their own. */
export const LF = 0x0a;
export const CR = 0x0d;
export const GREATER = 0x3e;
export const SEMICOLON = 0x3b;
export const PIPE = 0x7c;
export const SPACE = 0x20;
export const TAB = 0x09;

/** The byte order mark of UTF-8, which may stand before all else. */
export const BYTE_ORDER_MARK: readonly number[] = [0xef, 0xbb, 0xbf];

/** A, C, G, T or U: `gc` is a share of these. */
export const PLAIN_BASE = 0;
/** G or C; also one of the five. */
export const GC_BASE = 1;
/** Any other base, and `-`, `*`, `.`: counted as ambiguous. */
export const OTHER_BASE = 2;
/** Counted as ambiguous, and a problem. */
export const INVALID_BASE = 3;
/** ASCII white space: dropped. */
export const WHITE_SPACE = 4;

/** Class of each byte, one of the five above. */
export const BASE_CLASS: Uint8Array = classify();

function classify(): Uint8Array {
  const classes = new Uint8Array(256).fill(INVALID_BASE);
  const mark = (bases: string, kind: number) => {
    for (const base of bases) classes[base.charCodeAt(0)] = kind;
  };
  mark("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-*.", OTHER_BASE);
  mark("ATUatu", PLAIN_BASE);
  mark("GCgc", GC_BASE);
  mark("\t\n\v\f\r ", WHITE_SPACE);
  return classes;
}

/** Whether the `>` at an offset and the next character have two bytes each, as in UTF-16. */
export function beginsInTwoBytes(bytes: Uint8Array, at: number): boolean {
  return bytes[at + 1] === 0 && bytes[at + 2] > 0 && bytes[at + 3] === 0;
}
