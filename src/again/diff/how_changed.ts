/** How a value changed between two versions of a table. */
import type { FieldType } from "@seqreg/core/contract";
import {
  groupKey,
  missingWord,
  type PartialDate,
  readPartialDate,
  readValue,
  trimWhiteSpace,
} from "@seqreg/core/contract/values";
import { readArray, splitList } from "@seqreg/core/contract/values/lists";

/**
 * How a value changed; the first of these that holds:
 *
 * - `space`: the texts differ in white space or Unicode form alone;
 * - `case`: they differ in case as well, or alone;
 * - `placeholder`: a word for missing came instead of a value or of another such word, or a value instead of it;
 * - `order`: the items of a list are the same in another order;
 * - `precision`: one date is part of the other, which is known less exactly (`2013` and `2013-05`);
 * - `type`: the same number, date or boolean is written in another way, or one of the two is not of the field's type;
 * - `value`: anything else, such as another value, or one that came or went.
 */
export type HowChanged = "space" | "case" | "placeholder" | "order" | "precision" | "type" | "value";

/** Every {@linkcode HowChanged}, in the order in which they are tried. */
export const HOW_CHANGED: readonly HowChanged[] = [
  "space",
  "case",
  "placeholder",
  "order",
  "precision",
  "type",
  "value",
];

/** What is known of the field whose value changed. */
export interface ChangedField {
  /** Type by which its values are read; `string` by default. */
  readonly type?: FieldType;
  /** Unit of its definition, such as `years`. */
  readonly unit?: string;
  /** Words for missing that are values in it: the segment `NA`, the code of Namibia. */
  readonly valueWords?: ReadonlySet<string>;
}

/**
 * Finds how a value changed. Both texts are as received; an empty text is no value, as `null` is.
 *
 * @param before The old text.
 * @param after The new text.
 * @param field Type and unit of the field, and its words for missing that are values.
 * @returns How they differ; `undefined` if they are equal.
 * @see Not shown in the specification: the kinds are our choice.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { howChanged } from "./how_changed.ts";
 *
 * assertEquals(howChanged("2013", "2013-05", { type: "date" }), "precision");
 * assertEquals(howChanged("Kenya", "kenya "), "case");
 * assertEquals(howChanged("37", "37.0", { type: "integer" }), "type");
 * assertEquals(howChanged("Kenya", "not collected"), "placeholder");
 * assertEquals(howChanged("HA", "NA", { valueWords: new Set(["NA"]) }), "value");
 * assertEquals(howChanged("bat;pig", "pig; bat"), "order");
 * assertEquals(howChanged("Kenya", null), "value");
 * ```
 */
export function howChanged(
  before: string | null,
  after: string | null,
  { type = "string", unit = "", valueWords }: ChangedField = {},
): HowChanged | undefined {
  const [old, now] = [before ?? "", after ?? ""];
  if (old === now) return undefined;
  const [oldKey, newKey] = [foldSpace(old), foldSpace(now)];
  if (oldKey === newKey) return "space";
  // A change of case or spaces within a word for missing is one of case or spaces.
  if (foldCase(oldKey) === foldCase(newKey)) return "case";
  const isPlaceholder = (text: string) => Boolean(missingWord(text)) && !valueWords?.has(trimWhiteSpace(text));
  if (isPlaceholder(old) || isPlaceholder(now)) return "placeholder";
  if (oldKey === "" || newKey === "") return "value";
  if (type === "list" || [old, now].every((text) => text.includes(";") || readArray(text) !== undefined)) {
    const items = (text: string) => splitList(text).map(foldSpace).sort().join(";");
    if (items(old) === items(now)) return "order";
  }
  return howReadingChanged(old, now, { type, unit });
}

function howReadingChanged(
  old: string,
  now: string,
  { type, unit }: Required<Pick<ChangedField, "type" | "unit">>,
): HowChanged {
  if (type === "string" || type === "list") return "value";
  const [first, second] = [old, now].map((text) => readValue(text, { type, unit }));
  if (first.kind !== "value" || second.kind !== "value") {
    // Where neither fits the type, there is no type to lose.
    return first.kind === second.kind ? "value" : "type";
  }
  if (type !== "date") return first.value === second.value ? "type" : "value";
  const [from, to] = [readPartialDate(old), readPartialDate(now)];
  return from === undefined || to === undefined ? "value" : howDateChanged(from, to);
}

function howDateChanged(from: PartialDate, to: PartialDate): HowChanged {
  if (from.earliest === to.earliest && from.latest === to.latest) return "type";
  const isWithin = (inner: PartialDate, outer: PartialDate) =>
    inner.earliest >= outer.earliest && inner.latest <= outer.latest;
  return isWithin(from, to) || isWithin(to, from) ? "precision" : "value";
}

function foldSpace(text: string): string {
  return groupKey(text.normalize("NFKC").replace(/\p{White_Space}+/gu, " "));
}

function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase();
}
