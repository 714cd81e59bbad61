import { assertEquals, assertStringIncludes } from "@std/assert";
import { gunzipSync } from "node:zlib";
import { runCli } from "../../../_cli.ts";

Deno.test("fasta from-parquet reverses to-parquet, and compresses into a file whose name ends in .gz", async () => {
  const cwd = await Deno.makeTempDir();
  const registry = ";fields=acc|Host\n>v1|bat\nACGT\n>v2|\nGG\n";
  const there = await runCli(["fasta", "to-parquet", "-", "-o", "genomes"], { cwd, stdin: registry });
  assertEquals([there.code, there.stdout], [0, "genomes/part-00000.parquet\n"]);
  assertStringIncludes(there.stderr, "complete, 2 records");
  const back = await runCli(["fasta", "from-parquet", "genomes", "--wrap", "3"], { cwd });
  assertEquals([back.code, back.stdout], [0, ";fields=acc|Host\n>v1|bat\nACG\nT\n>v2|\nGG\n"]);
  const named = await runCli(["fasta", "from-parquet", "genomes", "--wrap", "3", "-o", "back.fasta.gz"], { cwd });
  assertEquals([named.code, named.stdout], [0, ""]);
  assertEquals(new TextDecoder().decode(gunzipSync(await Deno.readFile(`${cwd}/back.fasta.gz`))), back.stdout);
  const again = await runCli(["fasta", "to-parquet", "-", "-o", "genomes"], { cwd, stdin: registry });
  assertEquals(again.code, 1);
  assertStringIncludes(again.stderr, "it holds files already");
  await Deno.mkdir(`${cwd}/here`);
  const here = await runCli(["fasta", "to-parquet", "-", "-o", "."], { cwd: `${cwd}/here`, stdin: registry });
  assertEquals(here.code, 1);
  assertStringIncludes(here.stderr, "Cannot write .: it is the folder that the program runs in");
  const bound = ["fasta", "to-parquet", "-", "-o", "bound", "--max-record-bytes", "3"];
  const long = await runCli(bound, { cwd, stdin: registry });
  assertEquals(long.code, 1);
  assertStringIncludes(long.stderr, "longer than 3 bytes; if that is meant, raise maxRecordBytes (--max-record-bytes)");
  assertEquals((await runCli(["fasta", "to-parquet", "-"], { cwd, stdin: registry })).code, 2);
  await Deno.remove(cwd, { recursive: true });
});
