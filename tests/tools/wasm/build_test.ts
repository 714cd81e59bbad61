import { assertEquals } from "@std/assert";
import { MODULES, sourceDigest } from "../../../tools/wasm/main.ts";

Deno.test("the compiled modules are those of the sources beside them", async (t) => {
  for (const module of MODULES) {
    await t.step(module, async () => {
      const { SOURCE_SHA256 } = await import(new URL(`../../../${module}_wasm.ts`, import.meta.url).href);
      assertEquals(SOURCE_SHA256, await sourceDigest(module), "run deno task wasm");
    });
  }
});
