import { assertEquals, assertThrows } from "@std/assert";
import {
  below,
  formatObjectAddress,
  isObjectAddress,
  parseObjectAddress,
} from "../../../../src/core/io/objects/object_address.ts";

Deno.test("addresses are read, and written again", () => {
  const cases: [text: string, bucket: string, key: string, written: string][] = [
    ["s3://lakes", "lakes", "", "s3://lakes"],
    ["s3://lakes/", "lakes", "", "s3://lakes"],
    ["s3://lakes/a/b-c_d.e~1//", "lakes", "a/b-c_d.e~1", "s3://lakes/a/b-c_d.e~1"],
    ["s3://my.Bucket_1/x", "my.Bucket_1", "x", "s3://my.Bucket_1/x"],
  ];
  for (const [text, bucket, key, written] of cases) {
    const address = parseObjectAddress(text);
    assertEquals(address, { bucket, key });
    assertEquals(formatObjectAddress(address), written);
    assertEquals(formatObjectAddress(below(address, "n")), `${written}/n`);
  }
});

Deno.test("what a reader would take for a pattern, a partition or another path is refused", () => {
  const texts = [
    "s3:lakes",
    "s3://",
    "s3:///a",
    "s3a://lakes/a",
    "S3://lakes/a",
    "https://lakes/a",
    "s3://l/a",
    "s3://la..kes/a",
    "s3://lakes//a",
    "s3://lakes/a//b",
    "s3://lakes/../b",
    "s3://lakes/.",
    "s3://lakes/a*",
    "s3://lakes/a?b",
    "s3://lakes/a#b",
    "s3://lakes/[a]",
    "s3://lakes/year=1",
    "s3://lakes/a b",
    "s3://lakes/a%20b",
    "s3://lakes/ä",
    "s3://lakes/a\n",
    "s3://user:secret@lakes/a",
    `s3://lakes/${"a".repeat(513)}`,
  ];
  for (const text of texts) assertThrows(() => parseObjectAddress(text), TypeError, "Cannot use the address", text);
});

Deno.test("an address is distinguished from a path", () => {
  assertEquals(["s3://a", "s3a://a", "S3:a", "s3", "./s3:", "C:\\s3", "a/s3://"].map(isObjectAddress), [
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});
