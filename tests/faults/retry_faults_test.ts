/** When a request is tried again, and how long that is waited for. */
import { assertEquals, assertRejects } from "@std/assert";
import { BusyError, type ClientOptions, StatusError } from "../../src/core/client/mod.ts";
import { answer, raw, type Reply } from "./_server.ts";
import { good, withServer } from "./_faults.ts";

Deno.test("Retry-After is obeyed, within the budget", async (t) => {
  const after = (value: string, status = 503): Reply => answer(status, { "retry-after": value });
  const rows: Record<string, readonly [value: string, waits: readonly number[]]> = {
    "seconds": ["7", [7000]],
    "nothing": ["0", [500]],
    "a date": ["Thu, 01 Jan 2026 00:00:09 GMT", [9000]],
    "an old form of date": ["Thursday, 01-Jan-26 00:00:09 GMT", [9000]],
    "a date that has passed": ["Wed, 01 Jan 2020 00:00:00 GMT", [500]],
    "negative": ["-30", [500]],
    "a fraction": ["1.5", [500]],
    "rubbish": ["soon", [500]],
    "empty": ["", [500]],
  };
  for (const [form, [value, waits]] of Object.entries(rows)) {
    await t.step(form, () =>
      withServer([after(value), good], {}, async (client, seen) => {
        await client.search({ query: "x" });
        assertEquals(seen.waits, waits);
      }));
  }

  const beyond: Record<string, readonly [value: string, at: string]> = {
    "31 seconds": ["31", "2026-01-01T00:00:31.000Z"],
    "a date tomorrow": ["Fri, 02 Jan 2026 00:00:00 GMT", "2026-01-02T00:00:00.000Z"],
    "more than a number holds": ["9".repeat(400), "2035-12-30T00:00:00.000Z"],
    "the year 9999": ["Fri, 31 Dec 9999 23:59:59 GMT", "2035-12-30T00:00:00.000Z"],
  };
  for (const [form, [value, at]] of Object.entries(beyond)) {
    await t.step(
      `beyond the budget: ${form}`,
      () =>
        withServer(after(value, 429), {}, async (client, { server, waits }) => {
          const error = await assertRejects(() => client.search({ query: "x" }), BusyError, at);
          assertEquals([error.code, error.status, error.retryAt.toISOString()], ["busy", 429, at]);
          assertEquals([server.requests.length, waits.length], [1, 0]);
        }),
    );
  }

  await t.step("a date counts from the answer's own, whatever this machine's clock", () => {
    const date = { "retry-after": "Sun, 01 Feb 2026 00:00:09 GMT", date: "Sun, 01 Feb 2026 00:00:00 GMT" };
    return withServer([answer(503, date), good], {}, async (client, seen) => {
      await client.search({ query: "x" });
      assertEquals(seen.waits, [9000]);
    });
  });

  await t.step(
    "several that fit alone but not together",
    () =>
      withServer(after("12"), {}, async (client, { waits }) => {
        await assertRejects(() => client.search({ query: "x" }), BusyError, "12 seconds");
        assertEquals(waits, [12_000, 12_000]);
      }),
  );

  await t.step(
    "when tries end it says when to come back",
    () =>
      withServer(after("2"), { retry: { tries: 1 } }, async (client, { server }) => {
        await assertRejects(() => client.search({ query: "x" }), BusyError, "retry in 2 seconds");
        assertEquals(server.requests.length, 1);
      }),
  );
});

Deno.test("waits grow, are jittered, and end with the budget", async (t) => {
  await t.step("growth", () =>
    withServer(answer(500), {}, async (client, { waits }) => {
      await assertRejects(() => client.search({ query: "x" }), StatusError);
      assertEquals(waits, [500, 1000, 2000]);
    }));
  await t.step(
    "jitter goes down to nothing",
    () =>
      withServer(answer(500), { random: () => 0 }, async (client, { waits }) => {
        await assertRejects(() => client.search({ query: "x" }), StatusError);
        assertEquals(waits, [0, 0, 0]);
      }),
  );
  await t.step(
    "the budget ends tries early",
    () =>
      withServer(answer(500), { retry: { tries: 9, budgetMs: 3000 } }, async (client, { waits, server }) => {
        await assertRejects(() => client.search({ query: "x" }), StatusError);
        assertEquals(waits, [500, 1000]);
        assertEquals(server.requests.length, 3);
      }),
  );
  await t.step("each failed try is told", async () => {
    const told: string[] = [];
    const onRetry: ClientOptions["onRetry"] = ({ error, tries, waitMs }) =>
      told.push(`${tries} ${error.code} ${waitMs}`);
    await withServer([raw(), answer(500), good], { onRetry }, async (client) => {
      const { receipt } = await client.search({ query: "x" });
      assertEquals(receipt.tries, 3);
    });
    assertEquals(told, ["1 network 500", "2 status 1000"]);
  });
});

Deno.test("a budget is shared, and counted anew after 1 MiB of progress", async () => {
  await withServer(
    [answer(500), answer(500), answer(500), good, answer(500), answer(500), good],
    {},
    async (client, { server }) => {
      const retries = client.startRetries();
      await client.search({ query: "x" }, { retries });
      await assertRejects(() => client.search({ query: "x" }, { retries }), StatusError);
      assertEquals(server.requests.length, 5);
      retries.progress(1 << 20);
      await client.search({ query: "x" }, { retries });
      assertEquals(server.requests.length, 7);
    },
  );
});
