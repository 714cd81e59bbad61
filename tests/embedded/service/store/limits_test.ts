/** What a stranger on a raw socket can do to the registry: each limit, with the registry's own operations behind it. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openFixture } from "../../../core/contract/_registry.ts";
import { createRegistryService } from "../../../../src/embedded/service/registry/app.ts";
import { MAX_BODY_BYTES } from "../../../../src/embedded/service/store/limits.ts";
import { openStore } from "../../../../src/embedded/service/registry/open_store.ts";
import { serveRegistry } from "../../../../src/embedded/service/registry/server.ts";
import { Turns } from "../../../../src/embedded/service/schedule/turns.ts";
import type { RegistryStore } from "../../../../src/embedded/service/store/store.ts";
import { makeArchives } from "../_archives.ts";
import { parse, posting, speak } from "../_socket.ts";

const encoder = new TextEncoder();

Deno.test("a raw socket gets one clear answer to every hostile body, and the registry lives on", async (t) => {
  await using registry = await openFixture(30);
  const server = await serveRegistry(registry.service, { onFault: (fault) => registry.faults.push(fault) });
  const { port } = server;
  const invalid = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
  const cases: Record<string, readonly [body: string | Uint8Array, status: number, says: string]> = {
    "nested": ["[".repeat(1000) + "]".repeat(1000), 422, "nested too deeply"],
    "nested in a part that nobody reads": [`{"query":"","x":${"[".repeat(100)}${"]".repeat(100)}}`, 422, "nested"],
    "huge": [`{"query":"${"a".repeat(MAX_BODY_BYTES)}"}`, 413, "8 MiB"],
    "a million wrong values": [`{"filter":[${"1,".repeat(1_000_000)}1]}`, 422, "faults like these"],
    "invalid UTF-8": [invalid, 422, "from byte 2 on"],
    "a key twice": ['{"query":"country:Kenya","query":""}', 200, '"total":30'],
    "a __proto__ key": ['{"__proto__":{"query":"country:Kenya"},"query":""}', 200, '"total":30'],
    "a constructor key": ['{"constructor":{"prototype":{"query":"x"}},"query":""}', 200, '"total":30'],
    "__proto__ as a field": ['{"query":"__proto__:x"}', 422, "no field is called"],
    "__proto__ as a filter": ['{"query":"","filter":[{"field":"__proto__","value":"x"}]}', 422, '"filter",0,"field"'],
    "__proto__ as a sort": ['{"query":"","sortColumn":"__proto__"}', 422, '"sortColumn"'],
    "SQL as a field": ['{"query":"","sortColumn":"row; DROP TABLE record"}', 422, "no field is called"],
    "SQL as a value": [`{"query":"country:\\"' OR 1=1 --\\""}`, 200, '"total":0'],
  };
  try {
    for (const [name, [body, status, says]] of Object.entries(cases)) {
      await t.step(name, async () => {
        const answer = parse(await speak(port, ...posting(port, "/v2/search", body)));
        assertEquals(answer.status, status, answer.body.slice(0, 300));
        assertStringIncludes(answer.body, says);
        assert(!/^access-control-/im.test(answer.headers), "no page elsewhere may read it");
        assertEquals(Object.hasOwn(Object.prototype, "query"), false);
      });
    }
    await t.step("a body larger than it says", async () => {
      const [head, body] = posting(port, "/v2/search", '{"query":""}');
      const answer = await speak(port, head, `${body}{"query":"smuggled"}`);
      assertEquals(answer.match(/HTTP\/1\.1 /g)?.length, 1, "what is left over is no request");
      assertEquals(parse(answer).status, 400);
    });
    await t.step("a chunked body over 8 MiB", async () => {
      const head = `POST /v2/search HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\n` +
        "content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
      const chunk = `100000\r\n${" ".repeat(1 << 20)}\r\n`;
      assertEquals(parse(await speak(port, head, ...Array.from({ length: 9 }, () => chunk), "0\r\n\r\n")).status, 413);
    });
    await t.step("and the next client is served", async () => {
      assertEquals(parse(await speak(port, ...posting(port, "/v2/search", '{"query":""}'))).status, 200);
    });
  } finally {
    await server.shutdown();
  }
  assertEquals(registry.faults, []);
});

Deno.test("connections beyond the limit are closed unanswered, and those within it are served", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let begin = () => {};
  const answer = async (request: Request) => {
    if (request.url.endsWith("/held")) {
      begin();
      await released;
    }
    return new Response("hello");
  };
  const server = await serveRegistry(answer, { limits: { connections: 2 } });
  // One that was answered and is idle would be closed for another of its address.
  const hold = async () => {
    const begun = new Promise<void>((resolve) => begin = resolve);
    const socket = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
    await socket.write(encoder.encode(`GET /held HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\n\r\n`));
    await begun;
    return socket;
  };
  const get = `GET / HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nconnection: close\r\n\r\n`;
  const held = [await hold(), await hold()];
  assertEquals(await speak(server.port, get), "");
  held[0].close();
  // The place is free when the server has seen the end of the one before.
  let text = "";
  while (text === "") text = await speak(server.port, get);
  assertStringIncludes(text, "hello");
  release();
  held[1].close();
  await server.shutdown();
});

Deno.test("answers beyond the queue are 503 with Retry-After on a raw socket", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const server = await serveRegistry(async () => {
    begin();
    await held;
    return new Response("done");
  }, { limits: { answers: 1, waiting: 0 } });
  const get = `GET / HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nconnection: close\r\n\r\n`;
  const first = speak(server.port, get);
  await begun;
  const refused = parse(await speak(server.port, get));
  assertEquals([refused.status, /^retry-after: 1$/im.test(refused.headers)], [503, true], refused.headers);
  release();
  assertStringIncludes(await first, "done");
  await server.shutdown();
});

/** A store whose finding never ends by itself. */
function endless(store: RegistryStore, ended: (reason: unknown) => void): RegistryStore {
  const never = (signal: AbortSignal | undefined) =>
    new Promise<never>((_, reject) =>
      signal?.addEventListener("abort", () => {
        ended(signal.reason);
        reject(signal.reason);
      })
    );
  return {
    ...store,
    openPage: (_criteria, _page, signal) => never(signal),
    async *matching(_criteria, signal) {
      yield [];
      await never(signal);
    },
  };
}

Deno.test("a query that others keep waiting too long is ended, and the answer is 503 with Retry-After", async (t) => {
  await using world = await makeArchives({ columns: ["Country"], rows: [["Kenya"], ["Peru"]] });
  await using store = await openStore(world.folder, { cacheFolder: world.cacheFolder });
  const ended: unknown[] = [];
  const faults: unknown[] = [];
  const service = createRegistryService(endless(store, (reason) => ended.push(reason)), {
    waitMs: 20,
    onFault: (fault) => faults.push(fault),
  });
  const server = await serveRegistry(service, { onFault: (fault) => faults.push(fault) });
  const bodies: Record<string, readonly [path: string, body: unknown]> = {
    "a search": ["/v2/search", { query: "*a*" }],
    "an export": ["/v2/download", {
      search: { query: "*a*" },
      download: { scope: "max", information: "metadata", fileType: "csv" },
    }],
  };
  for (const [name, [path, body]] of Object.entries(bodies)) {
    await t.step(name, async () => {
      const answer = parse(await speak(server.port, ...posting(server.port, path, JSON.stringify(body))));
      assertEquals([answer.status, /^retry-after: 10$/im.test(answer.headers)], [503, true], answer.body);
      assertStringIncludes(answer.body, "no answer within 0.02 s");
    });
  }
  await server.shutdown();
  assertEquals([ended.length, faults], [2, []]);
});

Deno.test("a query that computes for too long is ended, and the answer is 422", async (t) => {
  await using world = await makeArchives({ columns: ["Country"], rows: [["Kenya"], ["Peru"]] });
  await using store = await openStore(world.folder, { cacheFolder: world.cacheFolder });
  const compute = async (signal: AbortSignal | undefined): Promise<never> => {
    const turns = new Turns(signal, { turnMs: 1 });
    for (;;) if (turns.over) await turns.next();
  };
  const service = createRegistryService({
    ...store,
    openPage: (_criteria, _page, signal) => compute(signal),
    async *matching(_criteria, signal) {
      yield [];
      await compute(signal);
    },
  }, { queryMs: 5 });
  const bodies: Record<string, readonly [path: string, body: unknown, loc: readonly string[]]> = {
    "a search": ["/v2/search", { query: "*a*" }, ["body", "query"]],
    "an export": ["/v2/download", {
      search: { query: "*a*" },
      download: { scope: "max", information: "metadata", fileType: "csv" },
    }, ["body", "search", "query"]],
  };
  for (const [name, [path, body, loc]] of Object.entries(bodies)) {
    await t.step(name, async () => {
      const headers = { "content-type": "application/json" };
      const request = new Request(`http://embedded${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      const answer = await service(request);
      const { detail } = await answer.json();
      assertEquals([answer.status, detail[0].type, detail[0].loc], [422, "too_slow", loc]);
      assertStringIncludes(detail[0].msg, "0.005 s");
    });
  }
});

Deno.test("nothing computes on for a query whose time is used up", async () => {
  await using world = await makeArchives({ columns: ["Country"], rows: [["Kenya"], ["Peru"]] });
  await using store = await openStore(world.folder, { cacheFolder: world.cacheFolder });
  let ended = 0;
  const compute = async (signal: AbortSignal | undefined): Promise<never> => {
    const turns = new Turns(signal, { turnMs: 1 });
    try {
      for (;;) if (turns.over) await turns.next();
    } finally {
      ended++;
    }
  };
  // A page is found while its records are counted.
  const service = createRegistryService({
    ...store,
    openPage: (_criteria, _page, signal) => Promise.race([compute(signal), compute(signal)]),
  }, { queryMs: 5 });
  const gone = new AbortController();
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ query: "*a*" });
  const answer = await service(
    new Request("http://embedded/v2/search", { method: "POST", headers, body, signal: gone.signal }),
  );
  assertEquals(answer.status, 422);
  for (let looks = 0; ended < 2 && looks < 500; looks++) await new Promise((resolve) => setTimeout(resolve, 2));
  gone.abort();
  assertEquals(ended, 2);
});

Deno.test("an export that has begun is not ended by the time a query has", async () => {
  const rows = Array.from({ length: 2000 }, (_, row) => [String(row)]);
  await using world = await makeArchives({ columns: ["Number"], rows });
  await using store = await openStore(world.folder, { cacheFolder: world.cacheFolder });
  const slow: RegistryStore = {
    ...store,
    async *matching(criteria, signal) {
      for await (const batch of store.matching(criteria)) {
        yield batch;
        await new Promise((resolve) => setTimeout(resolve, 15));
        signal?.throwIfAborted();
      }
    },
  };
  const service = createRegistryService(slow, { queryMs: 30, waitMs: 30 });
  const response = await service(
    new Request("http://embedded/v2/download", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        search: { query: "*" },
        download: { scope: "max", information: "metadata", fileType: "csv" },
      }),
    }),
  );
  assertEquals((await response.text()).trimEnd().split("\n").length, 2001);
});

Deno.test("a page of thousands of records is read only as fast as its reader takes it; a short one has its length", async () => {
  const rows = Array.from({ length: 6000 }, (_, row) => [`${row} ${"x".repeat(400)}`]);
  await using world = await makeArchives({ columns: ["Note"], rows });
  await using store = await openStore(world.folder, { cacheFolder: world.cacheFolder });
  let given = 0;
  const counting: RegistryStore = {
    ...store,
    async openPage(criteria, page, signal) {
      const open = await store.openPage(criteria, page, signal);
      const batches = (async function* () {
        for await (const batch of open.batches) {
          given += batch.length;
          yield batch;
        }
      })();
      return { ...open, batches };
    },
  };
  const service = createRegistryService(counting);
  const search = (pageSize: number) =>
    service(
      new Request("http://embedded/v2/search", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query: "*", pageSize }),
      }),
    );
  const response = await search(6000);
  assert(given < 1500, `${given} records were read before anything was taken`);
  const { total, results } = await response.json();
  assertEquals([total, results.length, given], [6000, 6000, 6000]);
  assertEquals(new Set(results.map(({ id }: { id: string }) => id)).size, 6000);
  const short = await search(10);
  assertEquals(short.headers.get("content-length"), String((await short.text()).length));
});
