/** What a refusal teaches, and what it does not. */
import { assertEquals } from "@std/assert";
import { InvalidRequestError, StatusError, UnexpectedResponseError } from "../../../../src/core/client/mod.ts";
import { LearnedLimits, type LimitKind } from "../../../../src/core/registry/plan/learned_limits.ts";

const details = (status: number, loc: readonly (string | number)[] = [], msg = "", type = "x") => ({
  status,
  statusText: "",
  url: "http://127.0.0.1",
  headers: new Headers(),
  excerpt: "",
  issues: [{ loc, msg, type }],
});
const refusal = (loc: readonly (string | number)[], msg: string, type = "x") =>
  new InvalidRequestError("refused", details(422, loc, msg, type));
const SIZE = ["body", "pageSize"];
const IDS = ["body", "download", "selected_ids"];

Deno.test("a refusal teaches the next number to ask for, when it names the quantity", async (t) => {
  const rows: Record<string, readonly [error: unknown, kind: LimitKind, asked: number, next: number | undefined]> = {
    "a limit in words": [refusal(SIZE, "Input should be less than or equal to 100"), "pageSize", 1000, 100],
    "two numbers": [refusal(SIZE, "must be between 1 and 500"), "pageSize", 1000, 500],
    "the number asked, too": [refusal(IDS, "at most 100 items, not 250", "too_long"), "selection", 250, 100],
    "a number with a separator": [refusal(SIZE, "the maximum is 5,000"), "pageSize", 12_000, 5000],
    "no number": [refusal(SIZE, "too large"), "pageSize", 1000, 500],
    "413": [new StatusError("status", "too large", details(413)), "selection", 1000, 500],
    "413 of a search": [new StatusError("status", "too large", details(413)), "pageSize", 1000, undefined],
    "an answer too large to hold": [
      new UnexpectedResponseError("too large", "http://127.0.0.1", { maxBytes: 10 }),
      "sequence",
      100,
      50,
    ],
    "an answer of another shape": [new UnexpectedResponseError("HTML", "http://127.0.0.1"), "sequence", 100, undefined],
    "a key that is missing": [refusal(SIZE, "field required, at most 100", "missing"), "pageSize", 1000, undefined],
    "one element": [refusal([...IDS, 3], "at most 14 characters"), "selection", 250, undefined],
    "another key": [refusal(["body", "sortColumn"], "at most 20"), "pageSize", 1000, undefined],
    "a value that is no number": [refusal(SIZE, "expected an integer"), "pageSize", 1000, undefined],
    "400": [new InvalidRequestError("refused", details(400, SIZE, "at most 10")), "pageSize", 1000, undefined],
    "500": [new StatusError("status", "broken", details(500)), "selection", 1000, undefined],
    "one alone": [refusal(SIZE, "at most 0"), "pageSize", 1, undefined],
  };
  for (const [name, [error, kind, asked, next]] of Object.entries(rows)) {
    await t.step(name, () => {
      const limits = new LearnedLimits();
      assertEquals(limits.learnFrom(error, kind, asked, ["pageSize", "selected_ids"]), next);
      assertEquals(limits.most(kind), next ?? null);
    });
  }
});

Deno.test("limits only shrink, and are described", () => {
  const limits = new LearnedLimits();
  limits.learn("pageSize", 100);
  limits.learn("pageSize", 500);
  limits.learnCrossing();
  assertEquals([limits.pageSize, limits.within("pageSize", 20), limits.selection], [100, 20, null]);
  assertEquals(limits.describe(), ["at most 100 results in a page", "no page beyond record 10000, not even in part"]);
});
