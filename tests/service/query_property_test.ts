/** Holds the database to the plain reading of queries, over random records, queries, filters, sorts and pages. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { readDateInterval } from "../../src/service/_date_interval.ts";
import { lookupFields } from "../../src/service/_fields.ts";
import { compareCodePoints, readNumber } from "../../src/service/_fold.ts";
import { openStore } from "../../src/service/open_store.ts";
import { evaluateQuery, scoreRecord } from "../../src/service/query_evaluate.ts";
import { readFilters } from "../../src/service/query_filter.ts";
import { parseQuery } from "../../src/service/query_parser.ts";
import type { PageRequest, RegistryStore } from "../../src/service/store.ts";
import type { Facet } from "../../src/spec/facets.ts";
import type { FieldType } from "../../src/spec/metadata.ts";
import type { SearchFilter } from "../../src/spec/search.ts";
import { formatAccession } from "../../src/spec/accession.ts";
import { definitionsOf, makeArchives } from "./_archives.ts";

const TYPES: Readonly<Record<string, FieldType>> = {
  "Country": "string",
  "Host Species": "string",
  "Sequence Length": "integer",
  "GC": "float",
  "Collection Date": "date",
  "Tags": "list",
  "Segmented": "boolean",
};
const COLUMNS = Object.keys(TYPES);
const LOOKUP = lookupFields(definitionsOf({ columns: COLUMNS, rows: [], types: TYPES }));

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

const row = fc.tuple(...COLUMNS.map((name) => valueOf(TYPES[name])));
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
    ? NUMBERS.filter((text) => readNumber(text) !== undefined)
    : type === "date"
    ? DATES.filter((text) => readDateInterval(text) !== undefined)
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
const { query } = fc.letrec<{ query: string; part: string }>((tie) => ({
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
const filter = fc.array(
  fc.record({
    field: fc.constantFrom(...LOOKUP.fields.map(({ name }) => name)),
    value: fc.oneof(filterValue, fc.array(filterValue, { minLength: 1, maxLength: 3 })),
  }),
  { maxLength: 2 },
);
const sort = fc.option(
  fc.record({
    field: fc.constantFrom(...LOOKUP.fields.map(({ alias }) => alias)),
    order: fc.constantFrom("asc" as const, "desc" as const),
  }),
  { nil: undefined },
);

/** Orders rows as the seam promises: no value last, ties in the order of the archives. */
function expectedOrder(rows: number[], records: string[][], request: PageRequest["sort"], scores: number[]): number[] {
  if (request === undefined) return rows.toSorted((a, b) => scores[b] - scores[a] || a - b);
  const { index, type } = LOOKUP.find(request.field)!;
  const numeric = type === "integer" || type === "float";
  const keyOf = (row: number): number | string | undefined => {
    const value = records[row][index];
    return numeric ? readNumber(value) : type === "date" ? readDateInterval(value)?.start : value || undefined;
  };
  const sign = request.order === "desc" ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)];
    if (left === undefined || right === undefined) {
      return (left === undefined ? 1 : 0) - (right === undefined ? 1 : 0) || a - b;
    }
    const compared = typeof left === "number" && typeof right === "number"
      ? left - right
      : compareCodePoints(String(left), String(right));
    return sign * compared || a - b;
  });
}

/** Counts values as facets do. */
function expectedFacet(name: string, rows: readonly number[], records: readonly string[][]): Facet {
  const { index } = LOOKUP.find(name)!;
  const counts = new Map<string, number>();
  for (const row of rows) {
    const value = records[row][index];
    if (value !== "") counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const values = [...counts].map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || compareCodePoints(a.value, b.value)).slice(0, 20);
  return { field: name, values };
}

async function checkSearch(
  store: RegistryStore,
  records: string[][],
  search: { query: string; filter: SearchFilter[]; sort: PageRequest["sort"]; pageSize: number },
): Promise<void> {
  const node = parseQuery(search.query, LOOKUP);
  const filters = readFilters(search.filter, LOOKUP);
  const rows = records.flatMap((values, index) =>
    evaluateQuery(node, values) && evaluateQuery(filters, values) ? [index] : []
  );
  const scores = records.map((values) => scoreRecord(node, values));
  const order = expectedOrder(rows, records, search.sort, scores);

  const found: number[] = [];
  for (let offset = 0; offset <= order.length; offset += search.pageSize) {
    const page = await store.search(search, { offset, limit: search.pageSize, sort: search.sort });
    assertEquals(page.total, order.length);
    const expected = order.slice(offset, offset + search.pageSize);
    assertEquals(page.records.map(({ accession }) => accession), expected.map((row) => formatAccession(row + 1)));
    assertEquals(page.records.map(({ values }) => values), expected.map((row) => records[row]));
    assertEquals(page.scores, expected.map((row) => search.sort === undefined ? scores[row] : null));
    assertEquals(page.facets, page.facets.map(({ field }) => expectedFacet(field, rows, records)));
    assert(page.facets.length > 0);
    found.push(...expected);
  }
  assertEquals(new Set(found).size, order.length);

  const streamed: string[] = [];
  for await (const batch of store.matching(search)) streamed.push(...batch.map(({ accession }) => accession));
  assertEquals(streamed, rows.map((row) => formatAccession(row + 1)));
}

Deno.test("the database finds what the plain reading finds: queries, filters, sorts, pages and facets", async () => {
  const tables = fc.sample(fc.array(row, { minLength: 40, maxLength: 60 }), { numRuns: 3, seed: 20 });
  for (const [index, rows] of tables.entries()) {
    const records = rows.map((cells, row) => [formatAccession(row + 1), ...cells]);
    await using world = await makeArchives({ columns: COLUMNS, rows, types: TYPES });
    await using store = await openStore(world.folder, { cacheFolder: world.cacheFolder });
    const search = fc.record({ query, filter, sort, pageSize: fc.integer({ min: 7, max: 30 }) });
    await fc.assert(
      fc.asyncProperty(search, (search) => checkSearch(store, records, search)),
      { numRuns: 150, seed: 100 + index, endOnFailure: false },
    );
  }
});
