/** Whoever stops is obeyed at once. */
import { assert, assertEquals } from "@std/assert";
import { RegistryClient } from "../../src/core/client/mod.ts";
import { answer, rawThenDrip, rawThenSilence, type Reply, serveFaults } from "./_server.ts";
import { FILE_HEAD, good, JSON_HEAD, SELECTION, withServer } from "./_faults.ts";

Deno.test("a signal ends everything at once, with its reason", async (t) => {
  const stages: Record<string, Reply> = {
    "before the header": rawThenSilence(),
    "in the body of an answer": rawThenSilence(`${JSON_HEAD}Content-Length: 500\r\n\r\n{`),
    "in a body that drips": rawThenDrip(`${JSON_HEAD}Connection: close\r\n\r\n`, " "),
    "in the body of an error": rawThenSilence("HTTP/1.1 400 Bad\r\nContent-Length: 500\r\n\r\n{"),
  };
  for (const [stage, reply] of Object.entries(stages)) {
    await t.step(stage, async () => {
      const controller = new AbortController();
      const reason = new Error("stopped by the reader");
      const arrived = Promise.withResolvers<void>();
      const replyAndTell: Reply = (exchange) => {
        arrived.resolve();
        return reply(exchange);
      };
      await withServer(replyAndTell, {}, async (client, { server }) => {
        const answered = client.search({ query: "x" }, { signal: controller.signal });
        arrived.promise.then(() => setTimeout(() => controller.abort(reason), 5));
        assertEquals(await answered.catch((error: unknown) => error), reason);
        await server.closed(1);
      });
    });
  }

  await t.step("during a wait between tries, with real timers", async () => {
    const controller = new AbortController();
    const reason = new Error("stopped in the wait");
    await using server = await serveFaults(answer(503, { "retry-after": "25" }));
    const client = new RegistryClient(server.url, { onRetry: () => queueMicrotask(() => controller.abort(reason)) });
    const error = await client.search({ query: "x" }, { signal: controller.signal }).catch((error: unknown) => error);
    assertEquals(error, reason);
    assertEquals(server.requests.length, 1);
  });

  await t.step("before anything is sent", () =>
    withServer(good, {}, async (client, { server }) => {
      const signal = AbortSignal.abort("no");
      assertEquals(await client.search({ query: "x" }, { signal }).catch((error: unknown) => error), "no");
      assertEquals(server.requests.length, 0);
    }));

  await t.step("while a file streams", async () => {
    const controller = new AbortController();
    const head = `${FILE_HEAD}Content-Length: 9000\r\n\r\n${"a,b\n".repeat(200)}`;
    await withServer(rawThenSilence(head), {}, async (client, { server }) => {
      const { body } = await client.download(SELECTION, { signal: controller.signal });
      const reader = body.getReader();
      await reader.read();
      const next = reader.read().catch((error: unknown) => error);
      controller.abort("enough");
      assertEquals(await next, "enough");
      await server.closed(1);
    });
  });
});

Deno.test("a consumer that stops early cancels upstream", async () => {
  const head = `${FILE_HEAD}Content-Length: 9000000\r\n\r\n`;
  await withServer(rawThenDrip(head, "a,b\n".repeat(500)), {}, async (client, { server }) => {
    const { body, receipt } = await client.download(SELECTION);
    for await (const chunk of body) {
      assert(chunk.length > 0);
      break;
    }
    await server.closed(1);
    assertEquals([receipt().sha256, receipt().finished], [null, null]);
  });
});
