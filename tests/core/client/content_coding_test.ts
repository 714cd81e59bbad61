import { assertEquals, assertRejects } from "@std/assert";
import { gzipSync } from "node:zlib";
import { decodeContent } from "../../../src/core/client/_content_coding.ts";
import { RegistryClient, UnexpectedResponseError } from "../../../src/core/client/mod.ts";
import { concat } from "../io/_damaged_gzip.ts";
import { zstdFrame } from "../io/_zstd_frames.ts";

const ANSWER = JSON.stringify({ total: 0, facets: {}, query: "x", results: [] });

function clientOf(body: Uint8Array<ArrayBuffer>, coding: string): RegistryClient {
  const headers = { "content-type": "application/json", "content-encoding": coding };
  return new RegistryClient("http://127.0.0.1", { fetch: () => Promise.resolve(new Response(body, { headers })) });
}

Deno.test("an answer in a coding that was not requested is decoded, whatever its members or frames", async (t) => {
  const bodies: Readonly<Record<string, readonly [body: Uint8Array<ArrayBuffer>, coding: string]>> = {
    "zstd": [zstdFrame(ANSWER), "zstd"],
    "zstd of two frames": [concat(zstdFrame(ANSWER.slice(0, 9)), zstdFrame(ANSWER.slice(9))), "ZSTD"],
    "gzip of two members": [
      concat(new Uint8Array(gzipSync(ANSWER.slice(0, 9))), new Uint8Array(gzipSync(ANSWER.slice(9)))),
      "x-gzip",
    ],
  };
  for (const [what, [body, coding]] of Object.entries(bodies)) {
    await t.step(what, async () => {
      assertEquals((await clientOf(body, coding).search({ query: "x" })).body.query, "x");
    });
  }
});

Deno.test("an answer that is not what its coding says is an error that names the coding", async () => {
  const damaged = zstdFrame(ANSWER);
  damaged[damaged.length - 1] ^= 1;
  await assertRejects(
    () => clientOf(damaged, "zstd").search({ query: "x" }),
    UnexpectedResponseError,
    "the answer is declared as zstd, but is damaged or not zstd",
  );
  await assertRejects(
    () => clientOf(zstdFrame(ANSWER), "compress").search({ query: "x" }),
    UnexpectedResponseError,
    "expected gzip, zstd or plain bytes",
  );
});

Deno.test("an encoded answer that nobody reads is cancelled", async () => {
  let cancelled = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({ cancel: () => void cancelled++ });
  const answer = new Response(body, { headers: { "content-encoding": "gzip" } });
  await decodeContent(answer, { task: "search", url: "http://127.0.0.1" }, { acceptsGzip: true })?.cancel();
  assertEquals(cancelled, 1);
});

Deno.test("an encoded answer is decoded however short its first pieces are", async () => {
  const headers = { "content-type": "application/json", "content-encoding": "gzip" };
  for (const bytes of [new Uint8Array(gzipSync(ANSWER)), new TextEncoder().encode(ANSWER)]) {
    const pieces = [bytes.slice(0, 1), bytes.slice(1, 1), bytes.slice(1, 2), bytes.slice(2)];
    const fetch = () => Promise.resolve(new Response(ReadableStream.from(pieces), { headers }));
    const { body } = await new RegistryClient("http://127.0.0.1", { fetch }).search({ query: "x" });
    assertEquals(body.query, "x");
  }
});

Deno.test("a status that calls for another attempt does so in any coding; others are not taken for what they say", async () => {
  const answers = [503, 429, 404, 200].map((status) => {
    const headers = { "content-encoding": status === 200 ? "identity" : "br" };
    return new Response(ANSWER, { status, headers });
  });
  const client = new RegistryClient("http://127.0.0.1", {
    fetch: () => Promise.resolve(answers.shift()!),
    sleep: () => Promise.resolve(),
  });
  const download = { scope: "max", information: "metadata", fileType: "csv" } as const;
  await assertRejects(
    () => client.download({ search: { query: "x" }, download }),
    UnexpectedResponseError,
    'encoded as "br"',
  );
  assertEquals(answers.length, 1);
  assertEquals((await client.search({ query: "x" })).receipt.tries, 1);
});
