import { assertEquals } from "@std/assert";
import { gzipSync } from "node:zlib";
import { describeBytes, nextFor } from "../../../../src/core/io/bytes/describe_bytes.ts";

Deno.test("describeBytes() says what a file looks like", async (t) => {
  const looks: Record<string, string | Uint8Array> = {
    "an empty file": "",
    "gzip data": new Uint8Array(gzipSync("x")),
    "a PNG image": new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d]),
    "an HTML page": "\n<!DOCTYPE html><html>",
    "XML": '<?xml version="1.0"?><a/>',
    "JSON": '{"detail": "no"}',
    "a FASTA file": ">a\nacgt",
    "a FASTA file whose lines end with carriage returns alone": ";fields=a\r>a\rac\r>b\rgt\r",
    "a CSV table": "a,b\n1,2",
    "a table separated by tabs": "a\tb\n",
    "a FASTQ file": "@r\nacgt\n+\nIIII\n",
    "binary data": new Uint8Array([0, 1, 2]),
    "an RTF document": "{\\rtf1\\ansi >a\\par",
    "a tar archive": `${"a.fasta".padEnd(257, "\0")}ustar\x0000`,
    "UTF-16 text": new Uint8Array([0x3e, 0, 0x61, 0, 0x0a, 0, 0x41, 0]),
    "text": "hello",
  };
  for (const [what, bytes] of Object.entries(looks)) {
    await t.step(what, () => {
      assertEquals(describeBytes(typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes), what);
    });
  }
  assertEquals(describeBytes(new Uint8Array([0, 0x3e, 0, 0x61, 0x1e, 0x61])), "UTF-16 text");
});

Deno.test("nextFor() says one thing to do with a file of another kind", () => {
  assertEquals(nextFor("an RTF document").split(",").length, 3);
  assertEquals(nextFor("text"), "name another file, or the command for this kind");
});
