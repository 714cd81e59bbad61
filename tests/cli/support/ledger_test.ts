import { assertEquals } from "@std/assert";
import { summarize } from "../../../src/cli/support/ledger.ts";
import { closeLedger, type LedgerCounts, type Provenance } from "../../../src/core/contract/ledger.ts";

const PROVENANCE: Provenance = {
  operation: "search",
  registry: null,
  request: {},
  bytes: 1500,
  sha256: null,
  started: "2026-01-31T23:59:59.000Z",
  finished: "2026-01-31T23:59:59.500Z",
  toolkit: "seqreg 0.3.0",
};

Deno.test("the summary of a ledger is one line that counts what there is", () => {
  const cases: [counts: LedgerCounts, unit: string | undefined, line: string][] = [
    [{ received: 2, promised: 2 }, undefined, "search: complete, 2 records received, 2 promised, 1.5 kB"],
    [{ received: 1 }, undefined, "search: complete, 1 record received, 1.5 kB"],
    [{ received: 1 }, 'records joined by "id"', 'search: complete, 1 record joined by "id" received, 1.5 kB'],
    [
      { received: 1, asked: 2, missing: ["vj000000000002"] },
      "sequences",
      "search: INCOMPLETE, 1 sequence received, 2 asked for, 1 missing (vj000000000002), 1.5 kB",
    ],
  ];

  for (const [counts, unit, line] of cases) {
    assertEquals(summarize(closeLedger(counts), PROVENANCE, unit), line);
  }
});
