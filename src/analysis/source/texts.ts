/** Group keys of texts: missing values belong to no group, and white space and Unicode forms make no difference. */
import { Buffer } from "node:buffer";
import { groupKey, MISSING_WORDS, missingWord, trimWhiteSpace } from "@seqreg/core/contract/values";
import type { TextTest } from "@seqreg/core/parquet/read/text_kinds";

const words = anyOf(MISSING_WORDS);

/** A pattern of some words; what several begin with is there once, since an engine may try one after the other. */
function anyOf(words: readonly string[]): string {
  const rests = Map.groupBy(words.filter((word) => word !== ""), (word) => word[0]);
  const branches = [...rests].map(([first, some]) =>
    first.replace(/[.*+?^${}()|[\]\\]/, "\\$&") + anyOf(some.map((word) => word.slice(1)))
  );
  if (words.includes("")) return branches.length === 0 ? "" : `(?:${branches.join("|")})?`;
  return branches.length === 1 ? branches[0] : `(?:${branches.join("|")})`;
}

/** Finds every text that `isMissing`, and maybe others: for the engine, whose white space is Unicode's too. */
export const MISSING_PATTERN = `(?i)^\\s*(?:${words})?\\s*$`;

/**
 * Finds every text whose key is not the text itself, and maybe others: for the engine. Characters below U+0180 are
 * their own normal form wherever they stand.
 */
export const ODD_PATTERN = `^(?i:${words})?$|^\\s|\\s$|[^\\x00-\\x{17f}]`;

/** The group key of a text; null for a placeholder, unless it is one of the words that are values here. */
export function keyOf(text: string, values?: ReadonlySet<string>): string | null {
  return missingKind(text, values) === 0 ? groupKey(text) : null;
}

/** Texts whose key is another, with it. */
export type OtherKeys = ReadonlyMap<string, string | null>;

/** Finds those of some distinct texts whose key is another. */
export function otherKeys(texts: Iterable<unknown>, values?: ReadonlySet<string>): OtherKeys {
  const found = new Map<string, string | null>();
  for (const text of texts) {
    if (typeof text !== "string") continue;
    const key = keyOf(text, values);
    if (key !== text) found.set(text, key);
  }
  return found;
}

/** Kinds of placeholders: blank texts, and words such as `?` and `not collected`. */
export const [BLANK, PLACEHOLDER] = [1, 2];

/** The kind of a placeholder; 0 for a value, which one of `values` is. */
export function missingKind(text: string, values?: ReadonlySet<string>): number {
  const word = missingWord(text);
  return word === undefined || values !== undefined && values.size > 0 && values.has(trimWhiteSpace(text))
    ? 0
    : word === ""
    ? BLANK
    : PLACEHOLDER;
}

const encoder = new TextEncoder();
const bytesOf = (text: string) => encoder.encode(text);
/** Bytes of white space, and of forms of characters of many bytes. */
const isUnsure = (byte: number) => byte <= 0x20 || byte >= 0x80;
/** By byte or by length, 1 for those that a word can have. */
const [FIRST, LAST, LENGTHS] = [0, 1, 2].map(() => new Uint8Array(256));
for (const word of MISSING_WORDS) {
  for (const bytes of [word, word.toUpperCase()].map(bytesOf)) {
    FIRST[bytes[0]] = LAST[bytes[bytes.length - 1]] = LENGTHS[bytes.length] = 1;
    // The sign of the kelvin is a form of k, and takes three bytes.
    for (let more = word.split("k").length - 1; more > 0; more--) LENGTHS[bytes.length + 2 * more] = 1;
  }
}

/** Whether a text may be a word, with white space around it or not. */
function mayBeMissing(first: number, last: number, length: number): boolean {
  if (isUnsure(first)) return true;
  return FIRST[first] === 1 && (isUnsure(last) || LAST[last] === 1 && length < 256 && LENGTHS[length] === 1);
}

/** First characters of a word that are bounded in both cases. */
const CASED = 3;

/** Finds placeholders in dictionaries. */
export const MISSING_TEST: TextTest = {
  kindOf: (text) => missingKind(text),
  mayBe: mayBeMissing,
  ranges: merged([
    [bytesOf(""), Uint8Array.of(0x20, 0xff)],
    [Uint8Array.of(0x80), Uint8Array.of(0xff)],
    ...spellings(),
  ]),
};

/**
 * Bounds of every spelling of a word: for each combination of its first characters in upper or lower case, between its
 * upper-case and its lower-case form followed by white space. Words that begin with white space or a multi-byte
 * character are outside of them.
 */
function spellings(): SpellingRange[] {
  const ranges = new Map<string, SpellingRange>();
  for (const word of MISSING_WORDS) {
    let begins = [""];
    for (const character of word.slice(0, CASED)) {
      begins = begins.flatMap((begin) => [...new Set([character, character.toUpperCase()])].map((one) => begin + one));
    }
    const rest = word.slice(CASED);
    for (const begin of begins) {
      // The sign of the kelvin is a form of k, and lies behind all characters of one byte.
      const sure = (begin + rest).replace(/k.*/is, "");
      ranges.set(begin + rest, [bytesOf(begin + rest.toUpperCase()), Uint8Array.of(...bytesOf(sure), 0xff)]);
    }
  }
  return [...ranges.values()];
}

type SpellingRange = readonly [least: Uint8Array, most: Uint8Array];

/** Ranges in rising order, those that overlap as one. */
function merged(ranges: readonly SpellingRange[]): SpellingRange[] {
  const joined: SpellingRange[] = [];
  for (const range of ranges.toSorted(([a], [b]) => Buffer.compare(a, b))) {
    const last = joined[joined.length - 1];
    if (last === undefined || Buffer.compare(range[0], last[1]) > 0) joined.push(range);
    else if (Buffer.compare(range[1], last[1]) > 0) joined[joined.length - 1] = [last[0], range[1]];
  }
  return joined;
}

/** Finds in dictionaries texts whose key is another. */
export const ODD_TEST: TextTest = {
  kindOf: (text) => keyOf(text) === text ? 0 : 1,
  mayBe: () => true,
  ranges: [[bytesOf(""), Uint8Array.of(0xff)]],
};
