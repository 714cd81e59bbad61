import { assertEquals } from "@std/assert";
import { closeLedger } from "../../src/contract/ledger.ts";
import { VERSION } from "../../src/contract/version.ts";
import config from "../../deno.json" with { type: "json" };

Deno.test("closeLedger() is complete when nothing is absent, whatever is odd", () => {
  const ledger = closeLedger({ asked: 3, received: 4, unique: 3, warnings: ["1 came twice"] });

  assertEquals(ledger.complete, true);
  assertEquals(ledger.duplicate, 1);
});

Deno.test("closeLedger() gives a reason for everything that is absent", async (t) => {
  const counts: Record<string, [Parameters<typeof closeLedger>[0], reason: string]> = {
    "missing": [{ received: 0, missing: ["a"] }, "1 asked for is missing: a"],
    "unasked": [{ received: 1, unasked: ["a", "b"] }, "2 received but not asked for: a, b"],
    "unparsed in words": [
      { received: 0, unparsed: 1, unparsedReason: "1 hit has no accession" },
      "1 hit has no accession",
    ],
    "unparsed": [{ received: 0, unparsed: 2 }, "2 rows could not be read"],
    "one unparsed": [{ received: 0, unparsed: 1 }, "1 row could not be read"],
    "truncated": [{ received: 0, truncated: true }, "the result was truncated by a limit"],
    "a reason of the caller's": [{ received: 0, truncated: true, reasons: ["the first 10,000"] }, "the first 10,000"],
  };
  for (const [name, [given, reason]] of Object.entries(counts)) {
    await t.step(name, () => {
      const ledger = closeLedger(given);
      assertEquals(ledger.complete, false);
      assertEquals(ledger.reasons, [reason]);
    });
  }
});

Deno.test("closeLedger() keeps every missing name and shows twenty", () => {
  const missing = Array.from({ length: 25 }, (_, index) => `n${index}`);
  const ledger = closeLedger({ received: 0, missing });

  assertEquals(ledger.missing.length, 25);
  assertEquals(ledger.reasons[0].endsWith("n19 and 5 more"), true);
});

Deno.test("the version is the one that deno.json states", () => assertEquals(VERSION, config.version));
