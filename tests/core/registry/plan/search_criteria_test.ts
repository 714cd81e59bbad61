import { assertEquals } from "@std/assert";
import { formatAccession } from "../../../../src/core/contract/accession.ts";
import { SPECIFICATION_NAMING } from "../../../../src/core/contract/naming.ts";
import type { SearchResponse } from "../../../../src/core/contract/search.ts";
import { pageHits, pageLedger, searchRequest } from "../../../../src/core/registry/plan/search_criteria.ts";

function body(total: number, count: number, more: Partial<SearchResponse> = {}): SearchResponse {
  const results = Array.from({ length: count }, (_, index) => ({
    id: String(index),
    score: null,
    source: { "Registry Accession": formatAccession(index + 1), Country: "Kenya" },
  }));
  return { total, results, facets: {}, query: "", ...more };
}

const ledger = (
  answer: SearchResponse,
  request: Partial<Parameters<typeof pageLedger>[1]> = {},
) => pageLedger(answer, { query: "", ...request }, { naming: SPECIFICATION_NAMING });

Deno.test("searchRequest() sends what is asked for, and nothing that is not", () => {
  assertEquals(searchRequest({ query: "q" }), { query: "q" });
  assertEquals(searchRequest({ query: "q", filter: [] }, {}), { query: "q" });
  const filter = [{ field: "Country", value: "Kenya" }];
  assertEquals(
    searchRequest({ query: "q", filter, sort: { column: "Country" } }, { pageSize: 5, pageNumber: 2 }),
    { query: "q", filter, pageSize: 5, pageNumber: 2, sortColumn: "Country" },
  );
  const sort = { column: "Country", order: "desc" } as const;
  assertEquals(searchRequest({ query: "", sort }), { query: "", sortColumn: "Country", sortOrder: "desc" });
});

Deno.test("pageHits() takes no more hits than a page can hold", () => {
  const count = (...args: Parameters<typeof pageHits>) => pageHits(...args).length;
  assertEquals(count(body(100, 60), { query: "" }), 50);
  assertEquals(count(body(100, 60), { query: "", pageNumber: 2 }), 50);
  assertEquals(count(body(60, 20), { query: "", pageNumber: 2 }), 10);
  assertEquals(count(body(60, 20), { query: "", pageSize: 15 }), 15);
  assertEquals(count(body(60, 20), { query: "", pageSize: 20, pageNumber: 4 }), 0);
  assertEquals(count(body(3, 20), { query: "", pageSize: 20 }), 3);
  assertEquals(count(body(3, 20, { totalIsLowerBound: true }), { query: "", pageSize: 20 }), 20);
  assertEquals(count(body(0, 20), { query: "", pageSize: 15 }), 15);
});

Deno.test("pageLedger() is complete when the page holds what it can hold", () => {
  const complete = (...args: Parameters<typeof ledger>) => ledger(...args).complete;
  assertEquals(complete(body(100, 50), {}), true);
  assertEquals(complete(body(100, 50), { pageNumber: 2 }), true);
  assertEquals(complete(body(60, 10), { pageNumber: 2 }), true);
  assertEquals(complete(body(60, 0), { pageNumber: 3 }), true);
  // A page that crosses record 10,000 ends there.
  assertEquals(complete(body(20_000, 100), { pageSize: 300, pageNumber: 34 }), true);
  assertEquals(complete(body(20_000, 99), { pageSize: 300, pageNumber: 34 }), false);
});

Deno.test("pageLedger() counts what came, and says what is missing or too many", () => {
  const { promised, received, unique, duplicate, reasons } = ledger(body(100, 40), {});
  assertEquals({ promised, received, unique, duplicate }, { promised: 100, received: 40, unique: 40, duplicate: 0 });
  assertEquals(reasons, ["the page holds 40 records, 50 were to be expected of 100 in all"]);
  assertEquals(ledger(body(100, 51), {}).reasons, ["the page holds 51 records, more than the 50 asked for"]);
  assertEquals(ledger(body(30, 31), {}).reasons, [
    "the page holds 31 records, more than the 30 that the registry counts in all",
  ]);
  assertEquals(ledger(body(1, 0), {}).reasons, ["the page holds 0 records, 1 was to be expected of 1 in all"]);
  assertEquals(ledger(body(60, 11), { pageNumber: 2 }).reasons.length, 1);
  assertEquals(ledger(body(40, 0), { pageNumber: 2 }).reasons, []);
});

Deno.test("pageLedger() proves nothing by a total that is a lower bound", () => {
  const open = { totalIsLowerBound: true };
  const short = ledger(body(30, 30, open), {});
  assertEquals([short.promised, short.reasons.length], [null, 1]);
  assertEquals(short.reasons[0].startsWith("the registry counts at least 30 records, so a page of 30"), true);
  assertEquals(ledger(body(1, 1, open), {}).reasons[0].split(",")[0], "the registry counts at least 1 record");
  assertEquals(ledger(body(50, 50, open), {}).reasons, []);
  assertEquals(ledger(body(30, 40, open), {}).reasons.length, 1);
  assertEquals(ledger(body(40, 30, open), {}).reasons, [
    "the page holds 30 records, 40 were to be expected of 40 in all",
  ]);
});

Deno.test("pageLedger() counts records that repeat or have no valid accession", () => {
  const results = [
    ...body(0, 2).results,
    ...body(0, 1).results,
    { id: "x", score: null, source: { Country: "Peru" } },
    { id: "y", score: null, source: { "Registry Accession": "vj1" } },
    { id: "z", score: null, source: { "Registry Accession": 7 } },
  ];
  const { received, unique, unparsed, reasons, entries } = ledger({ ...body(6, 0), results });
  assertEquals({ received, unique, unparsed }, { received: 6, unique: 5, unparsed: 3 });
  assertEquals(entries.map(({ code, count }) => [code, count]), [["unreadable", 3]]);
  assertEquals(
    reasons.at(-1),
    '3 records without a valid accession: the record has no accession, "vj1" is not an accession: expected vj followed ' +
      'by 12 digits, likewise "7"',
  );
});

Deno.test("pageLedger() says when no record has the field of accessions, and which field has them", () => {
  const results = [{ id: "x", score: null, source: { Accession: formatAccession(1) } }];
  const { complete, reasons } = ledger({ ...body(1, 0), results }, {});
  assertEquals(complete, false);
  assertEquals(reasons[0].startsWith('no record has the field "Registry Accession"; "Accession" has accessions'), true);
});
