/**
 * Encodings, header fields of the caller's, other hosts and time limits: what crosses the wire, and what never does.
 */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { gzipSync } from "node:zlib";
import { fetchArchive, type VerifiedArchive } from "../../src/core/datasets/mod.ts";
import { archiveFiles } from "../../src/core/contract/datasets.ts";
import { SPECIFICATION_NAMING } from "../../src/core/contract/naming.ts";
import { sha256 } from "../../src/core/io/digest/sha256.ts";
import {
  NetworkError,
  RegistryClient,
  StatusError,
  TimeoutError,
  UnexpectedResponseError,
} from "../../src/core/client/mod.ts";
import { download, good, PAGE, search, whole, withServer } from "./_faults.ts";
import { answer, json, type Reply, serveFaults } from "./_server.ts";
import { inFolder } from "../_files.ts";

const SECRET = "Bearer swordfish-1234";
const GZIP = { "content-encoding": "gzip", "content-type": "text/csv" };
const bytesOf = (text: string) => new Uint8Array(gzipSync(text));

Deno.test("searches and exports are read through gzip, by the platform or by us", async (t) => {
  const body = new Uint8Array(gzipSync(JSON.stringify(PAGE)));
  await t.step(
    "a search",
    () =>
      withServer(answer(200, { "content-encoding": "gzip" }, body), {}, async (client, { server }) => {
        assertEquals(await search(client), whole);
        assertStringIncludes(server.requests[0].headers.get("accept-encoding") ?? "", "gzip");
      }),
  );
  await t.step("an export", () =>
    withServer(answer(200, GZIP, bytesOf("a,b\n1,2\n")), {}, async (client) => {
      assertEquals(await download(client), "a,b\n1,2\n");
    }));
  const unread = (headers: Record<string, string>, content: Uint8Array<ArrayBuffer>) =>
    new RegistryClient("http://registry.invalid", {
      retry: { tries: 1 },
      fetch: () => Promise.resolve(new Response(content, { headers })),
    });
  await t.step("an export that the platform has not decoded, in two members", async () => {
    const two = new Uint8Array([...bytesOf("a,b\n"), ...bytesOf("1,2\n")]);
    assertEquals(await download(unread({ ...GZIP, "content-encoding": "x-gzip" }, two)), "a,b\n1,2\n");
  });
  await t.step("one that is cut", async () => {
    const cut = bytesOf("a,b\n".repeat(1000)).slice(0, 30);
    await assertRejects(() => download(unread(GZIP, cut)), NetworkError, "broke");
  });
  await t.step("one that explodes", async () => {
    const bomb = new Uint8Array(gzipSync(new Uint8Array(80 << 20)));
    await assertRejects(() => download(unread(GZIP, bomb)), UnexpectedResponseError, "more than 250 per byte");
  });
});

Deno.test("a max export has a time limit of its own, which the message names", async () => {
  const late: Reply = async (exchange) => {
    await new Promise((resolve) => setTimeout(resolve, 120));
    await answer(200, { "content-type": "text/csv" }, "a\n1\n")(exchange);
  };
  const timeouts = { headersMs: 40, idleMs: 40 };
  await withServer(late, { timeouts }, async (client) => assertEquals(await download(client), "a\n1\n"));
  await withServer(late, { timeouts: { ...timeouts, exportMs: 50 }, retry: { tries: 1 } }, async (client) => {
    await assertRejects(() => download(client), TimeoutError, "--export-timeout");
  });
  const silent: Reply = async (exchange) => {
    await exchange.send("HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nContent-Length: 4\r\n\r\n");
    await new Promise((resolve) => setTimeout(resolve, 120));
    await exchange.send("a\n1\n");
  };
  await withServer(silent, { timeouts }, async (client) => assertEquals(await download(client), "a\n1\n"));
});

Deno.test("header fields of the caller reach the registry's own host alone, and are shown nowhere", async (t) => {
  const headers = { Authorization: SECRET };
  await t.step("they are sent", () =>
    withServer(good, { headers }, async (client, { server }) => {
      await search(client);
      assertEquals(server.requests[0].headers.get("authorization"), SECRET);
    }));
  for (const status of [401, 403, 422]) {
    await t.step(
      `${status} that echoes them`,
      () =>
        withServer(json({ detail: `no access with ${SECRET}` }, status), { headers }, async (client) => {
          const error = await assertRejects(() => search(client), StatusError);
          assertEquals(/swordfish/.test(`${error.message}${error.excerpt}${error.stack}`), false);
          if (status !== 422) {
            for (const way of ["--header", "SEQREG_HEADERS"]) assertStringIncludes(error.message, way);
          }
        }),
    );
  }
  const quoted: Record<string, Reply> = {
    "an answer that is no JSON": answer(200, { "content-type": "text/plain" }, `no access with ${SECRET}`),
    "one that is cut within them": answer(200, {}, `${"x".repeat(105)} ${SECRET}`),
    "one whose first characters they are": answer(200, {}, SECRET),
    "JSON of another shape": json({ total: SECRET, results: SECRET }),
    "a redirect": answer(302, { location: `https://elsewhere.invalid/?key=${encodeURI(SECRET)}` }),
    "a media type": answer(200, { "content-type": "text/html; x=y" }, `<html>${SECRET}`),
    "an encoding": answer(200, { "content-encoding": "swordfish-1234" }, "{}"),
  };
  for (const [what, reply] of Object.entries(quoted)) {
    await t.step(
      `${what} that echoes them`,
      () =>
        withServer(reply, { headers, retry: { tries: 1 } }, async (client) => {
          for (const call of [search, download]) {
            const error = await assertRejects(() => call(client), Error).catch(() => undefined);
            for (let each: unknown = error; each instanceof Error; each = each.cause) {
              assertEquals(/swordfi/.test(`${each.message}${each.stack}`), false, each.message);
            }
            if (call === search) assert(error !== undefined);
          }
        }),
    );
  }
  await t.step("a value that cannot be sent is not shown", () => {
    const make = () => new RegistryClient("http://registry.invalid", { headers: { Authorization: "sword\nfish" } });
    let message = "";
    try {
      make();
    } catch (error) {
      message = String(error);
    }
    assertEquals([message.includes("authorization") || message.includes("Authorization"), /sword/.test(message)], [
      true,
      false,
    ]);
  });
});

Deno.test("a dataset is taken from another host after a redirect, proved as ever", async (t) => {
  const files = archiveFiles("unique_seqs_metadata", SPECIFICATION_NAMING);
  const archive = bytesOf("Registry Accession\nvj000000000001\n");
  const checksum = `${await sha256(archive)}  ${files.archive}\n`;
  await using store = await serveFaults(answer(200, { "content-type": "application/gzip" }, archive));
  const registry = (location: string): Reply => (exchange) =>
    (exchange.request.path.endsWith(".sha256") ? answer(200, {}, checksum) : answer(302, { location }))(exchange);
  const fetched = (location: string) =>
    inFolder(async (cache) => {
      let found: VerifiedArchive | undefined;
      await withServer(registry(location), { headers: { Authorization: SECRET } }, async (client) => {
        found = await fetchArchive(client, "unique_seqs_metadata", { cache });
      });
      assert(found !== undefined);
      return found;
    });
  await t.step("from loopback to loopback, without credentials, without the signature", async () => {
    const { sha256: digest, provenance } = await fetched(`${store.url}/bucket/object?X-Signature=opensesame`);
    assertEquals(digest, await sha256(archive));
    assertEquals(provenance.addresses, [`${store.url}/bucket/object`]);
    assertEquals(store.requests[0].headers.get("authorization"), null);
    assertEquals(store.requests[0].headers.get("accept-encoding"), "identity");
    assert(store.requests[0].headers.get("user-agent")?.startsWith("seqreg/"));
  });
  await t.step("never over plain http elsewhere", async () => {
    await assertRejects(() => fetched("http://store.invalid/x"), UnexpectedResponseError, "without encryption");
  });
  await t.step("never after six", async () => {
    const chain: Reply = (exchange) => answer(302, { location: `${exchange.url}/${exchange.index}` })(exchange);
    await using loop = await serveFaults(chain);
    await assertRejects(() => fetched(`${loop.url}/x`), UnexpectedResponseError, "which is the limit");
  });
});
