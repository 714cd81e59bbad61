import { assertEquals, assertStringIncludes } from "@std/assert";
import { closeLedger } from "../../../../src/core/contract/ledger.ts";
import {
  completeWork,
  setNotebookHost,
  viewResult,
  type WorkOptions,
} from "../../../../src/core/io/display/notebook_host.ts";

const SUMMARY = {
  text: "search: complete\x1b, 1 record",
  caption: "search",
  columns: ["Country"],
  total: 1,
  read: (most: number) => [["<Kenya>"]].slice(0, most),
  ledger: closeLedger({ promised: 1, received: 1 }),
  provenance: {
    operation: "search",
    registry: null,
    request: {},
    bytes: 1,
    sha256: null,
    started: "2026-01-31T10:00:00.000Z",
    finished: "2026-01-31T10:00:01.000Z",
    toolkit: "seqreg 0.3.0",
  },
};

Deno.test("a result shows its words until what draws tables is loaded, then its table and its ledger", async () => {
  assertEquals(viewResult(SUMMARY), { "text/plain": "search: complete\\u{1b}, 1 record" });

  await import("../../../../src/jupyter/notebook/show.ts");
  const drawn = viewResult(SUMMARY);

  assertStringIncludes(drawn["text/html"]!, "&#60;Kenya&#62;");
  assertStringIncludes(drawn["text/plain"], "search: 1 row × 1 column");
  assertStringIncludes(drawn["text/plain"], "Complete:");
});

Deno.test("work has what its caller gave, and what the notebook adds to it", () => {
  const { signal } = new AbortController();
  const options: WorkOptions & { readonly pageSize: number } = { pageSize: 3 };
  assertEquals(completeWork(options), { pageSize: 3 });

  setNotebookHost({
    install: () => {},
    completeWork: <T extends WorkOptions>(options: T) => ({ ...options, signal }),
  });
  assertEquals(completeWork(options), { pageSize: 3, signal });
});
