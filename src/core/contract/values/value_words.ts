/**
 * Words for missing that are values in their company.
 *
 * `NA` is a word for missing, a segment of influenza (neuraminidase) and the code of Namibia. It depends on the field
 * and on the other values of the column which of these it is; this is the only rule, and the
 * index of the embedded registry, comparisons, curation and all analyses use it:
 *
 * - in a field of segments `NA` is the segment if the column also names `HA`, `PB1`, `PB2` or `NEP`, or two of `PA`,
 *   `NP`, `M`, `MP` and `NS`, alone or within a text such as `4 (HA)`;
 * - in a field of countries `NA` is Namibia if more than half of the other distinct values are two-letter codes of
 *   countries, and at least two.
 *
 * The same holds for `na` among names or codes in lower case; other spellings, and all other fields, are unaffected.
 */
import { columnKeys } from "../fields/column_names.ts";
import { isMissing } from "./missing.ts";
import { trimWhiteSpace } from "./text.ts";

/** Kinds of fields in which a word for missing may be a value. */
export type WordField = "segment" | "country";

/** The roles of such fields, and their kinds. */
export const VALUE_KINDS: Readonly<Partial<Record<string, WordField>>> = {
  segment: "segment",
  country: "country",
  submitterCountry: "country",
};

/** Names by which fields of these roles are known, the preferred first. */
export const VALUE_FIELDS = {
  segment: ["segment", "segment_name"],
  country: [
    "country",
    "collection_country",
    "country_of_collection",
    "geo_loc_country",
    "geo_loc_name",
    "geographic_location",
    "geo_location",
  ],
  submitterCountry: ["submitter_country", "submission_country", "country_of_submission"],
} as const;

/** What a field of a name holds, if a word for missing may be a value in it. */
export function valueKindOf(field: string): WordField | undefined {
  const keys = columnKeys(field);
  const role = Object.entries(VALUE_FIELDS).find(([, names]) => names.some((name) => keys.includes(name)));
  return role && VALUE_KINDS[role[0]];
}

/** The words, one for each case of its company. */
export const VALUE_WORDS: readonly string[] = ["NA", "na"];
/** Names of segments that nothing else has, and those that other viruses use too. */
const [SURE, SHARED] = [["HA", "PB1", "PB2", "NEP"], ["PA", "NP", "M", "MP", "NS"]];
const REGIONS = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
const NONE: ReadonlySet<string> = new Set();

/** Whether a text is a word that may be a value. */
export function mayBeValue(text: unknown): boolean {
  return typeof text === "string" && VALUE_WORDS.includes(trimWhiteSpace(text));
}

/**
 * Finds the words for missing that are values in a column.
 *
 * @param texts Its texts, each at least once.
 * @returns The words without white space around them; empty for almost all columns.
 */
export function findValueWords(kind: WordField, texts: Iterable<unknown>): ReadonlySet<string> {
  const distinct = new Set([...texts].flatMap((text) => typeof text === "string" ? [trimWhiteSpace(text)] : []));
  const found = VALUE_WORDS.filter((word) => {
    if (!distinct.has(word)) return false;
    const others = [...distinct].filter((text) => !isMissing(text));
    return kind === "segment" ? namesSegments(others, caseOf(word)) : holdsCodes(others, caseOf(word));
  });
  return found.length === 0 ? NONE : new Set(found);
}

/** Writes capitals in the case of a word. */
function caseOf(word: string): (capitals: string) => string {
  return word === word.toUpperCase() ? (capitals) => capitals : (capitals) => capitals.toLowerCase();
}

function namesSegments(texts: readonly string[], inCase: (name: string) => string): boolean {
  const names = new Set(texts.flatMap((text) => text.split(/[^A-Za-z0-9]+/)));
  const countOf = (some: readonly string[]) => some.filter((name) => names.has(inCase(name))).length;
  return countOf(SURE) > 0 || countOf(SHARED) > 1;
}

function holdsCodes(texts: readonly string[], inCase: (code: string) => string): boolean {
  const heads = headsOf(texts);
  const codes = heads.filter((head) => inCase(head.toUpperCase()) === head && isAlpha2(head.toUpperCase()));
  return codes.length > 1 && codes.length > heads.length / 2;
}

/** The countries of texts such as `KE: Nairobi`. */
function headsOf(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => trimWhiteSpace(text.split(":")[0])))];
}

function isAlpha2(text: string): boolean {
  return /^[A-Z]{2}$/.test(text) && REGIONS.of(text) !== undefined;
}

/**
 * Whether a column of countries holds two-letter codes: more than half of its distinct values are such codes, or three
 * capitals.
 *
 * @param texts Its texts, each at least once.
 */
export function holdsCountryCodes(texts: Iterable<unknown>): boolean {
  const heads = headsOf([...texts].flatMap((text) => typeof text === "string" && !isMissing(text) ? [text] : []));
  const short = heads.filter((head) => isAlpha2(head.toUpperCase()));
  return short.length > 0 && short.length + heads.filter((head) => /^[A-Z]{3}$/.test(head)).length > heads.length / 2;
}

export function describeValueWord(kind: WordField, word: string, field: string): string {
  return kind === "segment"
    ? `${word} in ${field} is the segment of neuraminidase, not a missing value: other segments of influenza are there`
    : `${word} in ${field} is Namibia, not a missing value: most of the other values are two-letter codes of countries`;
}
