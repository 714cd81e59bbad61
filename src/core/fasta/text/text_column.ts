/** Texts laid end to end, as Arrow lays out a column of UTF-8. */

/** Texts in one piece of memory: text `i` is `data[offsets[i]]` up to, not with, `data[offsets[i + 1]]`. */
export interface TextColumn {
  /** One more offset than there are texts; the first is 0. */
  readonly offsets: Int32Array;
  /** The bytes of all texts. */
  readonly data: Uint8Array;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Reads one text of a column.
 *
 * @param column Texts.
 * @param index Which, counted from 0.
 * @returns The text; bytes that are not UTF-8 become U+FFFD.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { textAt } from "./text_column.ts";
 *
 * const column = { offsets: Int32Array.of(0, 2, 5), data: new TextEncoder().encode("acgtn") };
 *
 * assertEquals(textAt(column, 1), "gtn");
 * ```
 */
export function textAt(column: TextColumn, index: number): string {
  return decoder.decode(column.data.subarray(column.offsets[index], column.offsets[index + 1]));
}

/** Reads every text of a column; one decoding for all of them where they are ASCII. */
export function textsOf(column: TextColumn): string[] {
  const { offsets, data } = column;
  const rows = offsets.length - 1;
  const bytes = data.subarray(offsets[0], offsets[rows]);
  const all = decoder.decode(bytes);
  const isAscii = isAsciiText(bytes, all);
  const texts = new Array<string>(rows);
  for (let row = 0; row < rows; row++) {
    texts[row] = isAscii
      ? all.substring(offsets[row] - offsets[0], offsets[row + 1] - offsets[0])
      : textAt(column, row);
  }
  return texts;
}

/** Whether bytes are all ASCII; `text` is what they decode to, where that is known. */
export function isAsciiText(bytes: Uint8Array, text: string = decoder.decode(bytes)): boolean {
  return text.length === bytes.length && !text.includes("\uFFFD");
}
