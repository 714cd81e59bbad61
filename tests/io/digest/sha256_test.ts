import { assert, assertEquals, assertFalse } from "@std/assert";
import { equalDigests, sha256 } from "../../../src/io/digest/sha256.ts";

Deno.test("sha256() digests bytes as they are", async () => {
  assertEquals(
    await sha256(new TextEncoder().encode("test")),
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  );
});

Deno.test("equalDigests() compares whatever the case and the length", () => {
  assert(equalDigests("AbCd", "aBcD"));
  assertFalse(equalDigests("abcd", "abce"));
  assertFalse(equalDigests("abcd", "abc"));
});
