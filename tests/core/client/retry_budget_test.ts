/** How long a registry is waited for, without one. */
import { assertEquals, assertRejects } from "@std/assert";
import { NetworkError, parseRetryAfter, RetryBudget } from "../../../src/core/client/mod.ts";
import { testAlone } from "../../_test_alone.ts";

Deno.test("parseRetryAfter() never gives what cannot be waited for", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  for (const value of ["", "x", "-1", "1e3", "0x10", "1 2", "Infinity", "NaN", "2026-01-01", "12:00", "Thu", null]) {
    assertEquals(parseRetryAfter(value, now), undefined, String(value));
  }
  assertEquals(parseRetryAfter(" 3 ", now), 3000);
  assertEquals(parseRetryAfter("Thu Jan  1 00:00:02 2026 GMT", now), 2000);
  assertEquals(Number.isFinite(parseRetryAfter("9".repeat(999), now)), true);
});

testAlone(
  import.meta.url,
  "a date without a zone, the oldest form of HTTP, is in GMT wherever the program runs",
  () => {
    const before = Deno.env.get("TZ");
    try {
      for (const zone of ["America/New_York", "Pacific/Kiritimati"]) {
        Deno.env.set("TZ", zone);
        assertEquals(parseRetryAfter("Thu Jan  1 00:00:02 2026", Date.UTC(2026, 0, 1)), 2000, zone);
      }
    } finally {
      if (before === undefined) Deno.env.delete("TZ");
      else Deno.env.set("TZ", before);
    }
  },
);

Deno.test("RetryBudget counts tries and waiting anew after 1 MiB of progress, and not before", async () => {
  const broken = new NetworkError("Cannot search: broken", "http://registry.invalid/");
  const budget = new RetryBudget({ tries: 2, budgetMs: 700 }, { random: () => 1, sleep: () => Promise.resolve() });
  await budget.pause(broken);
  budget.progress((1 << 20) - 1);
  await assertRejects(() => budget.pause(broken), NetworkError);
  budget.progress(1);
  await budget.pause(broken);
  await assertRejects(() => budget.pause(broken), NetworkError);
});

Deno.test("RetryBudget throws the signal's reason before and after its wait", async () => {
  const controller = new AbortController();
  const budget = new RetryBudget({}, { sleep: () => Promise.resolve(controller.abort("late")) });
  const broken = new NetworkError("Cannot search: broken", "http://registry.invalid/");
  const error = await budget.pause(broken, { signal: controller.signal }).catch((error: unknown) => error);
  assertEquals(error, "late");
  const never = new NetworkError("Cannot search: no", "http://registry.invalid/", { permanent: true });
  assertEquals(await budget.pause(never).catch((error: unknown) => error), never);
});
