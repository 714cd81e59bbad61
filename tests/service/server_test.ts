import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { RegistryError } from "../../src/errors.ts";
import type { RegistryService } from "../../src/service/app.ts";
import { type AccessLogEntry, type ServeOptions, serveRegistry } from "../../src/service/server.ts";

const encoder = new TextEncoder();

/** Answers `hello`, or the number of bytes that came. */
const plain: RegistryService = async (request) => {
  if (request.method === "GET") return new Response("hello");
  return new Response(String((await request.arrayBuffer()).byteLength));
};

async function withServer(
  options: ServeOptions,
  service: RegistryService,
  work: (server: Awaited<ReturnType<typeof serveRegistry>>) => Promise<void>,
): Promise<void> {
  const faults: unknown[] = [];
  const server = await serveRegistry(service, { onFault: (fault) => faults.push(fault), ...options });
  try {
    await work(server);
  } finally {
    await server.shutdown();
  }
  assertEquals(faults, []);
}

/** Writes texts on a socket and reads until the server closes it. */
async function speak(port: number, ...texts: string[]): Promise<string> {
  using socket = await Deno.connect({ hostname: "127.0.0.1", port });
  for (const text of texts) await socket.write(encoder.encode(text));
  const decoder = new TextDecoder();
  const parts: string[] = [];
  const buffer = new Uint8Array(1 << 16);
  for (;;) {
    const count = await socket.read(buffer).catch(() => null);
    if (count === null) return parts.join("");
    parts.push(decoder.decode(buffer.subarray(0, count), { stream: true }));
  }
}

Deno.test("serveRegistry() lets go of a client that does not come to the end", async (t) => {
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

Deno.test("serveRegistry() answers hostile clients with one clear status, and lives on", async (t) => {
  await withServer({ limits: { headerBytes: 4096 } }, plain, async ({ port }) => {
    const own = `host: 127.0.0.1:${port}\r\nconnection: close\r\n`;
    const post = `POST / HTTP/1.1\r\n${own}`;
    const cases: Record<string, [text: string, status: string]> = {
      "large headers": [`GET / HTTP/1.1\r\n${own}x: ${"a".repeat(8000)}\r\n\r\n`, "HTTP/1.1 431 "],
      "a long request line": [`GET /${"a".repeat(8000)} HTTP/1.1\r\n${own}\r\n`, "HTTP/1.1 431 "],
      "many headers": [`GET / HTTP/1.1\r\n${own}${"x: y\r\n".repeat(2000)}\r\n`, "HTTP/1.1 431 "],
      "no HTTP": ["hello\r\n\r\n", "HTTP/1.1 400 "],
      "TLS": ["\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "HTTP/1.1 400 "],
      "HTTP/2": ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "HTTP/1.1 4"],
      "no Host": ["GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 400 "],
      "two Hosts": [`GET / HTTP/1.1\r\n${own}host: evil.example\r\n\r\n`, "HTTP/1.1 400 "],
      "length and chunks": [`${post}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`, "HTTP/1.1 400 "],
      "two lengths": [`${post}content-length: 3\r\ncontent-length: 4\r\n\r\nabcd`, "HTTP/1.1 400 "],
      "a negative length": [`${post}content-length: -1\r\n\r\na`, "HTTP/1.1 400 "],
      "a length that is none": [`${post}content-length: 0x10\r\n\r\na`, "HTTP/1.1 400 "],
      "a huge length": [`${post}content-length: 99999999999999999999\r\n\r\na`, "HTTP/1.1 400 "],
      "a chunk size that is none": [`${post}transfer-encoding: chunked\r\n\r\nzz\r\n`, "HTTP/1.1 400 "],
      "a blank before the colon": [`GET / HTTP/1.1\r\n${own}x : y\r\n\r\n`, "HTTP/1.1 400 "],
      "another host": ["GET / HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n", "HTTP/1.1 421 "],
      "own name, other port": ["GET / HTTP/1.1\r\nhost: localhost:1\r\nconnection: close\r\n\r\n", "HTTP/1.1 421 "],
      "own name, no port": ["GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n", "HTTP/1.1 421 "],
      "a name that begins like its own": [
        `GET / HTTP/1.1\r\nhost: localhost:${port}.evil.example\r\nconnection: close\r\n\r\n`,
        "HTTP/1.1 421 ",
      ],
      "HTTP/1.0 without Host": ["GET / HTTP/1.0\r\n\r\n", "HTTP/1.1 421 "],
      "another host in the target": [`GET http://evil.example/ HTTP/1.1\r\n${own}\r\n`, "HTTP/1.1 421 "],
      "its own host in the target": [`GET http://127.0.0.1:${port}/ HTTP/1.1\r\n${own}\r\n`, "HTTP/1.1 200 "],
      "a target that is no path": [`OPTIONS * HTTP/1.1\r\n${own}\r\n`, "HTTP/1.1 400 "],
      "TRACE": [`TRACE / HTTP/1.1\r\n${own}\r\n`, "HTTP/1.1 405 "],
      "two slashes": [`GET //evil.example/x HTTP/1.1\r\n${own}\r\n`, "HTTP/1.1 200 "],
    };
    for (const [name, [text, status]] of Object.entries(cases)) {
      await t.step(name, async () => {
        const answer = await speak(port, text);
        assertEquals(answer.slice(0, status.length), status, answer.slice(0, 300));
        assertEquals(answer.match(/HTTP\/1\.1 /g)?.length, 1, answer.slice(0, 600));
      });
    }
    await t.step("and the next client is served", async () => {
      for (const name of ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"]) {
        const answer = await speak(port, `GET / HTTP/1.1\r\nhost: ${name}:${port}\r\nconnection: close\r\n\r\n`);
        assertStringIncludes(answer, "hello");
      }
    });
  });
});

Deno.test("serveRegistry() answers before a body that it does not want, and the client sees it", async (t) => {
  const refusing: RegistryService = ({ method }) =>
    Promise.resolve(new Response(`no ${method}`, { status: 413, headers: { "content-length": "7" } }));
  await withServer({}, refusing, async ({ port, url }) => {
    await t.step("20 MB that are sent all the same", async () => {
      const response = await fetch(url, { method: "POST", body: new Uint8Array(20_000_000) });
      assertEquals([response.status, await response.text()], [413, "no POST"]);
    });
    await t.step("a client that waits for 100 Continue never sends its body", async () => {
      const head =
        `POST / HTTP/1.1\r\nhost: localhost:${port}\r\ncontent-length: 9000000\r\nexpect: 100-continue\r\n\r\n`;
      const answer = await speak(port, head);
      assertEquals(answer.slice(0, 13), "HTTP/1.1 413 ");
    });
  });
  await withServer({}, plain, async ({ port }) => {
    await t.step("one whose body is wanted gets 100 Continue", async () => {
      const head =
        `POST / HTTP/1.1\r\nhost: localhost:${port}\r\ncontent-length: 3\r\nexpect: 100-continue\r\nconnection: close\r\n\r\n`;
      const answer = await speak(port, head, "abc");
      assertEquals(answer.slice(0, 25), "HTTP/1.1 100 Continue\r\n\r\n");
      assertStringIncludes(answer, "HTTP/1.1 200 OK");
      assert(/\r\n\r\n3$|\r\n3\r\n0\r\n\r\n$/.test(answer), answer);
    });
    await t.step("a connection serves one request after another", async () => {
      const one = `POST / HTTP/1.1\r\nhost: localhost:${port}\r\ncontent-length: 2\r\n\r\nab`;
      const last = one.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n");
      assertEquals((await speak(port, one + one + last)).match(/HTTP\/1\.1 200/g)?.length, 3);
    });
  });
});

Deno.test("serveRegistry() takes further host names deliberately", async () => {
  await withServer({ allowHosts: ["registry.lab", "proxy.lab:443"] }, plain, async ({ port }) => {
    const statusOf = async (host: string) =>
      (await speak(port, `GET / HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)).slice(9, 12);
    assertEquals(await statusOf("registry.lab"), "200");
    assertEquals(await statusOf(`Registry.Lab:${port}`), "200");
    assertEquals(await statusOf("registry.lab:1"), "421");
    assertEquals(await statusOf("proxy.lab:443"), "200");
    assertEquals(await statusOf(`proxy.lab:${port}`), "421");
  });
});

Deno.test("serveRegistry() lets pages read its answers when it is asked to, and those alone", async (t) => {
  const origin = "https://lab.example";
  const preflight = (origin: string) => ({
    method: "OPTIONS",
    headers: { origin, "access-control-request-method": "POST", "access-control-request-headers": "content-type" },
  });
  const allowed = ({ headers }: Response) => headers.get("access-control-allow-origin");
  const answer = async (url: string, init: RequestInit) => {
    const response = await fetch(url, init);
    await response.body?.cancel();
    return response;
  };
  await withServer({}, plain, async ({ url }) => {
    await t.step("nobody by default", async () => {
      assertEquals(allowed(await answer(url, { headers: { origin } })), null);
      const response = await answer(url, preflight(origin));
      assertEquals([response.headers.get("access-control-allow-methods"), allowed(response)], [null, null]);
    });
  });
  await withServer({ corsOrigins: [origin, "http://localhost:3000"] }, plain, async ({ url, port }) => {
    await t.step("a named origin", async () => {
      const response = await answer(url, { headers: { origin } });
      assertEquals([allowed(response), response.headers.get("vary")], [origin, "origin"]);
      assertStringIncludes(response.headers.get("access-control-expose-headers") ?? "", "etag");
      const asked = await answer(url, preflight(origin));
      assertEquals([asked.status, allowed(asked)], [204, origin]);
      assertEquals(asked.headers.get("access-control-allow-methods"), "GET, HEAD, POST");
      assertStringIncludes(asked.headers.get("access-control-allow-headers") ?? "", "content-type");
      assertEquals(asked.headers.get("access-control-allow-credentials"), null);
    });
    await t.step("no other, though it looks alike", async () => {
      for (const other of ["https://lab.example.evil", "http://lab.example", "https://lab.example:8443", "null"]) {
        const response = await answer(url, { headers: { origin: other } });
        assertEquals([allowed(response), response.headers.get("vary")], [null, "origin"]);
        assertEquals(allowed(await answer(url, preflight(other))), null);
      }
    });
    await t.step("and not under another host's name", async () => {
      const head = `GET / HTTP/1.1\r\nhost: evil.example:${port}\r\norigin: ${origin}\r\nconnection: close\r\n\r\n`;
      assertEquals((await speak(port, head)).slice(9, 12), "421");
    });
  });
  await withServer({ corsOrigins: ["*"] }, plain, async ({ url }) => {
    await t.step("every page", async () => {
      const response = await answer(url, { headers: { origin: "https://elsewhere.example" } });
      assertEquals([allowed(response), response.headers.get("vary")], ["*", null]);
      assertEquals(allowed(await answer(url, {})), null);
    });
  });
});

Deno.test("serveRegistry() refuses wrong options before it listens", async (t) => {
  for (const port of [-1, 65_536, 1.5, NaN]) {
    await t.step(`port ${port}`, async () => {
      await assertRejects(() => serveRegistry(plain, { port }), RangeError, "0 to 65535");
    });
  }
  for (const name of ["http://registry.lab", "a b", "", "*", "registry.lab/", "a\r\nb"]) {
    await t.step(`host ${JSON.stringify(name)}`, async () => {
      await assertRejects(() => serveRegistry(plain, { allowHosts: [name] }), RangeError, "expected a name");
    });
  }
  for (
    const origin of ["lab.example", "https://lab.example/", "null", "", "file://", "https://a\r\nb", "https://Lab"]
  ) {
    await t.step(`origin ${JSON.stringify(origin)}`, async () => {
      await assertRejects(() => serveRegistry(plain, { corsOrigins: [origin] }), RangeError, "expected * or an origin");
    });
  }
  await t.step("an aborted signal", async () => {
    await assertRejects(() => serveRegistry(plain, { signal: AbortSignal.abort() }), DOMException);
  });
});

Deno.test("serveRegistry() says that a port is in use, and what to do", async () => {
  await withServer({}, plain, async ({ port }) => {
    const error = await assertRejects(() => serveRegistry(plain, { port }), RegistryError, "the port is in use");
    assertEquals(error.code, "network");
    assertStringIncludes(error.message, `127.0.0.1:${port}`);
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
  await withServer({ limits: { answers: 2 } }, slow, async ({ url }) => {
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

Deno.test("serveRegistry() breaks the connection when an answer fails midway, so that nobody takes it for whole", async () => {
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
  const { promise: cancelled, resolve } = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(encoder.encode("first")),
    cancel: () => resolve(),
  });
  const server = await serveRegistry(() => Promise.resolve(new Response(body)), { limits: { graceMs: 50 } });
  const response = await fetch(server.url);
  const reading = assertRejects(async () => await response.arrayBuffer());
  await server.shutdown();
  await reading;
  await cancelled;
});

Deno.test("serveRegistry() tells of each answer when it has ended", async () => {
  const entries: AccessLogEntry[] = [];
  await withServer({ onAnswer: (entry) => entries.push(entry) }, plain, async ({ url, port }) => {
    await (await fetch(`${url}/a?b=c`, { method: "POST", body: "12345" })).text();
    await speak(port, "GET / HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n");
  });
  assertEquals(entries.map(({ method, target, status, whole }) => [method, target, status, whole]), [
    ["POST", "/a?b=c", 200, true],
    ["GET", "/", 421, true],
  ]);
  assertEquals(entries[0].bytes, 1);
  assert(entries[0].durationMs >= 0 && !Number.isNaN(Date.parse(entries[0].time)));
});
