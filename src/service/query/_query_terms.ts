/** What the parser of queries makes of terms: texts, words, conditions. */
import { readDateInterval } from "../store/date_interval.ts";
import { type Field, isNumeric } from "../store/fields.ts";
import { fold, readNumber } from "../store/fold.ts";
import { isWildcard, type PatternPart, type QueryNode } from "./query_ast.ts";

/** Whether a character is white space. */
export function isSpace(character: string): boolean {
  return /\s/.test(character);
}

/** Whether a character opens a quoted text. */
export function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'";
}

/** The text of a term, its wildcards left out. */
export function plainText(parts: readonly PatternPart[]): string {
  return parts.filter((part) => typeof part === "string").join("");
}

/** The condition that a field equals a text, by the rules of the field's type. */
export function equalsNode(field: Field, text: string): QueryNode {
  return {
    kind: "equals",
    field: field.index,
    text: fold(text),
    number: isNumeric(field.type) ? readNumber(text) : undefined,
    date: field.type === "date" ? readDateInterval(text) : undefined,
    elements: field.type === "list",
  };
}

/** Splits a term into words: whatever is not a letter, digit, mark or wildcard separates them. */
export function splitWords(parts: readonly PatternPart[]): PatternPart[][] {
  const words: PatternPart[][] = [];
  let word: PatternPart[] = [];
  const end = () => {
    if (word.length > 0) words.push(word);
    word = [];
  };
  for (const part of parts) {
    if (typeof part !== "string") word.push(part);
    else {
      for (const [index, piece] of fold(part).split(/[^\p{L}\p{N}\p{M}]+/u).entries()) {
        if (index > 0) end();
        if (piece !== "") word.push(piece);
      }
    }
  }
  end();
  return words;
}
