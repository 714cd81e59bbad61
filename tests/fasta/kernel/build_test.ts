import { assertEquals } from "@std/assert";
import { KERNELS, sourceDigest } from "../../../src/fasta/kernel/build.ts";

Deno.test("the compiled kernels are those of the sources beside them", async (t) => {
  for (const kernel of KERNELS) {
    await t.step(kernel, async () => {
      const { SOURCE_SHA256 } = await import(`../../../src/${kernel}_wasm.ts`);
      assertEquals(SOURCE_SHA256, await sourceDigest(kernel), "run deno task kernels");
    });
  }
});
