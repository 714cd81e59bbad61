/** Each failure of a `fetch`, caused over a socket: what this version of Deno says of it is understood. */
import { assertEquals, assertRejects } from "@std/assert";
import { RegistryClient, TimeoutError } from "../../../src/core/client/mod.ts";
import { failureText, type FetchFailure, fetchFailure } from "../../../src/core/client/_fetch_failure.ts";
import { raw, rawThenReset, rawThenSilence, type Reply, serveFaults } from "../../faults/_server.ts";
import { UNTRUSTED } from "./_certificate.ts";

async function failureOf(url: string, client?: Deno.HttpClient): Promise<[FetchFailure, string]> {
  const cause = await fetch(url, { ...client && { client } }).then(() => "it was answered", (error) => error);
  return [fetchFailure(cause), failureText(cause)];
}

async function failureOfServer(reply: Reply, scheme = "http"): Promise<[FetchFailure, string]> {
  await using server = await serveFaults(reply);
  return await failureOf(server.url.replace("http", scheme));
}

/** An address on which nothing listens. */
function closedAddress(): string {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  return `127.0.0.1:${listener.addr.port}`;
}

/** A server on one connection. */
async function onConnection(
  listener: Deno.Listener | Deno.TlsListener,
  scheme: string,
  serve: (connection: Deno.TcpConn | Deno.TlsConn) => Promise<unknown>,
  client?: (address: string) => Deno.HttpClient,
): Promise<[FetchFailure, string]> {
  const { port } = listener.addr as Deno.NetAddr;
  const served = listener.accept().then(async (connection) => {
    using _connection = connection as Deno.TcpConn;
    await serve(connection as Deno.TcpConn).catch(() => {});
  });
  using through = client?.(`http://127.0.0.1:${port}`);
  try {
    return await failureOf(`${scheme}://127.0.0.1:${port}/`, through);
  } finally {
    listener.close();
    await served;
  }
}

const FAILURES: Readonly<Record<FetchFailure, () => Promise<[FetchFailure, string]>>> = {
  "refused": () => failureOf(`http://${closedAddress()}/`),
  "broken": () => failureOfServer(rawThenReset()),
  "content-length": () =>
    failureOfServer(raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nhello")),
  "large-header": () => failureOfServer(raw(`HTTP/1.1 200 OK\r\nX-A: ${"a".repeat(1 << 20)}\r\n\r\n`)),
  "not-http": () => failureOfServer(raw("SSH-2.0-OpenSSH_9.2\r\n\r\n")),
  "not-tls": () =>
    onConnection(Deno.listen({ port: 0, hostname: "127.0.0.1" }), "https", async (connection) => {
      await connection.read(new Uint8Array(4096));
      await connection.write(new TextEncoder().encode("HTTP/1.1 400 Bad Request\r\n\r\n"));
    }),
  "certificate": () =>
    onConnection(
      Deno.listenTls({ port: 0, hostname: "127.0.0.1", ...UNTRUSTED }),
      "https",
      (connection) => (connection as Deno.TlsConn).handshake(),
    ),
  "proxy": () =>
    onConnection(
      Deno.listen({ port: 0, hostname: "127.0.0.1" }),
      "https",
      async (connection) => {
        await connection.read(new Uint8Array(4096));
        await connection.write(new TextEncoder().encode("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n"));
      },
      (url) => Deno.createHttpClient({ proxy: { url } }),
    ),
  "blocked-port": () => failureOf("http://127.0.0.1:1/"),
  // A name that is too long is not even asked for, and no packet goes to the broadcast address.
  "unknown-host": () => failureElsewhere(`${"a".repeat(64)}.invalid`),
  "unreachable": () => failureElsewhere("255.255.255.255"),
  "other": () => Promise.resolve([fetchFailure("tired"), "tired"]),
};

/** A failure that does not come from loopback, in a process with this permission. */
async function failureElsewhere(host: string): Promise<[FetchFailure, string]> {
  const module = JSON.stringify(new URL("../../../src/core/client/_fetch_failure.ts", import.meta.url));
  const code = `import { fetchFailure, failureText } from ${module};
    const cause = await fetch("http://${host}:8080/").catch((error) => error);
    console.log(JSON.stringify([fetchFailure(cause), failureText(cause)]));`;
  const args = ["run", "--no-check", `--allow-net=${host}:8080`, "-"];
  const child = new Deno.Command(Deno.execPath(), { args, stdin: "piped", stdout: "piped" }).spawn();
  await new Blob([code]).stream().pipeTo(child.stdin);
  return JSON.parse(new TextDecoder().decode((await child.output()).stdout));
}

Deno.test("every failure of fetch() is understood as this version of Deno words it", async (t) => {
  for (const [failure, cause] of Object.entries(FAILURES)) {
    await t.step(failure, async () => {
      const [found, text] = await cause();
      assertEquals(found, failure, text);
    });
  }
});

Deno.test("a server that stays silent is a TimeoutError, by its class", async () => {
  await using server = await serveFaults(rawThenSilence());
  const client = new RegistryClient(server.url, { retry: { tries: 1 }, timeouts: { headersMs: 50 } });
  await assertRejects(() => client.search({ query: "" }), TimeoutError, "no answer from");
});
