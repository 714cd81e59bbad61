import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { deflatePart, gzipParts } from "../../../../src/core/io/gzip/gzip_parts.ts";

Deno.test("gzipParts() makes one member of any parts, which a strict reader accepts", async () => {
  const part = fc.uint8Array({ maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 5 }), async (parts) => {
      const deflated = async function* () {
        yield* parts.map((bytes) => deflatePart(bytes));
      };
      const gzip = new Blob(await Array.fromAsync(gzipParts(deflated())));
      // A DecompressionStream refuses what comes after the first member.
      const text = await new Response(gzip.stream().pipeThrough(new DecompressionStream("gzip"))).bytes();
      assertEquals([...text], parts.flatMap((bytes) => [...bytes]));
    }),
    { numRuns: 50 },
  );
});
