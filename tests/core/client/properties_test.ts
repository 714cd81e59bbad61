/** What holds for every answer, however it is cut and whatever it says. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { writeJson } from "../../../src/core/contract/json/lossless_json.ts";
import { RegistryClient, RegistryError } from "../../../src/core/client/mod.ts";

const ID = "vj000000000001";
const quick = { numRuns: 200 };

/** A body that comes in these pieces. */
function inPieces(bytes: Uint8Array, cuts: readonly number[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  let start = 0;
  return new ReadableStream({
    pull(controller) {
      const end = ends.shift();
      if (end === undefined) return controller.close();
      controller.enqueue(bytes.slice(start, end));
      start = end;
    },
  });
}

function answering(bytes: Uint8Array, cuts: readonly number[], init: ResponseInit = {}): RegistryClient {
  return new RegistryClient("http://registry.invalid", {
    fetch: () => Promise.resolve(new Response(inPieces(bytes, cuts), init)),
    sleep: () => Promise.resolve(),
    timeouts: { headersMs: 10_000 },
  });
}

const cutsOf = fc.array(fc.nat(5000), { maxLength: 8 });
const response = fc.record({
  total: fc.nat(),
  results: fc.array(fc.record({
    id: fc.string({ unit: "grapheme" }),
    score: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
    source: fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue()),
  })),
  facets: fc.jsonValue(),
  query: fc.jsonValue(),
  more: fc.jsonValue(),
});

Deno.test("a search's answer survives every cut, and so do its bytes", async () => {
  await fc.assert(
    fc.asyncProperty(response, cutsOf, async (value, cuts) => {
      const text = JSON.stringify(value);
      const answer = await answering(new TextEncoder().encode(text), cuts).search({ query: "x" });
      assertEquals(new TextDecoder().decode(answer.bytes), text);
      assertEquals(writeJson(answer.body), text);
    }),
    quick,
  );
});

Deno.test("a file survives every cut", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), cutsOf, async (content, cuts) => {
      const bytes = new Uint8Array([0x1f, 0x8b, ...content]);
      const file = await answering(bytes, cuts).dataset("registryv1_unique_seqs_metadata.csv.gz");
      assertEquals(new Uint8Array(await new Response(file.body).arrayBuffer()), bytes);
      assertEquals(file.receipt().bytes, bytes.length);
    }),
    quick,
  );
});

Deno.test("whatever comes is an answer or an error of the family, and never another", async () => {
  const status = fc.constantFrom(200, 200, 200, 201, 206, 300, 302, 400, 404, 418, 422, 429, 500, 503, 599);
  const headers = fc.dictionary(
    fc.constantFrom("content-type", "content-range", "content-length", "location", "retry-after", "content-encoding"),
    fc.string({ unit: fc.constantFrom(..."0123456789/-*,;= abcghtpTml:.") }),
  );
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 600 }),
    fc.json().map((text) => new TextEncoder().encode(text)),
    fc.jsonValue().map((detail) => new TextEncoder().encode(JSON.stringify({ detail }))),
  );
  await fc.assert(
    fc.asyncProperty(status, headers, body, cutsOf, async (status, headers, body, cuts) => {
      const calls: readonly ((client: RegistryClient) => Promise<unknown>)[] = [
        (client) => client.search({ query: "x" }),
        (client) => client.sequence({ accessions: [ID] }),
        (client) => client.definitions({ fields: [] }, { format: "json" }),
        async (client) =>
          await new Response((await client.dataset("registryv1_unique_seqs_metadata.sha256")).body).text(),
      ];
      for (const call of calls) {
        try {
          await call(answering(body, cuts, { status, headers }));
        } catch (error) {
          assert(error instanceof RegistryError, String(error));
          assert(error.message.startsWith("Cannot ") && error.message.length < 3000, error.message);
          // deno-lint-ignore no-control-regex
          assert(!/[\x00-\x1f\x7f-\x9f]/.test(error.message), JSON.stringify(error.message));
        }
      }
    }),
    { numRuns: 300 },
  );
});
