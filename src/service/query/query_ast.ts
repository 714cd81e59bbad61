/**
 * What a query means, once it is read: a tree that an evaluator or a database can follow.
 *
 * Fields are places among the archives' columns, never names, and texts are folded where they compare folded: whoever
 * follows the tree has nothing left to look up or to check.
 *
 * @module
 */
import type { DateInterval } from "../store/date_interval.ts";

export type { DateInterval } from "../store/date_interval.ts";

/** A part of a pattern: letters as they are, any run of letters (`*`), or any one letter (`?`). */
export type PatternPart = string | Wildcard;

/** A wildcard in a pattern. */
export interface Wildcard {
  /** `*` for a run of any length, none included; `?` for one letter. */
  readonly wildcard: "*" | "?";
}

/** One end of a range. */
export interface RangeEnd<T> {
  /** Value at the end. */
  readonly value: T;
  /** Whether the value itself is in the range. */
  readonly inclusive: boolean;
}

/** Every record. */
export interface AllNode {
  /** Kind of the condition. */
  readonly kind: "all";
}

/** Several conditions of which all (`and`) or at least one (`or`) must hold; not empty. */
export interface JoinNode {
  /** Kind of the condition. */
  readonly kind: "and" | "or";
  /** The conditions. */
  readonly nodes: readonly QueryNode[];
}

/** A condition that must not hold. A record without a value does not hold the condition, so it is found. */
export interface NotNode {
  /** Kind of the condition. */
  readonly kind: "not";
  /** The condition that must not hold. */
  readonly node: QueryNode;
}

/** The field has a value. */
export interface ExistsNode {
  /** Kind of the condition. */
  readonly kind: "exists";
  /** Place of the field among the columns, counted from 0. */
  readonly field: number;
}

/** The value equals a text, ignoring case; or the number; or lies within the date; or an element of the list does. */
export interface EqualsNode {
  /** Kind of the condition. */
  readonly kind: "equals";
  /** Place of the field among the columns, counted from 0. */
  readonly field: number;
  /** Folded text. */
  readonly text: string;
  /** The text as a number, for a field of numbers. */
  readonly number?: number;
  /** The text as a date, for a field of dates. */
  readonly date?: DateInterval;
  /** Whether elements of a `;`-joined list count too. */
  readonly elements: boolean;
}

/** The value is one of some texts, exactly as written; or the number. Filters mean this. */
export interface ExactNode {
  /** Kind of the condition. */
  readonly kind: "exact";
  /** Place of the field among the columns, counted from 0. */
  readonly field: number;
  /** Texts, exactly as written. */
  readonly texts: readonly string[];
  /** Numbers, for a field of numbers. */
  readonly numbers: readonly number[];
  /** Whether elements of a `;`-joined list count too. */
  readonly elements: boolean;
}

/** The value as a whole fits a pattern, ignoring case; or an element of the list does. */
export interface MatchesNode {
  /** Kind of the condition. */
  readonly kind: "matches";
  /** Place of the field among the columns, counted from 0. */
  readonly field: number;
  /** Pattern with folded texts. */
  readonly pattern: readonly PatternPart[];
  /** Whether elements of a `;`-joined list count too. */
  readonly elements: boolean;
}

/** The value, read as a number, is in a range with at least one end. */
export interface NumberRangeNode {
  /** Kind of the condition. */
  readonly kind: "number-range";
  /** Place of the field among the columns, counted from 0. */
  readonly field: number;
  /** Lower end; open when absent. */
  readonly from?: RangeEnd<number>;
  /** Upper end; open when absent. */
  readonly to?: RangeEnd<number>;
}

/** All days that the value may mean are in a range with at least one end; days are numbers `yyyymmdd`. */
export interface DateRangeNode {
  /** Kind of the condition. */
  readonly kind: "date-range";
  /** Place of the field among the columns, counted from 0. */
  readonly field: number;
  /** Lower end; open when absent. */
  readonly from?: RangeEnd<number>;
  /** Upper end; open when absent. */
  readonly to?: RangeEnd<number>;
}

/** The folded value is in a range of code points with at least one end; an empty value is in none. */
export interface TextRangeNode {
  /** Kind of the condition. */
  readonly kind: "text-range";
  /** Place of the field among the columns, counted from 0. */
  readonly field: number;
  /** Lower end; open when absent. */
  readonly from?: RangeEnd<string>;
  /** Upper end; open when absent. */
  readonly to?: RangeEnd<string>;
}

/** Words that stand one after the other in some value of the record, ignoring case and what is between words. */
export interface WordsNode {
  /** Kind of the condition. */
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
  | NumberRangeNode
  | DateRangeNode
  | TextRangeNode
  | WordsNode;

/** Joins conditions of which all must hold. */
export function allOf(nodes: readonly QueryNode[]): QueryNode {
  const real = nodes.filter((node) => node.kind !== "all");
  return real.length === 0 ? { kind: "all" } : real.length === 1 ? real[0] : { kind: "and", nodes: real };
}

/** Tells whether a part of a pattern is a wildcard. */
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
