/** Words of a query, which are looked for in every column, and texts as they are compared: folded. */
import { isWildcard, matchesPattern, type PatternPart } from "@seqreg/core/query";
import { quoteText, textSql } from "./column_sql.ts";
import type { QueryColumn } from "./query_column.ts";

/** Characters that DuckDB puts into lower case in another way than the grammar does; and what ends its literals. */
export const NOT_COMPARED = /[σς\0]/;

/** SQL of a text in normalization form C and lower case. */
export function foldSql(text: string): string {
  return `lower(replace(nfc_normalize(${text}), 'İ', 'i̇'))`;
}

/** Writes a pattern as a regular expression of RE2, in which `any` stands for any one character. */
export function regexOf(pattern: readonly PatternPart[], any: string): string {
  return pattern.map((part) =>
    isWildcard(part) ? `${any}${part.wildcard === "*" ? "*" : ""}` : part.replace(/[\\^$.|?*+()[\]{}]/g, "\\$&")
  ).join("");
}

/** A regular expression as a literal: one that is bound would be compiled anew for every row. */
export function regexLiteral(regex: string): string {
  return quoteText(regex);
}

const IN_WORD = "[\\p{L}\\p{N}\\p{M}]";
/** Stands between values; it stands in no text. */
const BETWEEN = 0x10ffff;
const SEPARATOR = "\\x{10FFFF}";
const OUTSIDE = `[^\\p{L}\\p{N}\\p{M}${SEPARATOR}]`;
/** Words of numbers that begin with one of the alphabet. */
const NUMBER_WORDS = ["nan", "inf", "infinity"];

/** The condition that words stand in a row in some value. */
export function compileWords(
  words: readonly (readonly PatternPart[])[],
  columns: readonly QueryColumn[],
  refuse: (what: string) => Error,
): string {
  const shown = words.map((word) => word.map((part) => isWildcard(part) ? part.wildcard : part).join("")).join(" ");
  if (NOT_COMPARED.test(shown)) {
    throw refuse(`the words ${JSON.stringify(shown)}: sigma and U+0000 are not compared alike`);
  }
  for (const { column, type } of columns) {
    if (type === undefined) {
      throw refuse(`words in any field: ${JSON.stringify(column.name)} holds ${column.type}; name a field`);
    }
    if ((type === "float") && words.every(mayBeNumber)) {
      const name = JSON.stringify(column.name);
      throw refuse(`${JSON.stringify(shown)} in any field: ${name} keeps numbers, not their texts; name a field`);
    }
  }
  const searched = columns.filter(({ type }) => type !== "float");
  if (searched.length === 0) return "false";
  const texts = searched.map(({ column, type }) =>
    type === "list" ? `array_to_string(${column.sql}, ';')` : textSql(column)
  );
  // All values of a row at once: the expression takes longer to compile than to run.
  const all = foldSql(`concat_ws(chr(${BETWEEN}), ${texts.join(", ")})`);
  const edge = (side: string) => `(?:${side}|${OUTSIDE}|${SEPARATOR})`;
  const regex = edge("^") + words.map((word) => wordRegexOf(word)).join(`${OUTSIDE}+`) + edge("$");
  return `regexp_matches(${all}, ${regexLiteral(regex)})`;
}

function wordRegexOf(word: readonly PatternPart[]): string {
  const isAny = word.every((part) => isWildcard(part) && part.wildcard === "*");
  return isAny ? `${IN_WORD}+` : regexOf(word, IN_WORD);
}

/** Whether a number's text may have such a word. */
function mayBeNumber(word: readonly PatternPart[]): boolean {
  const [first] = word;
  return isWildcard(first) || /^\p{N}/u.test(first) || first.startsWith("e") ||
    NUMBER_WORDS.some((number) => matchesPattern(word, number));
}
