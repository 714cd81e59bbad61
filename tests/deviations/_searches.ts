/** Pages of a search that are not what was asked for. */
import type { Deviations } from "./_deviation.ts";
import { answer, json, raw } from "../faults/_server.ts";
import { id } from "./_exports.ts";

const hit = (accession: unknown, rest: Readonly<Record<string, unknown>> = {}) => ({
  id: "1",
  score: 1,
  source: { "Registry Accession": accession, Country: "Kenya", ...rest },
});
const page = (results: readonly unknown[], total = results.length) => json({ total, results, facets: {}, query: "x" });
const CSV = ["--format", "csv"];

export const SEARCHES: Deviations = {
  "nothing": {
    answers: { search: page([hit(id(1))]) },
    cli: ["search", "x", ...CSV],
    library: (registry) => registry.search("x"),
    code: 0,
    output: `Registry Accession,Country\n${id(1)},Kenya\n`,
    ledger: { received: 1, promised: 1 },
  },
  "more hits than the page size": {
    answers: { search: page([hit(id(1)), hit(id(2)), hit(id(3))], 9) },
    cli: ["search", "x", "--page-size", "2", ...CSV],
    library: (registry) => registry.search("x", { pageSize: 2 }),
    code: 4,
    says: ["the page holds 3 records, more than the 2 asked for"],
    output: `Registry Accession,Country\n${id(1)},Kenya\n${id(2)},Kenya\n`,
    ledger: { received: 3 },
    rows: [{ "Registry Accession": id(1) }, { "Registry Accession": id(2) }],
  },
  "more hits than the total": {
    answers: { search: page([hit(id(1)), hit(id(2))], 1) },
    cli: ["search", "x", ...CSV],
    library: (registry) => registry.search("x"),
    code: 4,
    says: ["the page holds 2 records, more than the 1 that the registry counts in all"],
    rows: [{ "Registry Accession": id(1) }],
  },
  "a hit without an accession": {
    answers: { search: page([hit(id(1)), hit(undefined)]) },
    cli: ["search", "x", ...CSV],
    library: (registry) => registry.search("x"),
    code: 4,
    says: ["the record has no accession"],
    ledger: { unparsed: 1, received: 2 },
  },
  "a hit with a malformed accession": {
    answers: { search: page([hit(5), hit("../../etc/passwd")]) },
    cli: ["search", "x", ...CSV],
    library: async (registry) => {
      const result = await registry.search("x");
      return { ledger: result.ledger, rows: result.accessions.map((accession) => ({ accession })) };
    },
    code: 4,
    says: ['"5" is not an accession', 'likewise "../../etc/passwd"'],
    ledger: { unparsed: 2 },
    rows: [],
  },
  "a hit with a malformed accession among all": {
    answers: { search: page([hit(id(1)), hit("5")]) },
    cli: ["search", "x", "--all", ...CSV],
    library: (registry) => registry.searchAll("x").result(),
    code: 4,
    ledger: { unparsed: 1, received: 2 },
  },
  "an outage notice": {
    answers: { search: answer(200, { "content-type": "text/plain" }, "Back at nine.") },
    cli: ["search", "x"],
    library: (registry) => registry.search("x"),
    code: 1,
    says: ["first line: Back at nine."],
  },
  "CSV": {
    answers: { search: answer(200, { "content-type": "text/csv" }, "id,score\n1,2\n") },
    cli: ["search", "x"],
    library: (registry) => registry.search("x"),
    code: 1,
    says: ["a CSV table", "first line: id,score"],
  },
  "status 202": {
    answers: { search: answer(202, {}, "queued") },
    cli: ["search", "x"],
    library: (registry) => registry.search("x"),
    code: 1,
    says: ["(202)"],
  },
  "status 204": {
    answers: { search: raw("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n") },
    cli: ["search", "x"],
    library: (registry) => registry.search("x"),
    code: 1,
    says: ["(204)"],
  },
  "values that do not fit their type, in Parquet": {
    answers: {
      search: json({
        total: 1,
        results: [{ id: "1", score: 1, source: { "Registry Accession": id(1), "Sequence Length": "1,234" } }],
        facets: {},
        query: "x",
      }),
      definitions: json([
        { name: "Registry Accession", alias: "registry_accession", type: "string" },
        { name: "Sequence Length", alias: "sequence_length", type: "integer" },
      ]),
    },
    cli: ["search", "x", "--format", "parquet"],
    library: async (registry) => {
      const page = await registry.search("x");
      await page.frame();
      return page;
    },
    code: 0,
    says: ["1 value does not fit Sequence Length, declared integer"],
    ledger: { received: 1, complete: true },
  },
};
