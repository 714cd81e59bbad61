/**
 * An answer that decompresses to a multiple of its limit is refused early; a JSON answer at the limit of its size costs
 * at most 600 MB of memory. Run by `deno task checks answer-memory`; needs /proc.
 */
import { once } from "node:events";
import { createGzip } from "node:zlib";
import { assert, assertRejects } from "@std/assert";
import { RegistryClient, UnexpectedResponseError } from "../../src/core/client/mod.ts";
import { answer as reply, serveFaults } from "../faults/_server.ts";

/** Bytes of the answer: just below the client's limit. */
const ANSWER_BYTES = (64 << 20) - 1_000_000;
const MOST_KB = 600_000;

/** A search's answer whose hits are made while they are read. */
function answer(): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let sent = 0;
  let records = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent >= ANSWER_BYTES) {
        controller.enqueue(encoder.encode("]}"));
        return controller.close();
      }
      const values = Array.from({ length: 40 }, (_, at) => `"Field number ${at}":"value ${records % 1000} of ${at}"`);
      const hits = Array.from({ length: 100 }, () => {
        const accession = `vj${String(++records).padStart(12, "0")}`;
        return `{"id":"${records}","score":1.5,"source":{"Registry Accession":"${accession}",${values.join(",")}}}`;
      });
      const head = sent === 0 ? '{"total":1000000,"facets":{},"query":"","results":[' : ",";
      const bytes = encoder.encode(head + hits.join(","));
      sent += bytes.length;
      controller.enqueue(bytes);
    },
  });
}

async function peakOf(): Promise<number> {
  const [, peak] = /VmHWM:\s+(\d+) kB/.exec(await Deno.readTextFile("/proc/self/status")) ?? [];
  return Number(peak);
}

/** Gzip data of one member that decompresses to so many MiB of one JSON text. */
async function bomb(mebibytes: number): Promise<Uint8Array> {
  const gzip = createGzip({ level: 1 });
  const parts: Uint8Array[] = [];
  gzip.on("data", (part: Uint8Array) => parts.push(new Uint8Array(part)));
  gzip.write('{"total":1,"results":[],"query":"');
  const piece = new Uint8Array(1 << 20).fill(97);
  for (let at = 0; at < mebibytes; at++) if (!gzip.write(piece)) await once(gzip, "drain");
  gzip.end();
  await once(gzip, "end");
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}

Deno.test("an answer that decompresses to 400 MiB is refused in less than 200 MB more", async () => {
  const headers = { "content-type": "application/json", "content-encoding": "gzip" };
  await using server = await serveFaults(reply(200, headers, await bomb(400)));
  const client = new RegistryClient(server.url, { retry: { tries: 1 } });
  const before = await peakOf();
  await assertRejects(() => client.search({ query: "" }), UnexpectedResponseError, "67108864 bytes");
  const more = await peakOf() - before;
  assert(more <= 200_000, `the peak was ${more} kB higher`);
});

Deno.test("a search's answer at the limit of its size costs at most 600 MB", async () => {
  const client = new RegistryClient("http://127.0.0.1", { fetch: () => Promise.resolve(new Response(answer())) });
  const { body } = await client.search({ query: "" });
  assert(body.results.length > 40_000);
  const peak = await peakOf();
  assert(peak <= MOST_KB, `the peak was ${peak} kB`);
});
