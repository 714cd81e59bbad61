/** White space around values, and equality of group names. */

/** Whether a UTF-16 unit is white space: Unicode's property White_Space, which is entirely in the basic plane. */
function isWhiteSpace(unit: number): boolean {
  if (unit < 0x85) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  return unit === 0x85 || unit === 0xa0 || unit === 0x1680 || (unit >= 0x2000 && unit <= 0x200a) || unit === 0x2028 ||
    unit === 0x2029 || unit === 0x202f || unit === 0x205f || unit === 0x3000;
}

/**
 * Removes Unicode white space around a text, including no-break spaces, next lines (U+0085) and ideographic spaces.
 *
 * Invisible characters that are not white space are kept: U+FEFF, U+200B, right-to-left marks, NUL.
 *
 * @returns The text without white space around it.
 * @see Unicode Character Database, PropList.txt, White_Space. polars' `strip_chars()` removes the same characters.
 */
export function trimWhiteSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isWhiteSpace(text.charCodeAt(start))) start++;
  while (end > start && isWhiteSpace(text.charCodeAt(end - 1))) end--;
  return end - start === text.length ? text : text.slice(start, end);
}

/** Whether all units are below U+0080: such a text is already normalized. */
const ASCII = /^[\0-\x7f]*$/;

/**
 * The key by which values are grouped: the text without surrounding white space, in normalization form C.
 * Case-sensitive.
 *
 * Apply it to the distinct values of a column and map the column by the result: then all engines group alike, and the
 * column keeps its values.
 *
 * @returns The key of its group; `""` for a text of white space.
 * @see Not shown in the specification: chosen because archives contain the same name in several normal forms.
 */
export function groupKey(text: string): string {
  const trimmed = trimWhiteSpace(text);
  return ASCII.test(trimmed) ? trimmed : trimmed.normalize("NFC");
}
