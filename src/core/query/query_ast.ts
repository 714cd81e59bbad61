/**
 * What a query means, once it is read: a tree that an evaluator or a database can follow.
 *
 * Fields are column indices, never names, and texts are already folded: consumers of the tree need not look up or check
 * anything.
 */
import type { CastDefinition } from "../contract/values/mod.ts";
import type { Key, KeyInterval } from "./keys.ts";

/** A part of a pattern: characters as they are, any run of characters (`*`), or any one character (`?`). */
export type PatternPart = string | Wildcard;

export interface Wildcard {
  /** `*` for a run of any length, none included; `?` for one character. */
  readonly wildcard: "*" | "?";
}

export interface RangeEnd<T> {
  readonly value: T;
  /** Whether the value itself is in the range. */
  readonly inclusive: boolean;
}

export interface AllNode {
  readonly kind: "all";
}

/** Several conditions of which all (`and`) or at least one (`or`) must hold; not empty. */
export interface JoinNode {
  readonly kind: "and" | "or";
  readonly nodes: readonly QueryNode[];
}

/** A condition that must not hold. A record without a value does not hold the condition, so it is found. */
export interface NotNode {
  readonly kind: "not";
  /** The condition that must not hold. */
  readonly node: QueryNode;
}

/** The field has a value: neither empty nor a text that says that it is missing. */
export interface ExistsNode {
  readonly kind: "exists";
  /** Index of the field among the columns, from 0. */
  readonly field: number;
}

/** The value equals a text, ignoring case; or its keys lie within those of the text; or an element of the list does. */
export interface EqualsNode {
  readonly kind: "equals";
  /** Index of the field among the columns, from 0. */
  readonly field: number;
  /** Folded text. */
  readonly text: string;
  /** By what values are read. */
  readonly definition: CastDefinition;
  /** Keys of the text, for a field that has keys. */
  readonly within?: KeyInterval;
  /** Whether elements of a `;`-joined list count too. */
  readonly elements: boolean;
}

/** The value is one of some texts, exactly as written; or has the key. Filters mean this. */
export interface ExactNode {
  readonly kind: "exact";
  /** Index of the field among the columns, from 0. */
  readonly field: number;
  /** Texts, exactly as written. */
  readonly texts: readonly string[];
  /** By what values are read. */
  readonly definition: CastDefinition;
  /** Numbers and booleans, for a field of these. */
  readonly keys: readonly Key[];
  /** Whether elements of a `;`-joined list count too. */
  readonly elements: boolean;
}

/** The value as a whole fits a pattern, ignoring case; or an element of the list does. */
export interface MatchesNode {
  readonly kind: "matches";
  /** Index of the field among the columns, from 0. */
  readonly field: number;
  /** Pattern with folded texts. */
  readonly pattern: readonly PatternPart[];
  /** Whether elements of a `;`-joined list count too. */
  readonly elements: boolean;
}

/** All that the value may mean, a number or days, is in a range with at least one end. */
export interface KeyRangeNode {
  readonly kind: "key-range";
  /** Index of the field among the columns, from 0. */
  readonly field: number;
  /** By what values are read. */
  readonly definition: CastDefinition;
  /** Lower end; open when absent. For integers, an integer of 64 bits. */
  readonly from?: RangeEnd<Key>;
  /** Upper end; open when absent. For integers, an integer of 64 bits. */
  readonly to?: RangeEnd<Key>;
}

/** The folded value is in a range of code points with at least one end; a missing value is in none. */
export interface TextRangeNode {
  readonly kind: "text-range";
  /** Index of the field among the columns, from 0. */
  readonly field: number;
  /** Lower end; open when absent. */
  readonly from?: RangeEnd<string>;
  /** Upper end; open when absent. */
  readonly to?: RangeEnd<string>;
}

/** Words that stand one after the other in some value of the record, ignoring case and what is between words. */
export interface WordsNode {
  readonly kind: "words";
  /** One pattern for each word; not empty. */
  readonly words: readonly (readonly PatternPart[])[];
}

/** A condition that a record holds or does not. */
export type QueryNode =
  | AllNode
  | JoinNode
  | NotNode
  | ExistsNode
  | EqualsNode
  | ExactNode
  | MatchesNode
  | KeyRangeNode
  | TextRangeNode
  | WordsNode;

/** Joins conditions of which all must hold. */
export function allOf(nodes: readonly QueryNode[]): QueryNode {
  const real = nodes.filter((node) => node.kind !== "all");
  return real.length === 0 ? { kind: "all" } : real.length === 1 ? real[0] : { kind: "and", nodes: real };
}

export function isWildcard(part: PatternPart): part is Wildcard {
  return typeof part !== "string";
}

/** Collects the words that count for relevance: those without a wildcard that are not negated, in order, each once. */
export function scoringWords(node: QueryNode): string[][] {
  const found = new Map<string, string[]>();
  const visit = (node: QueryNode): void => {
    if (node.kind === "and" || node.kind === "or") node.nodes.forEach(visit);
    if (node.kind !== "words") return;
    const words = node.words.map((parts) => parts.length === 1 && typeof parts[0] === "string" ? parts[0] : "");
    if (!words.includes("")) found.set(words.join(" "), words);
  };
  visit(node);
  return [...found.values()];
}
