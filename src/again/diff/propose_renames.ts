/** Which of the columns that are gone came back under another name: by the words of their names. */

/** A column under its old and its new name. */
export type RenamedColumn = readonly [before: string, after: string];

/** Words that do not make a name another one. */
const IDLE_WORDS: ReadonlySet<string> = new Set(["is", "of", "the"]);

/**
 * Pairs names of columns that are gone with names that are new, where both have the same words in another order, case
 * or punctuation, also written together: `Date Collected` and `collected_date`, `BV-BRC Host` and `host_bvbrc`. A name
 * that fits more than one partner is left alone.
 *
 * @param gone Names that only the old version has.
 * @param came Names that only the new version has.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { pairByWords } from "./propose_renames.ts";
 *
 * assertEquals(pairByWords(["Host Age"], ["Age of Host", "Host Sex"]), [["Host Age", "Age of Host"]]);
 * ```
 */
export function pairByWords(gone: readonly string[], came: readonly string[]): RenamedColumn[] {
  const words = new Map([...gone, ...came].map((name) => [name, wordsOf(name)]));
  const pairs = gone.flatMap((before) =>
    came.filter((after) => haveSameWords(words.get(before)!, words.get(after)!))
      .map((after): RenamedColumn => [before, after])
  );
  return pairs.filter(([before, after]) => pairs.filter(([from, to]) => from === before || to === after).length === 1);
}

/** The words of a name, in lower case. */
function wordsOf(name: string): string[] {
  const spaced = name.normalize("NFKC").replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").toLowerCase();
  const words = spaced.match(/[\p{L}\p{N}]+/gu)?.filter((word) => !IDLE_WORDS.has(word)) ?? [];
  return words.length === 0 ? [name] : words;
}

/** Longest names, in words, whose words are tried in every order. */
const MOST_WORDS = 8;

/** Whether names have the same words, where one may write two words of the other as one. */
function haveSameWords(some: readonly string[], others: readonly string[]): boolean {
  if ([...some].sort().join(" ") === [...others].sort().join(" ")) return true;
  if (Math.max(some.length, others.length) > MOST_WORDS || lengthOf(some) !== lengthOf(others)) return false;
  return some.length > others.length ? isMadeOf(others, some) : isMadeOf(some, others);
}

function lengthOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + word.length, 0);
}

/** Whether each of the words is one of the pieces, or some of them in a row; each piece is used once. */
function isMadeOf([word, ...words]: readonly string[], pieces: readonly string[]): boolean {
  if (word === undefined) return pieces.length === 0;
  return pieces.some((piece, index) => {
    if (!word.startsWith(piece)) return false;
    const rest = pieces.toSpliced(index, 1);
    const tail = word.slice(piece.length);
    return isMadeOf(tail === "" ? words : [tail, ...words], rest);
  });
}
