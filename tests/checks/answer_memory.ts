/** A JSON answer at the limit of its size costs at most 600 MB of memory. Run by `.ci/run`; needs /proc. */
import { assert } from "@std/assert";
import { RegistryClient } from "../../src/client/mod.ts";

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

Deno.test("a search's answer at the limit of its size costs at most 600 MB", async () => {
  const client = new RegistryClient("http://127.0.0.1", { fetch: () => Promise.resolve(new Response(answer())) });
  const { body } = await client.search({ query: "" });
  assert(body.results.length > 40_000);
  const [, peak] = /VmHWM:\s+(\d+) kB/.exec(await Deno.readTextFile("/proc/self/status")) ?? [];
  assert(Number(peak) <= MOST_KB, `the peak was ${peak} kB`);
});
