import { assertEquals, assertStringIncludes } from "@std/assert";
import { runCli } from "../../../_cli.ts";

Deno.test("fasta digest writes length, GA4GH digest and MD5 of the upper-cased bases", async () => {
  const { code, stdout, stderr } = await runCli(["fasta", "digest", "-"], { stdin: ">a x\nACGT\n>b\nac\n gt\n>c\n" });
  const acgt = "SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2\tf1f8f4bf413b16ad135722aa4591043e";
  const nothing = "SQ.z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXc\td41d8cd98f00b204e9800998ecf8427e";
  assertEquals(code, 0);
  assertEquals(stdout, `id\tlength\tga4gh\tmd5\na\t4\t${acgt}\nb\t4\t${acgt}\nc\t0\t${nothing}\n`);
  assertStringIncludes(stderr, "1 record without a sequence: c (line 6)");
});
