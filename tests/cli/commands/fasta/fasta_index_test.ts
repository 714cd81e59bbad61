import { assertEquals, assertStringIncludes } from "@std/assert";
import { gunzipSync, gzipSync } from "node:zlib";
import { runInFolder } from "../../../_program.ts";
import { inFolder } from "../../../_files.ts";

Deno.test("fasta index writes the index beside the file", async () => {
  await inFolder(async (cwd) => {
    await Deno.writeTextFile(`${cwd}/a.fasta`, ";fields=acc|Host\n>v1|bat\nACGT\nAC\n>v2|\nGG\n>v2|x\nG\n>v3|\n>|\n");
    const { code, stderr } = await runInFolder(cwd, ["fasta", "index", "./a.fasta"]);
    assertEquals([code, await Deno.readTextFile(`${cwd}/a.fasta.fai`)], [0, "v1\t6\t25\t4\t5\nv2\t2\t38\t2\t3\n"]);
    assertStringIncludes(stderr, "not in the index: 1 record with an id that came before: v2\n");
    assertStringIncludes(stderr, "not in the index: 2 records without a sequence: v3, one without an id\n");
    assertStringIncludes(stderr, "2 sequences");
  });
});

Deno.test("fasta index says when it writes no list of blocks of a BGZF file", async () => {
  const cwd = await Deno.makeTempDir();
  // One block, and the empty one at the end.
  const block = "H4sIBAAAAAAA/wYAQkMCACYAAQgA9/8+YQpBQ0dUCjCW2t4IAAAAH4sIBAAAAAAA/wYAQkMCABsAAwAAAAAAAAAAAA==";
  await Deno.writeFile(`${cwd}/a.gz`, Uint8Array.fromBase64(block));
  for (const [args, isSaid, files] of [[["-o", "./x.fai"], true, 2], [["-o", "-"], true, 2], [[], false, 4]] as const) {
    const { code, stderr } = await runInFolder(cwd, ["fasta", "index", "./a.gz", ...args]);
    assertEquals([code, [...Deno.readDirSync(cwd)].length], [0, files]);
    assertEquals(stderr.includes("no .gzi was written"), isSaid);
  }
  await Deno.remove(cwd, { recursive: true });
});

Deno.test("fasta index compresses an index whose name ends with .gz", async () => {
  const cwd = await Deno.makeTempDir();
  await Deno.writeTextFile(`${cwd}/a.fasta`, ">a\nACGT\n");
  const { code, stderr } = await runInFolder(cwd, ["fasta", "index", "./a.fasta", "-o", "./a.fai.gz"]);
  assertEquals(code, 0, stderr);
  assertEquals(new TextDecoder().decode(gunzipSync(await Deno.readFile(`${cwd}/a.fai.gz`))), "a\t4\t3\t4\t5\n");
  await Deno.remove(cwd, { recursive: true });
});

Deno.test("fasta index ends with code 1 where there can be no index, and leaves none", async (t) => {
  const files: Record<string, [content: string | Uint8Array, says: string]> = {
    "gzip": [new Uint8Array(gzipSync(">a\nACGT\n")), "bgzip"],
    "lines of different length": [">a\nAC\nACGT\n", 'line 3, byte 6, record "a"'],
    "a page": ["<!doctype html>", "an HTML page"],
  };
  for (const [name, [content, says]] of Object.entries(files)) {
    await t.step(name, async () => {
      const cwd = await Deno.makeTempDir();
      await Deno.writeFile(`${cwd}/a`, typeof content === "string" ? new TextEncoder().encode(content) : content);
      const { code, stderr } = await runInFolder(cwd, ["fasta", "index", "./a"]);
      assertEquals([code, [...Deno.readDirSync(cwd)].length], [1, 1]);
      assertStringIncludes(stderr, says);
      await Deno.remove(cwd, { recursive: true });
    });
  }
});

Deno.test("fasta index does not replace the sequences by their index", async (t) => {
  const cwd = await Deno.makeTempDir();
  const text = ">a\nACGT\n";
  await Deno.writeTextFile(`${cwd}/a.fasta`, text);
  await Deno.symlink("a.fasta", `${cwd}/link.fasta`);
  await Deno.symlink("a.fasta", `${cwd}/link.fasta.fai`);
  const runs: [args: string[], code: number, says: string][] = [
    [["./a.fasta", "-o", "./a.fasta"], 2, "argument 1 already uses this file"],
    [["./a.fasta", "-o", "./link.fasta"], 2, "argument 1 already uses this file"],
    [["./link.fasta", "-o", `${cwd}/./a.fasta`], 2, "argument 1 already uses this file"],
    [["./link.fasta"], 2, "this is the sequence file"],
  ];
  for (const [args, code, says] of runs) {
    await t.step(args.join(" ").replace(cwd, ""), async () => {
      const run = await runInFolder(cwd, ["fasta", "index", ...args]);
      assertEquals([run.code, await Deno.readTextFile(`${cwd}/a.fasta`)], [code, text]);
      assertStringIncludes(run.stderr, says);
    });
  }
  await t.step("nor does fasta get", async () => {
    const run = await runInFolder(cwd, ["fasta", "get", "./link.fasta", "a"]);
    assertEquals([run.code, run.stdout, await Deno.readTextFile(`${cwd}/a.fasta`)], [0, text, text]);
    assertStringIncludes(run.stderr, "the index was not saved: Cannot write link.fasta.fai: it is a link");
  });
  await Deno.remove(cwd, { recursive: true });
});
