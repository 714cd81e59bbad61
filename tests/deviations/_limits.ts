/** Registries whose limits are smaller than the specification's, or that do not count. */
import { byBody, type Deviation, type Deviations } from "./_deviation.ts";
import { id } from "./_exports.ts";
import { json, type Reply } from "../faults/_server.ts";

const FIELD = "Registry Accession";
const QUERY = "country:Kenya";
const ALL = ["search", QUERY, "--all", "--format", "csv"];
type Body = Readonly<Record<string, unknown>>;

const numberOf = (value: unknown, otherwise: number) => typeof value === "number" ? value : otherwise;
const hits = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, at) => ({
    id: String(from + at),
    score: 1,
    source: { [FIELD]: id(from + at + 1) },
  }));
const table = (count: number) => `${FIELD}\n${hits(0, count).map(({ source }) => `${source[FIELD]}\n`).join("")}`;

/** A status 422 about one key of the body. */
const refuse = (key: string, msg: string, type = "less_than_equal"): Reply =>
  json({ detail: [{ loc: ["body", key], msg, type }] }, 422);

/** A registry of so many records: `most` results in a page, whatever is asked for, and a total as it is stated. */
const pages = (count: number, { most = Infinity, total = count }: { most?: number; total?: unknown } = {}): Reply =>
  byBody(({ pageSize, pageNumber }: Body) => {
    const size = Math.min(numberOf(pageSize, 50), most);
    const start = (numberOf(pageNumber, 1) - 1) * size;
    const results = hits(start, Math.min(count, start + size, 10_000));
    return json({ total, results, facets: {}, query: QUERY });
  });

/** Refuses some requests, and answers the others. */
const refusing = (isRefused: (body: Body) => Reply | undefined, reply: Reply): Reply =>
  byBody((body) => isRefused(body) ?? reply);

const limited = (most: number, msg = `Input should be less than or equal to ${most}`): Reply =>
  refusing(({ pageSize }) => numberOf(pageSize, 50) > most ? refuse("pageSize", msg) : undefined, pages(250));

const all = (search: Reply, more: Partial<Deviation> = {}): Deviation => ({
  answers: { search },
  cli: ALL,
  library: (registry) => registry.search(QUERY, { all: true }),
  code: 0,
  output: table(250),
  ledger: { received: 250, complete: true },
  ...more,
});

/** Limits of every kind. */
export const LIMITS: Deviations = {
  "a page limit, told by 422 with its number": all(limited(100), { requests: 4 }),
  "a page limit, told by 422 without a number": all(limited(100, "too many results"), { requests: 9 }),
  "a page limit, told by shorter pages": all(pages(250, { most: 100 })),
  "a page limit that one page meets": {
    answers: { search: limited(100) },
    cli: ["search", QUERY, "--page-size", "200", "--page", "1", "--format", "csv"],
    library: (registry) => registry.search(QUERY, { pageSize: 200 }),
    code: 0,
    output: table(200),
    ledger: { received: 200, complete: true },
  },
  "a page limit that one page of JSON meets": {
    answers: { search: limited(100) },
    cli: ["search", QUERY, "--page-size", "200", "--format", "json"],
    code: 4,
    says: ["--page-size 100"],
    ledger: { received: 100, complete: false },
  },
  "a page limit, explained": {
    answers: { search: limited(100) },
    library: async (registry) => {
      const text = await registry.explain(QUERY);
      const { ledger } = await registry.search(QUERY, { pageSize: 1 });
      return { ledger: { ...ledger, warnings: [text] } };
    },
    code: 0,
    says: ["at most 100 results in a page", "pages of 100 reach all 250 records"],
  },
  "a refused page that crosses record 10,000": {
    answers: {
      search: refusing(
        ({ pageSize, pageNumber }) =>
          numberOf(pageSize, 50) * numberOf(pageNumber, 1) > 10_000
            ? json({ detail: "the window is too large" }, 400)
            : undefined,
        pages(10_000, { total: 10_000 }),
      ),
    },
    library: async (registry) => {
      const page = await registry.search(QUERY, { pageSize: 3000, pageNumber: 4 });
      return { ledger: page.ledger, rows: [{ first: page.rows[0][FIELD], last: page.rows.at(-1)?.[FIELD] }] };
    },
    cli: ["search", QUERY, "--page-size", "3000", "--page", "4", "--format", "csv"],
    code: 0,
    output: `${FIELD}\n${hits(9000, 10_000).map(({ source }) => `${source[FIELD]}\n`).join("")}`,
    ledger: { received: 1000, complete: true },
    rows: [{ first: id(9001), last: id(10_000) }],
  },
  "a refusal of something else is final": {
    answers: { search: refuse("sortColumn", "unknown field, expected one of 20", "value_error") },
    cli: ["search", QUERY, "--sort", "x", "--page-size", "3000", "--page", "4"],
    code: 1,
    says: ["sortColumn"],
    requests: 1,
  },
  "a page size that is malformed is final": {
    answers: { search: refuse("pageSize", "field required", "missing") },
    cli: ["search", QUERY, "--page-size", "100"],
    code: 1,
    says: ["pageSize"],
    requests: 1,
  },
  "total 0 with full pages": all(pages(250, { total: 0 }), {
    cli: [...ALL, "--page-size", "100"],
    library: (registry) => registry.search(QUERY, { all: true, pageSize: 100 }),
  }),
  "total as a lower bound, proved by the end": all(pages(250, { total: { value: 100, relation: "gte" } }), {
    cli: [...ALL, "--page-size", "100"],
    library: (registry) => registry.search(QUERY, { all: true, pageSize: 100 }),
    ledger: { promised: null, received: 250, complete: true },
  }),
  "total as a lower bound that is never reached": all(pages(250, { total: { value: 400, relation: "gte" } }), {
    code: 4,
    says: ["at least 400"],
    ledger: { received: 250, complete: false },
  }),
  "no total at all": all(pages(250, { total: null }), { ledger: { promised: null, received: 250, complete: true } }),
};
