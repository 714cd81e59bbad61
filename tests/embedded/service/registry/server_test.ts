/** What serveRegistry() answers, and whom. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { RegistryError } from "../../../../src/core/errors.ts";
import type { RegistryService } from "../../../../src/embedded/service/registry/app.ts";
import { type RegistryServer, serveRegistry } from "../../../../src/embedded/service/registry/server.ts";
import { plain, withServer } from "../_serving.ts";
import { speak } from "../_socket.ts";

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

Deno.test("serveRegistry() answers what breaks the rules of HTTP, and a client that sends on sees it", async (t) => {
  const much = "a".repeat(10_000_000);
  await withServer({}, plain, async ({ port }) => {
    const cases = {
      "431": `GET / HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx: ${much}\r\n\r\n`,
      "400": `\r\n\r\n\0${much}`,
    };
    for (const [status, text] of Object.entries(cases)) {
      await t.step(status, async () => assertEquals((await speak(port, text)).slice(9, 12), status));
    }
  });
  const { promise: sent, resolve: send } = Promise.withResolvers<void>();
  const halting: RegistryService = () =>
    Promise.resolve(
      new Response((async function* () {
        yield new TextEncoder().encode("first,");
        await sent;
        yield new TextEncoder().encode("last");
      })()),
    );
  await withServer({}, halting, async ({ port }) => {
    await t.step("an answer that has begun comes to its end", async () => {
      using socket = await Deno.connect({ hostname: "127.0.0.1", port });
      await socket.write(new TextEncoder().encode(`GET / HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`));
      const begun = new Uint8Array(1000);
      await socket.read(begun);
      await socket.write(new TextEncoder().encode("no HTTP\r\n\r\n"));
      send();
      const rest = await new Response(socket.readable).text();
      assert(rest.indexOf("last") < rest.indexOf("HTTP/1.1 400 "), rest);
      assertStringIncludes(rest, "last");
    });
  });
});

Deno.test("an answer that is broken off is no whole one for a client of HTTP/1.0, which knows no chunks", async (t) => {
  const piece = new Uint8Array(1 << 16);
  const broken: RegistryService = ({ url }) => {
    let pulls = 0;
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      if (pulls++ === 0) controller.enqueue(piece);
      else if (url.endsWith("/fault")) throw new Error("the disk is gone");
      else await new Promise(() => {});
    };
    return Promise.resolve(new Response(new ReadableStream({ pull }, { highWaterMark: 0 })));
  };
  const ends: Record<string, (server: RegistryServer) => unknown> = {
    "/fault": () => {},
    "/shutdown": (server) => server.shutdown(0),
  };
  for (const [path, end] of Object.entries(ends)) {
    await t.step(path, async () => {
      const server = await serveRegistry(broken);
      const { port } = server;
      using socket = await Deno.connect({ hostname: "127.0.0.1", port });
      await socket.write(new TextEncoder().encode(`GET ${path} HTTP/1.0\r\nhost: 127.0.0.1:${port}\r\n\r\n`));
      const buffer = new Uint8Array(1 << 17);
      assert(await socket.read(buffer) !== null);
      const ended = end(server);
      await assertRejects(async () => {
        while (await socket.read(buffer) !== null);
      }, Deno.errors.ConnectionReset);
      await ended;
      await server.shutdown();
    });
  }
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

Deno.test("serveRegistry() refuses wrong options before it listens", async (t) => {
  for (const port of [-1, 65_536, 1.5, NaN]) {
    await t.step(`port ${port}`, async () => {
      await assertRejects(() => serveRegistry(plain, { port }), RangeError, "0 to 65,535");
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
