/** How serveRegistry() ends answers: those of slow clients, of clients that go away, and its own end. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import type { RegistryService } from "../../../../src/embedded/service/registry/app.ts";
import { ReaderPace } from "../../../../src/embedded/service/http/reader_pace.ts";
import { type AccessLogEntry, serveRegistry } from "../../../../src/embedded/service/registry/server.ts";
import { plain, withServer } from "../_serving.ts";
import { speak } from "../_socket.ts";

const encoder = new TextEncoder();

Deno.test("serveRegistry() closes the connection of a client that does not finish its request", async (t) => {
  await withServer({ limits: { headersMs: 150, requestMs: 300 } }, plain, async ({ port }) => {
    const own = `host: 127.0.0.1:${port}\r\n`;
    const cases: Record<string, string[]> = {
      "headers that never end": [`GET / HTTP/1.1\r\n${own}`],
      "a request line that never ends": ["GET /v2"],
      "a body that never comes": [`POST / HTTP/1.1\r\n${own}content-length: 10\r\n\r\nabc`],
      "chunks that never come": [`POST / HTTP/1.1\r\n${own}transfer-encoding: chunked\r\n\r\n5\r\nab`],
      "silence": [],
    };
    for (const [name, texts] of Object.entries(cases)) {
      await t.step(name, async () => {
        const answer = await speak(port, ...texts);
        assertEquals(answer.slice(0, 13), "HTTP/1.1 408 ");
        assertEquals(answer.match(/HTTP\/1\.1 /g)?.length, 1, answer.slice(0, 600));
      });
    }
  });
});

Deno.test("serveRegistry() answers 503 with Retry-After when its queue is full", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  let count = 0;
  const slow: RegistryService = async () => {
    if (++count === 2) begin();
    await held;
    return new Response("done");
  };
  await withServer({ limits: { answers: 2, waiting: 0 } }, slow, async ({ url }) => {
    const first = [fetch(url), fetch(url)];
    await begun;
    const refused = await fetch(url);
    assertEquals([refused.status, refused.headers.get("retry-after")], [503, "1"]);
    assertStringIncludes((await refused.json()).detail, "2 answers");
    release();
    for (const response of await Promise.all(first)) assertEquals(await response.text(), "done");
    assertEquals(await (await fetch(url)).text(), "done");
  });
});

Deno.test("serveRegistry() answers what waits for a place when there is one, as many at once as the memory allows", async () => {
  let underWay = 0;
  let most = 0;
  const service: RegistryService = async () => {
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setTimeout(resolve, 1));
    underWay--;
    return new Response("done");
  };
  await withServer({ limits: { memoryBytes: 3 * 2 ** 21 + 1 } }, service, async ({ url }) => {
    const responses = await Promise.all(Array.from({ length: 50 }, () => fetch(url)));
    for (const response of responses) assertEquals([response.status, await response.text()], [200, "done"]);
    assertEquals(most, 3);
  });
});

/** A body of 256 MB, more than any buffer holds, that tells how much of it was read and when it was cancelled. */
function large() {
  const { promise: cancelled, resolve } = Promise.withResolvers<void>();
  const state = { bytes: 0, cancelled };
  const chunk = new Uint8Array(1 << 16);
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      state.bytes += chunk.length;
      controller.enqueue(chunk);
      if (state.bytes >= 2 ** 28) controller.close();
    },
    cancel: () => resolve(),
  }, { highWaterMark: 0 });
  return { state, body };
}

Deno.test("serveRegistry() makes an answer only as fast as it is read, and ends it when the client goes away", async () => {
  const { state, body } = large();
  let signal: AbortSignal | undefined;
  const service: RegistryService = (request) => {
    signal = request.signal;
    return Promise.resolve(new Response(body));
  };
  await withServer({}, service, async ({ port }) => {
    const socket = await Deno.connect({ hostname: "127.0.0.1", port });
    await socket.write(encoder.encode(`GET / HTTP/1.1\r\nhost: localhost:${port}\r\n\r\n`));
    await socket.read(new Uint8Array(1000));
    const before = await settled(() => state.bytes);
    assert(before < 64 * 2 ** 20, `${before} bytes were made for a client that reads nothing`);
    socket.close();
    await state.cancelled;
    assertEquals(signal?.aborted, true);
  });
});

/** Waits until a number stays the same over many turns of the event loop. */
async function settled(value: () => number): Promise<number> {
  for (let last = -1, same = 0;;) {
    if (value() === last) same++;
    else [last, same] = [value(), 0];
    if (same === 200) return last;
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

Deno.test("serveRegistry() ends the work on an answer that has not begun when the client goes away", async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<unknown>();
  const service: RegistryService = ({ signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener("abort", () => {
        end(signal.reason);
        reject(signal.reason);
      });
      begin();
    });
  await withServer({}, service, async ({ port }) => {
    const socket = await Deno.connect({ hostname: "127.0.0.1", port });
    await socket.write(encoder.encode(`GET / HTTP/1.1\r\nhost: localhost:${port}\r\n\r\n`));
    await begun;
    socket.close();
    assertStringIncludes(String(await ended), "went away");
  });
});

Deno.test("serveRegistry() cuts off a client that takes nothing", async () => {
  const { state, body } = large();
  await withServer({ limits: { stallMs: 100 } }, () => Promise.resolve(new Response(body)), async ({ port }) => {
    using socket = await Deno.connect({ hostname: "127.0.0.1", port });
    await socket.write(encoder.encode(`GET / HTTP/1.1\r\nhost: localhost:${port}\r\n\r\n`));
    await state.cancelled;
  });
});

Deno.test("serveRegistry() cuts off no client, ends no request and takes no time for its end where a limit is infinite", async () => {
  const limits = { stallMs: Infinity, headersMs: Infinity, requestMs: 2 ** 40, graceMs: Infinity };
  const bytes = 64 * 2 ** 20;
  const service: RegistryService = () => Promise.resolve(new Response(new Uint8Array(bytes)));
  await withServer({ limits }, service, async ({ port }) => {
    using socket = await Deno.connect({ hostname: "127.0.0.1", port });
    await socket.write(encoder.encode(`GET / HTTP/1.1\r\nhost: localhost:${port}\r\nconnection: close\r\n\r\n`));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const buffer = new Uint8Array(1 << 20);
    let taken = 0;
    for (let count = await socket.read(buffer); count !== null; count = await socket.read(buffer)) taken += count;
    assert(taken > bytes, `${taken} of ${bytes} bytes`);
  });
});

Deno.test("serveRegistry() takes less time for whole requests than for headers by default", async () => {
  await withServer({ limits: { requestMs: 5000 } }, plain, async ({ url }) => {
    assertEquals((await fetch(url).then((answer) => answer.text())).length > 0, true);
  });
});

Deno.test("serveRegistry() closes every connection where none is allowed", async () => {
  await withServer({ limits: { connections: 0 } }, plain, async ({ port }) => {
    for (let attempt = 0; attempt < 2; attempt++) assertEquals(await speak(port, `GET / HTTP/1.1\r\n\r\n`), "");
  });
});

Deno.test("serveRegistry() cuts off a client that takes too little while it is waited for, and logs it", async () => {
  const { state, body } = large();
  const entries: AccessLogEntry[] = [];
  const limits = { stallMs: 100, stallBytes: 2 ** 30 };
  const onAnswer = (entry: AccessLogEntry) => void entries.push(entry);
  await withServer({ limits, onAnswer }, () => Promise.resolve(new Response(body)), async ({ port }) => {
    using socket = await Deno.connect({ hostname: "127.0.0.1", port });
    await socket.write(encoder.encode(`GET / HTTP/1.1\r\nhost: localhost:${port}\r\n\r\n`));
    // It reads all the time, but never a gigabyte in a tenth of a second of waiting.
    const buffer = new Uint8Array(1 << 14);
    while (await socket.read(buffer).catch(() => null) !== null) await new Promise((resolve) => setTimeout(resolve, 1));
    await state.cancelled;
  });
  assertEquals(entries.map(({ whole, cutOff }) => ({ whole, cutOff })), [
    { whole: false, cutOff: "the client reads too slowly" },
  ]);
});

Deno.test("a reader is judged after each minute of waiting by what it took since the first wait", () => {
  const pace = new ReaderPace({ stallMs: 60_000, stallBytes: 1000 });
  pace.take(10_000_000);
  pace.wait(20_000);
  pace.take(999);
  pace.wait(30_000);
  assertEquals([pace.leftMs, pace.waitedMs], [10_000, 50_000]);
  pace.take(1);
  pace.wait(10_000);
  assertEquals([pace.leftMs, pace.judge(), pace.leftMs], [0, false, 60_000]);
  pace.wait(60_000);
  pace.take(999);
  assertEquals(pace.judge(), true);
});

Deno.test("serveRegistry() breaks the connection when an answer fails midway, so that no client takes it for complete", async () => {
  const faults: unknown[] = [];
  const service: RegistryService = () =>
    Promise.resolve(
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(encoder.encode("first"));
          },
          pull() {
            throw new Error("the disk is gone");
          },
        }, { highWaterMark: 0 }),
      ),
    );
  const server = await serveRegistry(service, { onFault: (fault) => faults.push(fault) });
  const answer = await speak(server.port, `GET / HTTP/1.1\r\nhost: localhost:${server.port}\r\n\r\n`);
  await assertRejects(async () => await (await fetch(server.url)).text(), TypeError);
  await server.shutdown();
  assert(!answer.endsWith("0\r\n\r\n"), answer);
  assertEquals(faults.map(String), ["Error: the disk is gone", "Error: the disk is gone"]);
});

Deno.test("serveRegistry() finishes open answers when its end is asked for, and takes no new ones", async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const service: RegistryService = async () => {
    begin();
    await held;
    return new Response("finished");
  };
  const end = new AbortController();
  const server = await serveRegistry(service, { signal: end.signal });
  const open = fetch(server.url);
  await begun;
  end.abort();
  await assertRejects(() => fetch(server.url), TypeError);
  release();
  assertEquals(await (await open).text(), "finished");
  await server.finished;
});

Deno.test("serveRegistry() closes what is still open after the grace time", async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: cancelled, resolve } = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(encoder.encode("first")),
    pull: () => begin(),
    cancel: () => resolve(),
  });
  const server = await serveRegistry(() => Promise.resolve(new Response(body)), { limits: { graceMs: 50 } });
  const answer = speak(server.port, `GET / HTTP/1.1\r\nhost: localhost:${server.port}\r\n\r\n`);
  await begun;
  await server.shutdown();
  await cancelled;
  assert(!(await answer).endsWith("0\r\n\r\n"), "nobody takes it for whole");
});
