/** Registries whose limits are smaller than the specification's, or that do not count. */
import { byBody, type Deviation, type Deviations } from "./_deviation.ts";
import { id } from "./_exports.ts";
import { answer, json, type Reply } from "../faults/_server.ts";

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

/** A registry that takes 100 results in a page at most, and gives the first page whatever its number. */
const firstPage = refusing(
  ({ pageSize }) => numberOf(pageSize, 50) > 100 ? refuse("pageSize", "must be at most 100") : undefined,
  byBody(({ pageSize }: Body) =>
    json({ total: 250, results: hits(0, numberOf(pageSize, 50)), facets: {}, query: QUERY })
  ),
);

const all = (search: Reply, more: Partial<Deviation> = {}): Deviation => ({
  answers: { search },
  cli: ALL,
  library: (registry) => registry.searchAll(QUERY).result(),
  code: 0,
  output: table(250),
  ledger: { received: 250, complete: true },
  ...more,
});

/** Refuses pages that end beyond record 100. */
const within100 = (reply: Reply) =>
  refusing(
    ({ pageSize, pageNumber }) =>
      numberOf(pageSize, 50) * numberOf(pageNumber, 1) > 100
        ? json({ detail: "Result window is too large, from + size must be less than or equal to: [100]" }, 400)
        : undefined,
    reply,
  );
const window = within100(pages(250));
const openWindow = within100(pages(250, { total: { value: 60, relation: "gte" } }));
const whole = answer(200, { "content-type": "text/csv" }, table(250));

const IDS = Array.from({ length: 250 }, (_, at) => id(at + 1));
const SELECTION = ["download", "--ids", "-", "--information", "metadata", "--type", "csv"];

/** Exports of the accessions asked for, in CSV. */
const selected = byBody(({ download }) => {
  const ids = typeof download === "object" && download !== null && "selected_ids" in download
    ? download.selected_ids
    : [];
  const rows = Array.isArray(ids) ? ids.map((each) => `${each}\n`) : [];
  return answer(200, { "content-type": "text/csv" }, `${FIELD}\n${rows.join("")}`);
});
const idsIn = (body: Body, key: string): number => {
  const { download } = body;
  const holder = new Map<string, unknown>(Object.entries(typeof download === "object" ? download ?? {} : {}));
  const ids = key === "selected_ids" ? holder.get(key) : body[key];
  return Array.isArray(ids) ? ids.length : 0;
};
const exported = (download: Reply, more: Partial<Deviation> = {}): Deviation => ({
  answers: { download },
  cli: SELECTION,
  stdin: IDS.join("\n"),
  library: (registry) => registry.metadata({ ids: IDS }),
  code: 0,
  output: table(250),
  ledger: { asked: 250, received: 250, complete: true },
  ...more,
});
const tooMany = (most: number, reply: Reply): Reply =>
  refusing((body) => idsIn(body, "selected_ids") > most ? reply : undefined, selected);

const FEW = IDS.slice(0, 80);
const sequences = byBody(({ registry_accessions: ids }) =>
  json(Object.fromEntries(Array.isArray(ids) ? ids.map((each) => [String(each), "ACGT"]) : []))
);

/** Limits of every kind. */
export const LIMITS: Deviations = {
  "a page limit, told by 422 with its number": all(limited(100), { requests: 4 }),
  "a page limit, told by 422 without a number": all(limited(100, "too many results"), { requests: 9 }),
  "a page limit, told by shorter pages": all(pages(250, { most: 100 })),
  "a page limit, and a page number that is ignored": {
    answers: { search: firstPage },
    cli: ["search", QUERY, "--page-size", "200", "--format", "csv"],
    library: (registry) => registry.search(QUERY, { pageSize: 200 }),
    code: 4,
    says: ["the page holds 100 records, 200 were to be expected", "the registry seems to ignore pageNumber"],
    output: table(100),
    ledger: { received: 100, duplicate: 0, complete: false },
  },
  "a page limit that does not divide 10,000, and 500 for a page that crosses it": all(
    refusing(
      ({ pageSize, pageNumber }) =>
        numberOf(pageSize, 50) > 300
          ? refuse("pageSize", "Input should be less than or equal to 300")
          : numberOf(pageSize, 50) * numberOf(pageNumber, 1) > 10_000
          ? json({ detail: "window" }, 500)
          : undefined,
      pages(10_000),
    ),
    { output: table(10_000), ledger: { received: 10_000, complete: true } },
  ),
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
      const text = await registry.searchAll(QUERY).explain();
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
  "paging that ends at record 100": all(window, {
    answers: { search: window, download: whole },
    cli: [...ALL, "--page-size", "50"],
    library: (registry) => registry.searchAll(QUERY, { pageSize: 50 }).result(),
    says: ["150 records beyond the first 100 came by an export"],
  }),
  "paging that ends at record 100, and no export": all(window, {
    answers: { search: window, download: json({ detail: "no exports" }, 400) },
    cli: [...ALL, "--page-size", "50"],
    library: (registry) => registry.searchAll(QUERY, { pageSize: 50 }).result(),
    code: 4,
    says: ["the registry refused the export of what lies beyond 100"],
    output: table(100),
    ledger: { received: 100, promised: 250, complete: false },
  }),
  "paging that ends at record 100, of everything": all(window, {
    cli: ["search", "--all", "--format", "csv", "--page-size", "50"],
    library: (registry) => registry.searchAll("", { pageSize: 50 }).result(),
    code: 4,
    says: ["250 records match, paging ends at 100, and an export needs a query"],
    output: table(100),
    ledger: { received: 100, promised: 250, complete: false },
  }),
  "paging that ends at record 100, and no exact total": all(openWindow, {
    answers: { search: openWindow, download: whole },
    cli: [...ALL, "--page-size", "50"],
    library: (registry) => registry.searchAll(QUERY, { pageSize: 50 }).result(),
    ledger: { received: 250, complete: true },
  }),
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
    library: (registry) => registry.searchAll(QUERY, { pageSize: 100 }).result(),
  }),
  "total as a lower bound, proved by the end": all(pages(250, { total: { value: 100, relation: "gte" } }), {
    cli: [...ALL, "--page-size", "100"],
    library: (registry) => registry.searchAll(QUERY, { pageSize: 100 }).result(),
    ledger: { promised: null, received: 250, complete: true },
  }),
  "total as a lower bound that is never reached": all(pages(250, { total: { value: 400, relation: "gte" } }), {
    code: 4,
    says: ["at least 400"],
    ledger: { received: 250, complete: false },
  }),
  "no total at all": all(pages(250, { total: null }), { ledger: { promised: null, received: 250, complete: true } }),
  "413 for a selection": exported(tooMany(100, answer(413))),
  "422 that names the ids, with its number": exported(
    refusing(
      (body) =>
        idsIn(body, "selected_ids") > 100
          ? json({
            detail: [{
              loc: ["body", "download", "selected_ids"],
              msg: "List should have at most 100 items after validation, not 250",
              type: "too_long",
            }],
          }, 422)
          : undefined,
      selected,
    ),
    { requests: 4 },
  ),
  "422 about one of the ids is final": exported(
    json({ detail: [{ loc: ["body", "download", "selected_ids", 3], msg: "at most 14 characters", type: "x" }] }, 422),
    { code: 1, says: ["selected_ids.3"], output: undefined, ledger: undefined, requests: 1 },
  ),
  "413 for sequences": {
    answers: {
      sequence: refusing((body) => idsIn(body, "registry_accessions") > 30 ? answer(413) : undefined, sequences),
    },
    cli: ["sequence", "--ids", "-"],
    stdin: FEW.join("\n"),
    library: (registry) => registry.sequences({ ids: FEW }),
    code: 0,
    output: FEW.map((each) => `>${each}\nACGT\n`).join(""),
    ledger: { asked: 80, received: 80, complete: true },
  },
  "422 that names the ids of sequences": {
    answers: {
      sequence: refusing(
        (body) =>
          idsIn(body, "registry_accessions") > 50
            ? refuse("registry_accessions", "ensure this value has at most 50 items", "value_error.list.max_items")
            : undefined,
        sequences,
      ),
    },
    cli: ["sequence", "--ids", "-", "--format", "json"],
    stdin: FEW.join("\n"),
    library: (registry) => registry.sequences({ ids: FEW }),
    code: 0,
    ledger: { asked: 80, received: 80, complete: true },
    requests: 3,
  },
};
