import { assertEquals, assertStringIncludes } from "@std/assert";
import { closeLedger, type Ledger } from "../../../src/core/contract/ledger.ts";
import { ledgerView } from "../../../src/jupyter/notebook/ledger_view.ts";
import { provenanceOf } from "../../core/contract/_provenance.ts";
import { noteEntry } from "../../../src/core/contract/ledger_entries.ts";

Deno.test("a ledger is green when complete and says why when not", () => {
  const good = ledgerView(closeLedger({ asked: 3, promised: 3, received: 3 }));
  const bad = ledgerView(
    closeLedger({
      asked: 3,
      received: 2,
      missing: ["vj000000000003"],
      unparsed: 1,
      entries: [noteEntry("unchanged", "odd")],
    }),
  );

  assertStringIncludes(good["text/html"]!, "#2e7d32");
  assertStringIncludes(bad["text/html"]!, "#c62828");
  assertEquals(bad["text/plain"].split("\n"), [
    "Incomplete: asked for 3, received 2, missing 1 (vj000000000003), unreadable 1",
    "  ✗ 1 of 3 asked for is missing: vj000000000003",
    "  ✗ 1 row could not be read",
    "  ! odd",
  ]);
});

Deno.test("a ledger states how many of its reasons and warnings are not shown", () => {
  const entries = Array.from({ length: 53 }, (_, index) => noteEntry("unchanged", `note ${index + 1}`));
  const lines = ledgerView(closeLedger({ received: 1, entries }))["text/plain"].split("\n");

  assertEquals([lines.length, ...lines.slice(-2)], [52, "  ! note 50", "  … and 3 more"]);
});

Deno.test("a ledger of an older toolkit, without unasked records, is shown", () => {
  const { unasked: _, ...older } = closeLedger({ asked: 2, received: 2 });

  assertEquals(ledgerView(older as Ledger)["text/plain"], "Complete: asked for 2, received 2");
});

Deno.test("a ledger tells a whole page from a whole result", () => {
  const words = (counts: Parameters<typeof closeLedger>[0]) => ledgerView(closeLedger(counts))["text/plain"];

  assertEquals(words({ promised: 75, received: 10 }), "Complete page: 75 match, this page holds 10");
  assertEquals(words({ promised: 75, received: 75 }), "Complete: 75 match, received 75");
  assertEquals(
    words({ promised: 75, received: 70, entries: [noteEntry("fewer-than-promised", "the rest did not come")] }).split(
      "\n",
    )[0],
    "Incomplete: 75 match, received 70",
  );
});

Deno.test("a page says which records it holds, and a search without a match is not green", async (t) => {
  const rows: Record<string, [counts: Parameters<typeof closeLedger>[0], request: unknown, words: string]> = {
    "the first": [
      { promised: 112, received: 20 },
      { query: "a", pageSize: 20 },
      "Complete page: records 1 to 20 of 112: page 1",
    ],
    "the last": [
      { promised: 112, received: 12 },
      { query: "a", pageSize: 20, pageNumber: 6 },
      "Complete page: records 101 to 112 of 112: page 6",
    ],
    "sizes by default": [
      { promised: 112, received: 50 },
      { query: "a" },
      "Complete page: records 1 to 50 of 112: page 1",
    ],
    "beyond the last": [
      { promised: 112, received: 0 },
      { query: "a", pageSize: 20, pageNumber: 9 },
      "Complete page: no records on page 9: 112 match, on 6 pages of 20",
    ],
    "one that lacks some": [
      { promised: 112, received: 18, entries: [noteEntry("page-short", "two are not there")] },
      { query: "a", pageSize: 20 },
      "Incomplete: records 1 to 18 of 112: page 1",
    ],
    "all of them": [{ promised: 20, received: 20 }, { query: "a", pageSize: 20 }, "Complete: 20 match, received 20"],
    "several requests that lack some": [
      { promised: 112, received: 18, entries: [noteEntry("page-short", "a page broke")] },
      { query: "a", pageSize: 20, pages: 2 },
      "Incomplete: 112 match, received 18",
    ],
    "none": [{ promised: 0, received: 0 }, { query: "a" }, "No records match"],
  };
  for (const [name, [counts, request, words]] of Object.entries(rows)) {
    await t.step(name, () => {
      const view = ledgerView(closeLedger(counts), provenanceOf(request));
      assertEquals(view["text/plain"].split("\n")[0], words);
      assertEquals(view["text/html"]!.includes("✓"), words.startsWith("Complete"));
      assertEquals(view["text/html"]!.includes("#2e7d32"), words.startsWith("Complete"));
    });
  }
});
