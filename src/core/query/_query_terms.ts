/** What the parser of queries makes of terms: texts, words, conditions. */
import type { CastDefinition } from "../contract/values/mod.ts";
import type { Field } from "./fields.ts";
import { fold } from "./fold.ts";
import { readKeys } from "./keys.ts";
import type { PatternPart, QueryNode } from "./query_ast.ts";

export function isSpace(character: string): boolean {
  return /\s/.test(character);
}

export function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'";
}

/** The text of a term, its wildcards left out. */
export function plainText(parts: readonly PatternPart[]): string {
  return parts.filter((part) => typeof part === "string").join("");
}

/** By what values of a field are read. */
export function definitionOf({ type, unit }: Field): CastDefinition {
  return { type, unit };
}

/** The condition that a field equals a text, by the rules of the field's type. */
export function equalsNode(field: Field, text: string): QueryNode {
  return {
    kind: "equals",
    field: field.index,
    text: fold(text),
    definition: definitionOf(field),
    within: readKeys(text, field),
    elements: field.type === "list",
  };
}

/** Splits a term into words: any character except letters, digits, marks and wildcards separates them. */
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
