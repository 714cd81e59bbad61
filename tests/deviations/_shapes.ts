/** Searches whose answers have other shapes than the specification shows. */
import type { Deviation, Deviations } from "./_deviation.ts";
import { id } from "./_exports.ts";
import { answer, json } from "../faults/_server.ts";

const FIELD = "Registry Accession";
const CSV = ["search", "country:Kenya", "--format", "csv"];
const hit = (number: number, more: Record<string, unknown> = {}) => ({
  id: `h${number}`,
  score: 1,
  source: { [FIELD]: id(number), Country: "Kenya", ...more },
});
const PLAIN = { total: 1, results: [hit(1)], facets: {}, query: "country:Kenya" };
const TABLE = `${FIELD},Country\n${id(1)},Kenya\n`;

/** A search whose one page is complete, and reads as the plain one does. */
const reads = (body: object, more: Partial<Deviation> = {}): Deviation => ({
  answers: { search: json(body) },
  cli: CSV,
  library: (registry) => registry.search("country:Kenya"),
  code: 0,
  output: TABLE,
  ledger: { received: 1, complete: true },
  rows: [{ Country: "Kenya" }],
  ...more,
});

/** The same body as JSON text, sent with another media type. */
const typed = (mediaType: string | null) => answer(200, { "content-type": mediaType }, JSON.stringify(PLAIN));

const { facets: _, query: __, ...WITHOUT } = PLAIN;
const { score: ___, ...SCORELESS } = hit(1);
const { id: ____, ...NAMELESS } = hit(1);

/** Searches in shapes of every kind. */
export const SHAPES: Deviations = {
  "the shape of the specification": reads(PLAIN),
  "a hit whose id is a number": reads({ ...PLAIN, results: [{ ...hit(1), id: 7 }] }),
  "a hit whose id is null": reads({ ...PLAIN, results: [{ ...hit(1), id: null }] }),
  "a hit without an id": reads({ ...PLAIN, results: [NAMELESS] }),
  "a hit without a score": reads({ ...PLAIN, results: [SCORELESS] }),
  "a hit whose score is a text": reads({ ...PLAIN, results: [{ ...hit(1), score: "1.5" }] }),
  "facets and query absent": reads(WITHOUT),
  "facets null": reads({ ...PLAIN, facets: null }),
  "facets as a list": reads({ ...PLAIN, facets: [{ field: "Country", values: [{ value: "Kenya", count: 1 }] }] }),
  "facets as buckets": reads({ ...PLAIN, facets: { country: { buckets: [{ key: "Kenya", doc_count: 1 }] } } }),
  "query as an object": reads({ ...PLAIN, query: { bool: { must: [] } } }),
  "query as a list": reads({ ...PLAIN, query: ["country:Kenya"] }),
  "keys that nobody named": reads({ ...PLAIN, took: 3, results: [{ ...hit(1), index: "records", highlight: {} }] }),
  "total as a text": reads({ ...PLAIN, total: "1" }),
  "total as a float": {
    ...reads({}),
    answers: { search: answer(200, {}, JSON.stringify(PLAIN).replace(":1,", ":1.0,")) },
  },
  "total as an object with an exact relation": reads({ ...PLAIN, total: { value: 1, relation: "eq" } }),
  "total as a lower bound": reads({ ...PLAIN, total: { value: 1, relation: "gte" } }, {
    code: 4,
    says: ["at least 1"],
    ledger: { received: 1, complete: false },
  }),
  "no total": reads({ results: [hit(1)] }, { code: 4, says: ["at least 1"], ledger: { complete: false } }),
  "total as a fraction": reads({ ...PLAIN, total: 1.5 }, {
    code: 1,
    says: ["total: expected an integer"],
    output: undefined,
    ledger: undefined,
    rows: undefined,
  }),
  "results as an object": reads({ ...PLAIN, results: {} }, {
    code: 1,
    says: ["results: expected an array"],
    output: undefined,
    ledger: undefined,
    rows: undefined,
  }),
  "JSON as plain text": { ...reads({}), answers: { search: typed("text/plain") } },
  "JSON as a file": { ...reads({}), answers: { search: typed("application/octet-stream") } },
  "JSON of no media type": { ...reads({}), answers: { search: typed(null) } },
  "JSON with a byte order mark": {
    ...reads({}),
    answers: { search: answer(200, { "content-type": "application/json" }, `\ufeff${JSON.stringify(PLAIN)}`) },
  },
  "an object as a value": reads({ ...PLAIN, results: [hit(1, { Place: { lat: -1.5, lon: 36 } })] }, {
    output: `${FIELD},Country,Place\n${id(1)},Kenya,"{""lat"":-1.5,""lon"":36}"\n`,
    rows: [{ Place: '{"lat":-1.5,"lon":36}' }],
  }),
  "integers beyond 2^53": {
    ...reads({}),
    answers: {
      search: answer(
        200,
        {},
        JSON.stringify(PLAIN).replace('"Kenya"}', '"Kenya","Taxid":90071992547409931,"Big":123456789012345678901}'),
      ),
    },
    output: `${FIELD},Country,Taxid,Big\n${id(1)},Kenya,90071992547409931,123456789012345678901\n`,
    rows: [{ Taxid: "90071992547409931", Big: "123456789012345678901" }],
  },
  "a list as a value": reads({ ...PLAIN, results: [hit(1, { Tags: ["a", "b"] })] }, {
    output: `${FIELD},Country,Tags\n${id(1)},Kenya,a;b\n`,
    rows: [{ Tags: ["a", "b"] }],
  }),
  "a line break and a tab in a value": reads({ ...PLAIN, results: [hit(1, { Note: "a\nb\tc" })] }, {
    cli: ["search", "country:Kenya", "--format", "tsv"],
    output: `${FIELD}\tCountry\tNote\n${id(1)}\tKenya\ta\\nb\\tc\n`,
    rows: [{ Note: "a\nb\tc" }],
  }),
};
