/** Slow is not silent, and silent is not absent. */
import { assertEquals, assertRejects } from "@std/assert";
import { RegistryClient, TimeoutError } from "../../src/core/client/mod.ts";
import { NEEDS_LINUX, testNeeding } from "../_needs.ts";
import { type Reply } from "./_server.ts";
import { FILE_HEAD, good, JSON_HEAD, SELECTION, whole, withServer } from "./_faults.ts";

Deno.test("a slow consumer is not a silent registry", async () => {
  const reply: Reply = async (exchange) => {
    await exchange.send(`${FILE_HEAD}Content-Length: 1200\r\n\r\n${"a,b\n".repeat(150)}`);
    await exchange.send("a,b\n".repeat(150));
  };
  await withServer(reply, { timeouts: { idleMs: 1000 } }, async (client) => {
    const { body } = await client.download(SELECTION);
    const reader = body.getReader();
    let bytes = (await reader.read()).value?.length ?? 0;
    await new Promise((resolve) => setTimeout(resolve, 1300));
    for (let next = await reader.read(); !next.done; next = await reader.read()) bytes += next.value.length;
    assertEquals(bytes, 1200);
  });
});

Deno.test("a slow registry is not a silent one", async () => {
  const reply: Reply = async (exchange) => {
    await exchange.send(`${JSON_HEAD}Content-Length: ${whole.length}\r\n\r\n`);
    const step = Math.ceil(whole.length / 30);
    for (let start = 0; start < whole.length; start += step) {
      await exchange.send(whole.slice(start, start + step));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  await withServer(reply, { timeouts: { idleMs: 1000 } }, async (client, { server }) => {
    assertEquals((await client.search({ query: "x" })).body.total, 1);
    assertEquals(server.requests.length, 1);
  });
});

testNeeding(NEEDS_LINUX, "a host that takes no connection is given up after connectMs", async () => {
  // A queue of one that nobody empties: the system drops every further connection, as a dead host would.
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0, tcpBacklog: 1 });
  const { port } = listener.addr;
  const fillers: Deno.Conn[] = [];
  for (let full = false; !full && fillers.length < 8;) {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), 1000);
    await Deno.connect({ hostname: "127.0.0.1", port, signal: controller.signal })
      .then((connection) => fillers.push(connection), () => full = true);
    clearTimeout(timer);
  }
  try {
    const client = new RegistryClient(`http://127.0.0.1:${port}`, {
      timeouts: { connectMs: 100, headersMs: 20_000 },
      retry: { tries: 1 },
    });
    const error = await assertRejects(() => client.search({ query: "x" }), TimeoutError, "no connection to");
    assertEquals(error.timeoutMs, 100);
  } finally {
    for (const filler of fillers) filler.close();
  }
});

Deno.test("a slow answer is not an absent host", async () => {
  const reply: Reply = async (exchange) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await good(exchange);
  };
  await withServer(reply, { timeouts: { connectMs: 1000 } }, async (client, { server }) => {
    assertEquals((await client.search({ query: "x" })).body.total, 1);
    assertEquals(server.requests.length, 1);
  });
});
