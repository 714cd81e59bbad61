import { assertEquals } from "@std/assert";
import { KERNELS, sourceDigest } from "../../../tools/kernels/main.ts";

Deno.test("the compiled kernels are those of the sources beside them", async (t) => {
  for (const kernel of KERNELS) {
    await t.step(kernel, async () => {
      const { SOURCE_SHA256 } = await import(new URL(`../../../${kernel}_wasm.ts`, import.meta.url).href);
      assertEquals(SOURCE_SHA256, await sourceDigest(kernel), "run deno task kernels");
    });
  }
});
