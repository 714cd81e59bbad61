/** The compiled row checker is that of its source. */
import { assertEquals } from "@std/assert";
import { sourceDigest } from "../../../src/fasta/kernel/build.ts";
import { SOURCE_SHA256 } from "../../../src/tables/kernel/rows_wasm.ts";

Deno.test("the compiled row checker is up to date", async () => {
  assertEquals(SOURCE_SHA256, await sourceDigest("tables/kernel/rows"), "run deno task kernels");
});
