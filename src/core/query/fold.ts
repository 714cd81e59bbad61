/** Text comparison: one definition for the import, the query and the evaluator, so that all agree on case. */

const NOT_ASCII = /[^\0-\x7f]/;

/** Folds a text for comparison: normalization form C, lower case, one form of sigma. */
export function fold(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  // Lower case may take characters apart (H̱), and its sigma depends on what follows, which a pattern does not know.
  return text.normalize("NFC").toLowerCase().normalize("NFC").replaceAll("ς", "σ");
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Splits a text into folded words: runs of letters, digits and marks. */
export function wordsOf(text: string): string[] {
  return wordsIn(fold(text));
}

/** Splits a text that is folded already: folding twice may change it. */
export function wordsIn(folded: string): string[] {
  return folded.match(WORD) ?? [];
}

/** Compares two texts by code point, as UTF-8 bytes compare; JavaScript's own order differs beyond U+FFFF. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    // Surrogates stand for code points above every other unit.
    const leftHigh = left >= 0xd800 && left <= 0xdfff;
    const rightHigh = right >= 0xd800 && right <= 0xdfff;
    return leftHigh === rightHigh ? left - right : leftHigh ? 1 : -1;
  }
  return a.length - b.length;
}
