import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import fc from "fast-check";
import { gunzipSync } from "node:zlib";
import { gzipBytes } from "../../../../src/core/io/gzip/gzip_bytes.ts";

async function gathered(chunks: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<Uint8Array> {
  return new Uint8Array(await new Blob(await Array.fromAsync(chunks)).arrayBuffer());
}

Deno.test("gzipBytes() gives back what it was given, in chunks that are used again too", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 }),
      fc.integer({ min: 1, max: 9 }),
      async (chunks, level) => {
        const memory = new Uint8Array(300);
        async function* reused() {
          for (const chunk of chunks) {
            memory.set(chunk);
            yield memory.subarray(0, chunk.length);
            memory.fill(0);
          }
        }
        const gzip = await gathered(gzipBytes(reused(), { level }));
        assertEquals(new Uint8Array(gunzipSync(gzip)), Uint8Array.from(chunks.flatMap((chunk) => [...chunk])));
      },
    ),
    { numRuns: 30 },
  );
});

Deno.test("gzipBytes() hands on what fails, ends with its signal, and stops what it reads", async () => {
  for (const level of [0, 10, 1.5]) assertThrows(() => gzipBytes([], { level }), RangeError, "level");
  async function* failing() {
    yield new Uint8Array(8);
    throw new TypeError("no more");
  }
  await assertRejects(() => gathered(gzipBytes(failing())), TypeError, "no more");
  const stop = new AbortController();
  stop.abort(new Error("enough"));
  await assertRejects(() => gathered(gzipBytes([new Uint8Array(8)], { signal: stop.signal })), Error, "enough");
  let isStopped = false;
  async function* endless() {
    const random = crypto.getRandomValues(new Uint8Array(1 << 16));
    try {
      for (;;) yield random;
    } finally {
      isStopped = true;
    }
  }
  for await (const _ of gzipBytes(endless())) break;
  assertEquals(isStopped, true);
});
