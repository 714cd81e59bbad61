import { assert, assertEquals, assertFalse } from "@std/assert";
import { equalDigests, sha256, sha256Of } from "../../../../src/core/io/digest/sha256.ts";

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

Deno.test("sha256Of() writes the digest of a text or of bytes in hexadecimal, unless Base64 is asked for", () => {
  const hex = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  assertEquals([sha256Of("abc"), sha256Of(new TextEncoder().encode("abc"))], [hex, hex]);
  assertEquals(sha256Of("abc", "base64"), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
  assertEquals(sha256Of("abc", "base64url"), "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
});
