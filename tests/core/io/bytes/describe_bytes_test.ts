import { assertEquals } from "@std/assert";
import { gzipSync } from "node:zlib";
import { describeBytes } from "../../../../src/core/io/bytes/describe_bytes.ts";

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
