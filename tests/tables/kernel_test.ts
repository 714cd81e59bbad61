/** The compiled row checker is that of its source. */
import { assertEquals } from "@std/assert";
import { sourceDigest } from "../../src/tables/kernel/build.ts";
import { SOURCE_SHA256 } from "../../src/tables/kernel/rows_wasm.ts";

Deno.test("the compiled row checker is up to date", async () => {
  assertEquals(SOURCE_SHA256, await sourceDigest("rows"), "run deno run -A src/tables/kernel/build.ts");
});
