/**
 * Evaluates a query on one record: used for dictionary values, and as the oracle of tests.
 *
 * Tests compare the compiled queries with it over random records. Its time is proportional to a record's text, for any
 * pattern.
 */
import { isMissing, splitList } from "../contract/values/mod.ts";
import { compareCodePoints, fold, wordsOf } from "./fold.ts";
import { compareKeys, readKeys } from "./keys.ts";
import { isWildcard, type PatternPart, type QueryNode, type RangeEnd } from "./query_ast.ts";

/**
 * Returns whether a record holds a condition.
 *
 * @param values The record's values, in the order of the fields.
 * @param isAbsent Whether a text marks its value as missing: words for missing are values in some company.
 */
export function evaluateQuery(
  node: QueryNode,
  values: readonly string[],
  isAbsent: (text: string) => boolean = isMissing,
): boolean {
  switch (node.kind) {
    case "all":
      return true;
    case "and":
      return node.nodes.every((child) => evaluateQuery(child, values, isAbsent));
    case "or":
      return node.nodes.some((child) => evaluateQuery(child, values, isAbsent));
    case "not":
      return !evaluateQuery(node.node, values, isAbsent);
    case "exists":
      return !isAbsent(values[node.field]);
    case "equals": {
      const value = values[node.field];
      if (fold(value) === node.text) return true;
      if (node.within !== undefined) {
        const keys = readKeys(value, node.definition);
        if (keys !== undefined && keys.start >= node.within.start && keys.end <= node.within.end) return true;
      }
      return node.elements && splitList(value).some((element) => fold(element) === node.text);
    }
    case "exact": {
      const value = values[node.field];
      if (node.texts.includes(value)) return true;
      const keys = node.keys.length === 0 ? undefined : readKeys(value, node.definition);
      if (keys !== undefined && node.keys.includes(keys.start)) return true;
      return node.elements && splitList(value).some((element) => node.texts.includes(element));
    }
    case "matches": {
      const value = values[node.field];
      return matchesPattern(node.pattern, fold(value)) ||
        (node.elements && splitList(value).some((element) => matchesPattern(node.pattern, fold(element))));
    }
    case "key-range": {
      const keys = readKeys(values[node.field], node.definition);
      return keys !== undefined && isWithin(keys.start, keys.end, node, compareKeys);
    }
    case "text-range": {
      const value = values[node.field];
      const text = fold(value);
      return !isAbsent(value) && isWithin(text, text, node, compareCodePoints);
    }
    case "words":
      return values.some((value) => countWords(node.words, wordsOf(value)) > 0);
  }
}

/** Counts the runs of words that match the patterns in a row; runs do not overlap. */
export function countWords(patterns: readonly (readonly PatternPart[])[], words: readonly string[]): number {
  let count = 0;
  for (let at = 0; at + patterns.length <= words.length;) {
    const fits = patterns.every((pattern, index) => matchesPattern(pattern, words[at + index]));
    if (fits) count++;
    at += fits ? patterns.length : 1;
  }
  return count;
}

/** Returns whether a whole text fits a pattern, going back no further than the last `*`. */
export function matchesPattern(pattern: readonly PatternPart[], text: string): boolean {
  const wanted = pattern.flatMap((part): PatternPart[] => isWildcard(part) ? [part] : [...part]);
  const characters = [...text];
  let at = 0;
  let next = 0;
  let star: { next: number; at: number } | undefined;
  while (at < characters.length) {
    const want: PatternPart | undefined = wanted[next];
    if (want !== undefined && isWildcard(want) && want.wildcard === "*") {
      star = { next: ++next, at };
    } else if (want !== undefined && (isWildcard(want) || want === characters[at])) {
      next++;
      at++;
    } else if (star !== undefined) {
      next = star.next;
      at = ++star.at;
    } else return false;
  }
  return wanted.slice(next).every((part) => isWildcard(part) && part.wildcard === "*");
}

function isWithin<T>(
  start: T,
  end: T,
  range: { readonly from?: RangeEnd<T>; readonly to?: RangeEnd<T> },
  compare: (a: T, b: T) => number,
): boolean {
  const after = range.from === undefined ? 1 : compare(start, range.from.value);
  const before = range.to === undefined ? -1 : compare(end, range.to.value);
  return (after > 0 || (after === 0 && range.from!.inclusive)) &&
    (before < 0 || (before === 0 && range.to!.inclusive));
}
