/** Widths of texts without a browser: conservative upper bounds for common fonts. */

/** Parts of the height of a character, as wide fonts such as DejaVu Sans and Verdana have them. */
const WIDTHS: readonly (readonly [characters: RegExp, width: number])[] = [
  [/\p{M}/u, 0],
  [/[ijlI.,:;'|! ()[\]/\\ftr"-]/u, 0.4],
  // Writing systems of the East, and pictures.
  [/[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\ufe30-\uffef\u{10000}-\u{10ffff}]/u, 1],
  [/[mwMW%@…+=<>~#→]/u, 0.97],
  [/\p{Lu}/u, 0.76],
];

/** Width of any other character. */
const COMMON = 0.64;

/** Estimates the width of a text in pixels, at a height in pixels. */
export function textWidth(text: string, size: number): number {
  let width = 0;
  for (const character of text) width += WIDTHS.find(([characters]) => characters.test(character))?.[1] ?? COMMON;
  return width * size;
}
