import { assertEquals, assertThrows } from "@std/assert";
import {
  closeLedger,
  extendLedger,
  joinLedgers,
  listSome,
  quoteValue,
  withEntries,
} from "../../../src/core/contract/ledger.ts";
import { areSavedEntries, noteEntry, savedEntries } from "../../../src/core/contract/ledger_entries.ts";
import { VERSION } from "../../../src/core/contract/version.ts";
import config from "../../../deno.json" with { type: "json" };

Deno.test("closeLedger() is complete when nothing is absent, whatever is odd", () => {
  const ledger = closeLedger({ asked: 3, received: 4, unique: 3, entries: [noteEntry("duplicates", "1 came twice")] });

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
    "a reason of the caller's": [
      { received: 0, truncated: true, entries: [noteEntry("beyond-paging", "the first 10,000")] },
      "the first 10,000",
    ],
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

Deno.test("closeLedger() takes what was counted as it is", () => {
  assertEquals(closeLedger({ received: 3 }), {
    asked: null,
    promised: null,
    received: 3,
    unique: 3,
    duplicate: 0,
    missing: [],
    unasked: [],
    unparsed: 0,
    truncated: false,
    complete: true,
    entries: [],
    reasons: [],
    warnings: [],
  });
  const counts = { asked: 4, promised: 5, missing: ["a"], unasked: ["b"], unparsed: 2, truncated: true };
  assertEquals(closeLedger({ ...counts, received: 3, unique: 0, entries: [noteEntry("unchanged", "odd")] }), {
    ...counts,
    received: 3,
    unique: 0,
    duplicate: 3,
    complete: false,
    entries: [
      noteEntry("missing", "1 of 4 asked for is missing: a", { ids: ["a"] }),
      noteEntry("not-requested", "1 received but not asked for: b", { ids: ["b"] }),
      noteEntry("unreadable", "2 rows could not be read", { count: 2 }),
      noteEntry("unchanged", "odd"),
    ],
    reasons: [
      "1 of 4 asked for is missing: a",
      "1 received but not asked for: b",
      "2 rows could not be read",
    ],
    warnings: ["odd"],
  });
});

Deno.test("listSome() counts what it does not name", () => {
  assertEquals(listSome([], 2), "");
  assertEquals(listSome(["a", "b"], 2), "a, b");
  assertEquals(listSome(["a", "b", "c"], 2), "a, b and 1 more");
});

Deno.test("joinLedgers() sums the counts and derives their reasons anew", () => {
  const first = closeLedger({
    asked: 3,
    promised: 3,
    received: 2,
    unique: 1,
    missing: ["a"],
    unasked: ["x"],
    unparsed: 1,
    unparsedReason: "line 1 is cut",
    entries: [
      noteEntry("total-changed", "the first"),
      noteEntry("unchanged", "odd"),
      noteEntry("checksums-absent", "older"),
    ],
  });
  const second = closeLedger({
    asked: 2,
    promised: 4,
    received: 2,
    missing: ["b"],
    unasked: ["x", "y"],
    unparsed: 2,
    unparsedReason: "line 2 is cut",
    truncated: true,
    entries: [noteEntry("unchanged", "odd")],
  });
  const third = closeLedger({ asked: 1, promised: 1, received: 1, entries: [noteEntry("page-short", "the third")] });
  const whole = noteEntry("requested-twice", "whole");
  assertEquals(joinLedgers([first, second, third], { entries: [whole] }), {
    asked: 6,
    promised: 8,
    received: 5,
    unique: 4,
    duplicate: 1,
    missing: ["a", "b"],
    unasked: ["x", "y"],
    unparsed: 3,
    truncated: true,
    complete: false,
    entries: [
      noteEntry("total-changed", "the first"),
      noteEntry("page-short", "the third"),
      noteEntry("missing", "2 of 6 asked for are missing: a, b", { ids: ["a", "b"] }),
      noteEntry("not-requested", "2 received but not asked for: x, y", { ids: ["x", "y"] }),
      noteEntry("unreadable", "line 1 is cut; line 2 is cut", { count: 3 }),
      whole,
      noteEntry("unchanged", "odd"),
      noteEntry("checksums-absent", "older"),
    ],
    reasons: [
      "the first",
      "the third",
      "2 of 6 asked for are missing: a, b",
      "2 received but not asked for: x, y",
      "line 1 is cut; line 2 is cut",
    ],
    warnings: ["whole", "odd", "older"],
  });
});

Deno.test("joinLedgers() knows derived entries by their codes, wherever they are and whatever they say", () => {
  const part = closeLedger({ asked: 2, received: 0, missing: ["a"], unparsed: 1 });
  const reworded = withEntries(part, [
    noteEntry("unreadable", "a row is cut"),
    noteEntry("missing", "nowhere to be found: a", { ids: ["a"] }),
    noteEntry("page-short", "1 of 2 asked for is missing: a"),
  ]);
  const { reasons } = joinLedgers([reworded, closeLedger({ asked: 1, received: 1 })]);

  assertEquals(reasons, ["1 of 2 asked for is missing: a", "1 of 3 asked for is missing: a", "a row is cut"]);
});

Deno.test("extendLedger() makes a ledger incomplete by a reason alone, and gives a warning once", () => {
  const ledger = extendLedger(closeLedger({ received: 1 }), [noteEntry("unchanged", "odd")]);
  const [again, worse] = [[noteEntry("unchanged", "odd")], [noteEntry("page-short", "one is missing")]]
    .map((entries) => extendLedger(ledger, entries));

  assertEquals([ledger.complete, ledger.warnings], [true, ["odd"]]);
  assertEquals([again.complete, again.warnings], [true, ["odd"]]);
  assertEquals([worse.complete, worse.reasons, worse.warnings], [false, ["one is missing"], ["odd"]]);
});

Deno.test("closeLedger() refuses texts without codes, which would leave the ledger complete", () => {
  const texts: object = { received: 1, reasons: ["one is missing"] };

  assertThrows(() => closeLedger({ received: 1, ...texts }), TypeError, "expected entries with a code");
});

Deno.test("noteEntry() keeps the first hundred ids and counts them all", () => {
  const ids = Array.from({ length: 250 }, (_, index) => `id ${index}`);
  const entry = noteEntry("missing", "many", { ids });

  assertEquals([entry.count, entry.ids?.length, entry.ids?.at(-1)], [250, 100, "id 99"]);
});

Deno.test("savedEntries() reads what other versions wrote: texts alone, and codes that are unknown here", () => {
  const known = noteEntry("types-inferred", "all are text", { field: "Host" });
  const codes = (saved: Parameters<typeof savedEntries>[0]) =>
    savedEntries(saved).map(({ code, text }) => [code, text]);

  assertEquals(codes({ warnings: ["old"] }), [["without-code", "old"]]);
  assertEquals(codes({ entries: [known, { ...known, code: "from-tomorrow" }], warnings: ["old"] }), [
    ["types-inferred", "all are text"],
    ["without-code", "all are text"],
  ]);
  assertEquals([[known], [], [{ ...known, ids: ["a"] }]].map(areSavedEntries), [true, true, true]);
  const damaged: unknown[] = [
    null,
    {},
    [1],
    [{ ...known, level: "fatal" }],
    [{ ...known, count: "1" }],
    [{ ...known, ids: [1] }],
    [{ ...known, text: null }],
  ];
  assertEquals(damaged.filter(areSavedEntries), []);
});

Deno.test("joinLedgers() knows no sum where a part does not know its number", () => {
  const joined = joinLedgers([closeLedger({ asked: 1, received: 1 }), closeLedger({ promised: 1, received: 1 })]);
  assertEquals([joined.asked, joined.promised, joined.complete, joined.truncated], [null, null, true, false]);
  assertEquals([joinLedgers([]).asked, joinLedgers([]).complete], [0, true]);
});

Deno.test("the version is the one that deno.json states", () => assertEquals(VERSION, config.version));

Deno.test("quoteValue() cuts a value to two hundred characters", () => {
  for (const length of [0, 199, 200, 201, 5000]) {
    assertEquals(quoteValue("x".repeat(length)), "x".repeat(Math.min(length, 200)));
  }
});
