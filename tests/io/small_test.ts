/** Small tables for the small functions of `io/`. */
import { assert, assertEquals, assertFalse, assertThrows } from "@std/assert";
import { gzipSync } from "node:zlib";
import { cacheFolder } from "../../src/io/files/cache_folder.ts";
import { describeBytes } from "../../src/io/bytes/describe_bytes.ts";
import { equalDigests, sha256 } from "../../src/io/digest/sha256.ts";
import { terminalText } from "../../src/io/bytes/terminal_text.ts";

Deno.test("describeBytes() says what a file looks like", async (t) => {
  const looks: Record<string, string | Uint8Array> = {
    "an empty file": "",
    "gzip data": new Uint8Array(gzipSync("x")),
    "a PNG image": new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d]),
    "an HTML page": "\n<!DOCTYPE html><html>",
    "XML": '<?xml version="1.0"?><a/>',
    "JSON": '{"detail": "no"}',
    "a FASTA file": ">a\nacgt",
    "a CSV table": "a,b\n1,2",
    "a table separated by tabs": "a\tb\n",
    "a FASTQ file": "@r\nacgt\n+\nIIII\n",
    "binary data": new Uint8Array([0, 1, 2]),
    "text": "hello",
  };
  for (const [what, bytes] of Object.entries(looks)) {
    await t.step(what, () => {
      assertEquals(describeBytes(typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes), what);
    });
  }
});

Deno.test("cacheFolder() follows the variables, then the platform", () => {
  const at = (os: "linux" | "darwin" | "windows", env: Record<string, string>) => cacheFolder((name) => env[name], os);

  assertEquals(at("linux", { SEQREG_CACHE: "/c", XDG_CACHE_HOME: "/x", HOME: "/h" }), "/c");
  assertEquals(at("linux", { XDG_CACHE_HOME: "/x", HOME: "/h" }), "/x/seqreg");
  assertEquals(at("linux", { HOME: "/h" }), "/h/.cache/seqreg");
  assertEquals(at("darwin", { HOME: "/h" }), "/h/Library/Caches/seqreg");
  assertEquals(at("windows", { LOCALAPPDATA: "/l", USERPROFILE: "/u" }), "/l/seqreg");
  assertThrows(() => at("linux", {}), TypeError, "SEQREG_CACHE");
});

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

Deno.test("terminalText() lets no control character through", () => {
  for (let code = 0; code < 0xa0; code++) {
    const text = terminalText(String.fromCharCode(code));
    // deno-lint-ignore no-control-regex
    assertFalse(/[\x00-\x1f\x7f-\x9f]/.test(text));
  }
  assertEquals(terminalText("\u202eevil\u2066"), "\\u{202e}evil\\u{2066}");
  assertEquals(terminalText("Réunion 日本"), "Réunion 日本");
});
