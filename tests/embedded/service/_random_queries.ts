/**
 * Random records, queries, filters and sorts on which engines like to disagree, and what a plain reading makes of them.
 */
import fc from "fast-check";
import { lookupFields } from "../../../src/core/query/fields.ts";
import { compareCodePoints } from "../../../src/core/query/fold.ts";
import { isMissing, readDecimal, readPartialDate } from "../../../src/core/contract/mod.ts";
import { compareKeys, type Key, keyKind, readKeys } from "../../../src/core/query/keys.ts";
import type { PageRequest } from "../../../src/embedded/service/store/store.ts";
import type { Facet } from "../../../src/core/contract/facets.ts";
import type { FieldType } from "../../../src/core/contract/metadata.ts";
import { definitionsOf } from "./_archives.ts";

export const TYPES: Readonly<Record<string, FieldType>> = {
  "Country": "string",
  "Host Species": "string",
  "Sequence Length": "integer",
  "GC": "float",
  "Collection Date": "date",
  "Tags": "list",
  "Segmented": "boolean",
};
export const COLUMNS = Object.keys(TYPES);
export const LOOKUP = lookupFields(definitionsOf({ columns: COLUMNS, rows: [], types: TYPES }));

/** Values that engines like to disagree on. */
const TEXTS = [
  "",
  "Germany",
  "germany",
  "GERMANY",
  "Ger%many",
  "a_b",
  "aXb",
  "a*b",
  "x?y",
  ".*",
  "(a|b)",
  "[1 TO 2]",
  "^$",
  "\\d",
  'say "hi"',
  "it's",
  "line\nbreak",
  "tab\there",
  "cr\rhere",
  " spaced ",
  "nul\0byte",
  "Côte d'Ivoire",
  "Co\u0302te d'Ivoire",
  "İstanbul",
  "straße",
  "STRASSE",
  "ΑΣ",
  "ας",
  "ΑΣ.ΑΒ",
  "H\u0331efa",
  "\u1e96efa",
  "😀 cat",
  "\uff5e wide",
  "zika zika zika",
  "SARS-CoV-2",
  "sars cov",
  "a;b",
  "A; b;;c",
  ";",
  "; ;",
  "b",
  "NOT",
  "true",
  "OR",
  "x:y",
  "-5",
  "?",
  "Not Collected",
  "not collected ",
  "yes",
  " F",
];
const NUMBERS = [
  "",
  "12",
  "12.0",
  "1e1",
  "10",
  "-5",
  "+7",
  "007",
  "12.0x",
  "37 years",
  "1e999",
  "NaN",
  "0",
  "-0",
  ".5",
  " 12 ",
  "\u00a012",
  "9007199254740992",
  "9007199254740993",
  "-9223372036854775808",
  "9223372036854775808",
  "?",
  "N/A",
];
const DATES = [
  "",
  "2013",
  "2013-12",
  "2013-12-XX",
  "2013-XX-XX",
  "2013-12-05",
  "2013-02-30",
  "2014-02",
  "2012-02-29",
  "2013-12-05T10:00Z",
  "unknown",
  "2013-XX-05",
  "2013-00-00",
  "05-Dec-2013",
  "Dec-2013",
  "2013-06/2014-02",
  "0000",
  "2013-13",
];
const LISTS = ["", "a", "a;b", "A; b;;c", ";", "b ;c", "ab", "a b;c"];

const valueOf = (type: FieldType): fc.Arbitrary<string> =>
  type === "integer" || type === "float"
    ? fc.constantFrom(...NUMBERS)
    : type === "date"
    ? fc.constantFrom(...DATES)
    : type === "list"
    ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...LISTS) }, fc.constantFrom(...TEXTS))
    : fc.constantFrom(...TEXTS);

export const row = fc.tuple(...COLUMNS.map((name) => valueOf(TYPES[name])));
const anyText = fc.constantFrom(...TEXTS, ...NUMBERS, ...DATES, ...LISTS);

const quoted = (text: string) => `"${text.replace(/["\\]/g, "\\$&")}"`;
const escaped = (text: string) => text.replace(/[\s()"\\*?:\[\]{}<>-]/g, "\\$&");
const field = fc.constantFrom(...LOOKUP.fields).chain(({ name, alias }) =>
  fc.constantFrom(alias, quoted(name), escaped(name))
);
const pattern = fc.array(
  fc.oneof(fc.constantFrom("*", "?"), anyText.map((text) => escaped(text.slice(0, 3))), fc.constantFrom("a", "b", "1")),
  { minLength: 1, maxLength: 4 },
).map((parts) => parts.join("")).filter((text) => text !== "");
/** Patterns that find something, across lines and signs too. */
const goodPattern = fc.constantFrom(
  "l*e?b*k",
  "*i*e*",
  "ger?an?",
  "c*te*",
  "*;*b",
  "a?b",
  "s*k? *",
  "z*a z?k*",
  "1*.?",
);
const word = fc.constantFrom(
  "zika",
  "sars",
  "SARS-CoV-2",
  "cov*",
  "*o*",
  "b?",
  "germany",
  "côte",
  "İstanbul",
  "2013",
  "vj00000000000?",
  "5",
  '"zika zika"',
  '"d ivoire"',
  "sars-*",
  "straße",
  "ΑΣ",
  "😀-cat",
);

function rangeOf(name: string, type: FieldType): fc.Arbitrary<string> {
  const values = (type === "integer" || type === "float")
    ? NUMBERS.filter((text) => readDecimal(text) !== undefined)
    : type === "date"
    ? DATES.filter((text) => readPartialDate(text) !== undefined)
    : TEXTS;
  const end = fc.constantFrom(...values);
  return fc.oneof(
    fc.tuple(fc.constantFrom("[", "{"), end, end, fc.constantFrom("]", "}"))
      .map(([open, from, to, close]) => `${name}:${open}${quoted(from)} TO ${quoted(to)}${close}`),
    fc.tuple(fc.constantFrom(">", ">=", "<", "<="), end).map(([sign, to]) => `${name}:${sign}${quoted(to)}`),
    end.map((from) => `${name}:[${quoted(from)} TO *]`),
    end.map((to) => `${name}:{* TO ${quoted(to)}}`),
  );
}

const clause = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(field, anyText).map(([name, text]) => `${name}:${quoted(text)}`) },
  fc.tuple(field, anyText.filter((text) => text !== "")).map(([name, text]) => `${name}:${escaped(text)}`),
  fc.tuple(field, fc.oneof(pattern, goodPattern.map((text) => text.replaceAll(" ", "\\ "))))
    .map(([name, text]) => `${name}:${text}`),
  field.map((name) => `${name}:*`),
  fc.tuple(field, anyText, anyText).map(([name, a, b]) => `${name}:(${quoted(a)} OR -${quoted(b)})`),
  fc.constantFrom(...LOOKUP.fields).chain(({ alias, type }) => rangeOf(alias, type)),
  { weight: 2, arbitrary: word },
  fc.constant("*"),
);
export const { query } = fc.letrec<{ query: string; part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    clause,
    tie("query").map((text) => `(${text})`),
    tie("part").map((text) => `-${text}`),
    tie("part").map((text) => `NOT ${text}`),
  ),
  query: fc.array(fc.oneof(tie("part"), word, word.map((text) => `-${text}`)), { minLength: 1, maxLength: 4 })
    .chain((parts) => fc.constantFrom(" ", " OR ", " AND ").map((glue) => parts.join(glue))),
}));
const filterValue = fc.oneof(anyText, fc.constantFrom(12, -5, 0, 0.5, true, false));
export const filter = fc.array(
  fc.record({
    field: fc.constantFrom(...LOOKUP.fields.map(({ name }) => name)),
    value: fc.oneof(filterValue, fc.array(filterValue, { minLength: 1, maxLength: 3 })),
  }),
  { maxLength: 2 },
);
export const sort = fc.option(
  fc.record({
    field: fc.constantFrom(...LOOKUP.fields.map(({ alias }) => alias)),
    order: fc.constantFrom("asc" as const, "desc" as const),
  }),
  { nil: undefined },
);

/** Orders rows as the seam promises: no value last, ties in the order of the archives. */
export function expectedOrder(
  rows: number[],
  records: readonly string[][],
  request: PageRequest["sort"],
  scores: number[],
): number[] {
  if (request === undefined) return rows.toSorted((a, b) => scores[b] - scores[a] || a - b);
  const field = LOOKUP.find(request.field)!;
  const keyOf = (row: number): Key | string | undefined => {
    const value = records[row][field.index];
    if (keyKind(field.type) !== undefined) return readKeys(value, field)?.start;
    return isMissing(value) ? undefined : value;
  };
  const sign = request.order === "desc" ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)];
    if (left === undefined || right === undefined) {
      return (left === undefined ? 1 : 0) - (right === undefined ? 1 : 0) || a - b;
    }
    const compared = typeof left !== "string" && typeof right !== "string"
      ? compareKeys(left, right)
      : compareCodePoints(String(left), String(right));
    return sign * compared || a - b;
  });
}

/** Counts values as facets do. */
export function expectedFacet(name: string, rows: readonly number[], records: readonly string[][]): Facet {
  const { index } = LOOKUP.find(name)!;
  const counts = new Map<string, number>();
  for (const row of rows) {
    const value = records[row][index];
    if (!isMissing(value)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const values = [...counts].map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || compareCodePoints(a.value, b.value)).slice(0, 20);
  return { field: name, values };
}
