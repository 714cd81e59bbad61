import { assertEquals, assertStringIncludes } from "@std/assert";
import { gzipSync } from "node:zlib";
import { runInFolder, runInProcess } from "../../../_program.ts";

const PLAIN = ">a one\nACGT\nAC\n>b\nGG\n>c\nTTTT";
const REGISTRY = ";fields=acc|Host\n>v1|bat\nACGT\nAC\n>v2|\nGG\n";

Deno.test("fasta get writes the records as they are, in the order asked", async (t) => {
  const cwd = await Deno.makeTempDir();
  await Deno.writeTextFile(`${cwd}/plain.fasta`, PLAIN);
  await Deno.writeTextFile(`${cwd}/registry.fasta`, REGISTRY);
  const gets: Record<string, [args: string[], code: number, stdout: string, says: string]> = {
    "in another order": [["plain.fasta", "c", "a"], 0, ">c\nTTTT\n>a one\nACGT\nAC\n", "complete, 2 records"],
    "a registry FASTA stays one": [["registry.fasta", "v2"], 0, ";fields=acc|Host\n>v2|\nGG\n", "complete"],
    "one is absent": [["plain.fasta", "b", "nobody"], 4, ">b\nGG\n", "1 of 2 asked for is missing: nobody"],
    "all are absent": [["plain.fasta", "x", "y"], 3, "", "x, y"],
    "one is asked for twice": [
      ["plain.fasta", "b", "b"],
      0,
      ">b\nGG\n>b\nGG\n",
      "1 of the ids were requested more than once",
    ],
  };
  for (const [name, [[file, ...ids], code, stdout, says]] of Object.entries(gets)) {
    await t.step(name, async () => {
      const run = await runInProcess(["fasta", "get", `${cwd}/${file}`, ...ids]);
      assertEquals([run.code, run.stdout], [code, stdout]);
      assertStringIncludes(run.stderr, says);
    });
  }
  await t.step("a record with another number of values than the fields is left out, and said so", async () => {
    await Deno.writeTextFile(`${cwd}/faulty.fasta`, ";fields=acc|Host\n>v1|bat\nAC\n>v3|a|b\nGG\n>v4\nT\n");
    const says = "left out, because the number of values differs from ;fields=: v3";
    for (
      const [ids, stdout, counts] of [
        [["v1", "v3", "v4"], ";fields=acc|Host\n>v1|bat\nAC\n", "1 record received, 3 asked for, 2 unparsed"],
        [["v3", "v1", "v3"], ";fields=acc|Host\n>v1|bat\nAC\n", "1 record received, 3 asked for, 1 unparsed"],
        [["v3"], "", "0 records received, 1 asked for, 1 unparsed"],
      ] as const
    ) {
      const run = await runInProcess(["fasta", "get", `${cwd}/faulty.fasta`, ...ids]);
      assertEquals([run.code, run.stdout], [4, stdout]);
      assertStringIncludes(run.stderr, says);
      assertStringIncludes(run.stderr, counts);
    }
  });
  await t.step("a list of ids, plain, gzip and on standard input, after the arguments", async () => {
    await Deno.writeTextFile(`${cwd}/ids`, "b\r\n\na\n");
    await Deno.writeFile(`${cwd}/ids.gz`, gzipSync("b\na"));
    for (const [ids, stdin] of [["./ids", undefined], ["./ids.gz", undefined], ["-", "b\na\n"]]) {
      const run = await runInFolder(cwd, ["fasta", "get", "./plain.fasta", "c", "--ids", ids!], { stdin });
      assertEquals([run.code, run.stdout], [0, ">c\nTTTT\n>b\nGG\n>a one\nACGT\nAC\n"]);
    }
  });
  await t.step("records of any length, among them longer ones than are written at once", async () => {
    const record = (id: string, lines: number) => `>${id} ü\n${"ACGTN\n".repeat(lines)}`;
    const records = { a: record("a", 60_000), b: record("b", 180_000), c: record("c", 1), d: record("d", 170_000) };
    await Deno.writeTextFile(`${cwd}/long.fasta`, Object.values(records).join(""));
    const run = await runInProcess(["fasta", "get", `${cwd}/long.fasta`, "c", "a", "b", "c", "d", "a"]);
    const { a, b, c, d } = records;
    assertEquals([run.code, run.stdout === c + a + b + c + d + a], [0, true]);
  });
  await t.step("an empty record is present, and the first of equal ids is named", async () => {
    await Deno.writeTextFile(`${cwd}/odd.fasta`, ">a x\nACGT\n>b y\n>a z\nTT\n>c\nGG\n");
    const odd: [args: string[], code: number, stdout: string, says: string][] = [
      [["b", "c"], 0, ">b y\n>c\nGG\n", "1 record without a sequence: b"],
      [["a"], 0, ">a x\nACGT\n", "several records have the same id, and the first was used: a (2 records)"],
      [["c"], 0, ">c\nGG\n", "complete"],
      [["b", "d"], 4, ">b y\n", "1 of 2 asked for is missing: d"],
    ];
    // First the index is made, then it is read.
    for (const [ids, code, stdout, says] of [...odd, ...odd]) {
      const run = await runInProcess(["fasta", "get", `${cwd}/odd.fasta`, ...ids]);
      assertEquals([run.code, run.stdout], [code, stdout]);
      assertStringIncludes(run.stderr, says);
      assertEquals(run.stderr.includes("not in the index"), false);
    }
  });
  await t.step("bases of a range, counted from 1, both ends included", async () => {
    await Deno.writeTextFile(
      `${cwd}/range.fasta`,
      `>a one\n${"ACGTN".repeat(20)}\n>a:2-3\nGG\n>e\n>l\u2028ine\nACGT\n`,
    );
    await Deno.writeTextFile(`${cwd}/range_registry.fasta`, REGISTRY);
    const ranges: [args: string[], code: number, stdout: string, says: string][] = [
      [["range.fasta", "a:1-4"], 0, ">a:1-4 one\nACGT\n", "complete, 1 record"],
      [["range.fasta", "a:5-76"], 0, `>a:5-76 one\nN${"ACGTN".repeat(13)}ACGT\nNA\n`, "complete"],
      [
        ["range.fasta", "a:99-1000"],
        0,
        ">a:99-100 one\nTN\n",
        "1 range cut, because the end is after the end of the sequence: a:99-1000 (to 100)",
      ],
      [["range.fasta", "a:99-"], 0, ">a:99-100 one\nTN\n", "complete, 1 record"],
      [["range.fasta", "a:99"], 0, ">a:99-100 one\nTN\n", "complete, 1 record"],
      [["range.fasta", "a:-2"], 0, ">a:1-2 one\nAC\n", "complete, 1 record"],
      [["range.fasta", "a:0,099-1,00"], 0, ">a:99-100 one\nTN\n", "complete, 1 record"],
      [["range.fasta", "l\u2028ine:2-3"], 0, ">l\u2028ine:2-3\nCG\n", "complete, 1 record"],
      [["range.fasta", "a:x-3"], 2, "", 'Cannot read the range of "a:x-3": expected ID:FROM-TO, ID:FROM-, ID:-TO'],
      [["range.fasta", "a:5-6-7"], 2, "", 'Cannot read the range of "a:5-6-7"'],
      [["range.fasta", "a:"], 2, "", 'Cannot read the range of "a:"'],
      [["range.fasta", "x:y"], 3, "", "missing: x:y"],
      [["range.fasta", "e:1-"], 4, "", "the start is after the end of the sequence: e:1-"],
      [["range.fasta", "a:2-3"], 0, ">a:2-3\nGG\n", "complete"],
      [
        ["range.fasta", "a:101-102", "a:1-1"],
        4,
        ">a:1-1 one\nA\n",
        "the start is after the end of the sequence: a:101-102",
      ],
      [["range.fasta", "x:1-2"], 3, "", "x:1-2"],
      [["range.fasta", "a:0-2"], 2, "", "expected ID:FROM-TO"],
      [["range.fasta", "a:3-2"], 2, "", "expected ID:FROM-TO"],
      [["range_registry.fasta", "v1:2-5"], 0, ";fields=acc|Host\n>v1:2-5|bat\nCGTA\n", "complete"],
    ];
    for (const [[file, ...ids], code, stdout, says] of ranges) {
      const run = await runInProcess(["fasta", "get", `${cwd}/${file}`, ...ids]);
      assertEquals([run.code, run.stdout], [code, stdout]);
      assertStringIncludes(run.stderr, says);
    }
  });
  await t.step("the index is written once, and said so; --no-index neither reads nor writes one", async () => {
    const file = `${cwd}/noted.fasta`;
    await Deno.writeTextFile(file, ">a\nACGT\n");
    const get = (...flags: string[]) => runInProcess(["fasta", "get", file, "a", ...flags]);
    const isThere = () => Deno.stat(`${file}.fai`).then(() => true, () => false);
    const without = await get("--no-index");
    assertEquals([without.code, without.stdout, await isThere()], [0, ">a\nACGT\n", false]);
    assertEquals(without.stderr.includes(".fai"), false);
    const first = await get();
    assertEquals([first.code, first.stdout, await isThere()], [0, ">a\nACGT\n", true]);
    assertStringIncludes(first.stderr, `wrote ${file}.fai, by which records are found; --no-index works without it`);
    assertEquals((await get()).stderr.includes(".fai"), false);
    assertEquals((await get("--quiet")).stderr, "");
    // One that is wrong is not looked at.
    await Deno.writeTextFile(`${file}.fai`, "b\t4\t3\t4\t5\n");
    assertEquals((await get("--no-index")).stdout, ">a\nACGT\n");
    assertEquals(await Deno.readTextFile(`${file}.fai`), "b\t4\t3\t4\t5\n");
  });
  await t.step("wrong usage", async () => {
    await Deno.writeTextFile(`${cwd}/empty`, "\n");
    const plain = `${cwd}/plain.fasta`;
    for (const args of [[plain], ["-"], [plain, "--ids", `${cwd}/empty`]]) {
      assertEquals((await runInProcess(["fasta", "get", ...args])).code, 2);
    }
  });
  await t.step("an index older than its file is made anew, and said so", async () => {
    await Deno.writeTextFile(`${cwd}/plain.fasta`, ">z\nA\n" + PLAIN);
    await Deno.utime(`${cwd}/plain.fasta.fai`, new Date(0), new Date(0));
    const { code, stdout, stderr } = await runInFolder(cwd, ["fasta", "get", "./plain.fasta", "z", "b"]);
    assertEquals([code, stdout], [0, ">z\nA\n>b\nGG\n"]);
    assertStringIncludes(stderr, "is older than its file: it was rebuilt");
  });
  await Deno.remove(cwd, { recursive: true });
});

Deno.test("fasta get names a range by its id, and its lines begin no record", async () => {
  const cwd = await Deno.makeTempDir();
  await Deno.writeTextFile(`${cwd}/odd.fasta`, ">  far off x\nACGT\n>\ttab\nCC\n>cut\nAC>T;A\n");
  const run = await runInFolder(cwd, ["fasta", "get", "./odd.fasta", "far:2-3", "tab:1", "cut:3-4", "cut:5-"]);
  assertEquals(run.stdout, ">far:2-3 off x\nCG\n>tab:1-2\nCC\n>cut:3-4\n >T\n>cut:5-6\n ;A\n");
  assertEquals(run.code, 0);
  await Deno.remove(cwd, { recursive: true });
});

Deno.test("fasta get reads what has no offsets to go to: standard input, gzip, lines of other lengths", async (t) => {
  const cwd = await Deno.makeTempDir();
  const text = ">a one\nACGT\nAC\n\nGG\n>b:1-2 x\nGG\n>a two\nTT\n>c\nTTTTT\nA\n>e\n";
  await Deno.writeTextFile(`${cwd}/odd.fasta`, text);
  await Deno.writeFile(`${cwd}/odd.fasta.gz`, gzipSync(text));
  const ids = ["c:2-3", "a", "b:1-2", "e", "a:7-"];
  const picked = ">c:2-3\nTT\n>a one\nACGTACGG\n>b:1-2 x\nGG\n>e\n>a:7-8 one\nGG\n";
  for (const file of ["./odd.fasta", "./odd.fasta.gz"]) {
    await t.step(file, async () => {
      const run = await runInFolder(cwd, ["fasta", "get", file, ...ids, "--no-index"]);
      assertEquals([run.code, run.stdout], [0, picked]);
      assertStringIncludes(run.stderr, "1 record without a sequence: e");
      assertStringIncludes(run.stderr, "several records have the same id, and the first was used: a (2 records)");
      // An index was not asked to be done without.
      assertEquals((await runInFolder(cwd, ["fasta", "get", file, ...ids])).code, 1);
    });
  }
  await t.step("standard input", async () => {
    const run = await runInFolder(cwd, ["fasta", "get", "-", ...ids, "nobody"], { stdin: text });
    assertEquals([run.code, run.stdout], [4, picked]);
    assertStringIncludes(run.stderr, "1 of 6 asked for is missing: nobody");
    const registry = ";fields=acc|Host\n>v1|bat\nACGT\n>v2|a|b\nGG\n>v3|\nT\n";
    const got = await runInFolder(cwd, ["fasta", "get", "-", "v3", "v1"], { stdin: registry });
    assertEquals([got.code, got.stdout], [4, ";fields=acc|Host\n>v3|\nT\n>v1|bat\nACGT\n"]);
    assertStringIncludes(got.stderr, "v2");
    assertEquals((await runInFolder(cwd, ["fasta", "get", "-", "--ids", "-"], { stdin: "a" })).code, 2);
    assertEquals((await runInFolder(cwd, ["fasta", "get", "-", "a"], { stdin: "not FASTA" })).code, 1);
  });
  await Deno.remove(cwd, { recursive: true });
});
