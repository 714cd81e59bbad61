import { assertEquals } from "@std/assert";
import { closeLedger, type LedgerCounts } from "../../../../src/core/contract/ledger.ts";
import { describePage, isWithoutMatch } from "../../../../src/core/contract/pages/ledger_page.ts";
import { provenanceOf } from "../_provenance.ts";

function page(counts: LedgerCounts, request: unknown = { query: "q", pageSize: 20 }, operation = "search") {
  return describePage(closeLedger(counts), provenanceOf(request, operation));
}

Deno.test("describePage() places a page among the matching records", () => {
  assertEquals(page({ promised: 112, received: 20 }), "records 1 to 20 of 112: page 1");
  assertEquals(
    page({ promised: 112, received: 12 }, { query: "q", pageNumber: 6, pageSize: 20 }),
    "records 101 to 112 of 112: page 6",
  );
  assertEquals(
    page({ promised: 2, received: 1 }, { query: "q", pageNumber: 2, pageSize: 1 }),
    "records 2 to 2 of 2: page 2",
  );
  // The defaults of the specification: page 1, 50 results.
  assertEquals(page({ promised: 60, received: 50 }, { query: "" }), "records 1 to 50 of 60: page 1");
  assertEquals(page({ promised: 60, received: 10 }, { query: "", pageNumber: 2 }), "records 51 to 60 of 60: page 2");
});

Deno.test("describePage() says how many pages there are when a page is beyond the last", () => {
  const request = { query: "q", pageNumber: 4, pageSize: 20 };
  assertEquals(page({ promised: 41, received: 0 }, request), "no records on page 4: 41 match, on 3 pages of 20");
  assertEquals(page({ promised: 20, received: 0 }, request), "no records on page 4: 20 match, on 1 page of 20");
  assertEquals(page({ promised: 61, received: 0 }, request), undefined, "the page has records that did not come");
  assertEquals(page({ promised: 60, received: 0 }, request), "no records on page 4: 60 match, on 3 pages of 20");
});

Deno.test("describePage() describes nothing but a page of a larger search", () => {
  const some = { promised: 112, received: 20 };
  assertEquals(page({ ...some, asked: 20 }), undefined, "records that were asked for by name");
  assertEquals(page({ promised: null, received: 20 }), undefined, "a registry that does not say how many match");
  assertEquals(page({ promised: 20, received: 20 }), undefined, "the whole result");
  assertEquals(page({ promised: 20, received: 21 }), undefined, "more than the whole result");
  assertEquals(page(some, { query: "q" }, "metadata"), undefined, "another operation");
  for (
    const request of [null, "query", {}, { pageSize: 20 }, { query: "q", pageSize: "20" }, {
      query: "q",
      pageNumber: "1",
    }]
  ) {
    assertEquals(page(some, request), undefined, JSON.stringify(request));
  }
});

Deno.test("describePage() describes several pages only when they are complete", () => {
  const request = { query: "q", pageSize: 20, pages: 2 };
  assertEquals(page({ promised: 112, received: 40 }, request), "records 1 to 40 of 112: page 1");
  assertEquals(page({ promised: 112, received: 40, truncated: true }, request), undefined);
  assertEquals(page({ promised: 112, received: 20, truncated: true }), "records 1 to 20 of 112: page 1");
});

Deno.test("isWithoutMatch() is true of a complete search that no record matches", () => {
  assertEquals(isWithoutMatch(closeLedger({ promised: 0, received: 0 })), true);
  assertEquals(isWithoutMatch(closeLedger({ promised: 0, received: 0, truncated: true })), false);
  assertEquals(isWithoutMatch(closeLedger({ promised: 0, received: 0, asked: 0 })), false);
  assertEquals(isWithoutMatch(closeLedger({ promised: 1, received: 0 })), false);
  assertEquals(isWithoutMatch(closeLedger({ promised: 0, received: 1 })), false);
  assertEquals(isWithoutMatch(closeLedger({ received: 0 })), false);
});
