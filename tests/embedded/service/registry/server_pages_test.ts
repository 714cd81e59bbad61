/** Which pages may read what serveRegistry() answers, and what it tells of its answers. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { AccessLogEntry } from "../../../../src/embedded/service/registry/server.ts";
import { plain, withServer } from "../_serving.ts";
import { parse, posting, speak } from "../_socket.ts";

/** An answer as it came, without its body. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
}

/** Asks on a raw socket: no client adds or hides a header. */
async function ask(port: number, method: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const lines = Object.entries({ host: `127.0.0.1:${port}`, connection: "close", ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const answer = parse(await speak(port, `${method} / HTTP/1.1\r\n${head}\r\n`));
  const given = answer.headers.split("\r\n").slice(1).map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return { status: answer.status, headers: new Headers(given) };
}

Deno.test("serveRegistry() lets pages read its answers when it is asked to, and those alone", async (t) => {
  const origin = "https://lab.example";
  const allowed = ({ headers }: Answer) => headers.get("access-control-allow-origin");
  const preflight = (port: number, origin: string) =>
    ask(port, "OPTIONS", {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type",
    });
  await withServer({}, plain, async ({ port }) => {
    await t.step("nobody by default", async () => {
      assertEquals(allowed(await ask(port, "GET", { origin })), null);
      const response = await preflight(port, origin);
      assertEquals([response.headers.get("access-control-allow-methods"), allowed(response)], [null, null]);
    });
  });
  await withServer({ corsOrigins: [origin, "http://localhost:3000"] }, plain, async ({ port }) => {
    await t.step("a named origin", async () => {
      const response = await ask(port, "GET", { origin });
      assertEquals([allowed(response), response.headers.get("vary")], [origin, "origin"]);
      assertStringIncludes(response.headers.get("access-control-expose-headers") ?? "", "etag");
      const asked = await preflight(port, origin);
      assertEquals([asked.status, allowed(asked)], [204, origin]);
      assertEquals(asked.headers.get("access-control-allow-methods"), "GET, HEAD, POST");
      assertStringIncludes(asked.headers.get("access-control-allow-headers") ?? "", "content-type");
      assertEquals(asked.headers.get("access-control-allow-credentials"), null);
    });
    await t.step("no other, though it looks alike", async () => {
      for (const other of ["https://lab.example.evil", "http://lab.example", "https://lab.example:8443", "null"]) {
        const response = await ask(port, "GET", { origin: other });
        assertEquals([allowed(response), response.headers.get("vary")], [null, "origin"]);
        assertEquals(allowed(await preflight(port, other)), null);
      }
    });
    await t.step("and not under another host's name", async () => {
      const head = `GET / HTTP/1.1\r\nhost: evil.example:${port}\r\norigin: ${origin}\r\nconnection: close\r\n\r\n`;
      assertEquals((await speak(port, head)).slice(9, 12), "421");
    });
  });
  await withServer({ corsOrigins: ["*"] }, plain, async ({ port }) => {
    await t.step("every page", async () => {
      const response = await ask(port, "GET", { origin: "https://elsewhere.example" });
      assertEquals([allowed(response), response.headers.get("vary")], ["*", null]);
      assertEquals(allowed(await ask(port, "GET", {})), null);
    });
  });
});

Deno.test("serveRegistry() tells of each answer when it has ended", async () => {
  const entries: AccessLogEntry[] = [];
  await withServer({ onAnswer: (entry) => entries.push(entry) }, plain, async ({ port }) => {
    const [head, body] = posting(port, "/a?b=c", "12345");
    assertEquals(parse(await speak(port, head, body)).status, 200);
    await speak(port, "GET / HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n");
  });
  assertEquals(entries.map(({ method, target, status, whole }) => [method, target, status, whole]), [
    ["POST", "/a?b=c", 200, true],
    ["GET", "/", 421, true],
  ]);
  assertEquals(entries[0].bytes, 1);
  assert(entries[0].durationMs >= 0 && !Number.isNaN(Date.parse(entries[0].time)));
});
