import { assertEquals, assertStringIncludes } from "@std/assert";
import { runInProcess } from "../../../_program.ts";
import { genomeOf, mutate, randomsOf } from "../../../alike/_genomes.ts";

const HEADER = "query query_length strand rank accession shared containment jaccard ani ani_low ani_high " +
  "aligned_fraction note";
const random = randomsOf(9);
const GENOME = genomeOf(random, 4000);
const NEAR = `>near\n${mutate(random, GENOME, 0.03)}\n`;
const SHORT = `>short\n${GENOME.slice(0, 200)}\n`;
const OTHER = `>other\n${genomeOf(random, 3000)}\n`;

async function withIndex(work: (index: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  const index = `${folder}/index`;
  const { code, stdout } = await runInProcess(["alike", "index", "-", "-o", index], { stdin: `>vj1 x\n${GENOME}\n` });
  assertEquals([code, stdout], [0, `${index}\n`]);
  await work(index);
  await Deno.remove(folder, { recursive: true });
}

Deno.test("alike nearest --format tsv writes a row for each hit, and one for a query without", async () => {
  await withIndex(async (index) => {
    const search = (stdin: string) =>
      runInProcess(["alike", "nearest", "-", "--index", index, "--format", "tsv"], { stdin });
    const mixed = await search(NEAR + OTHER);
    const [header, near, other] = mixed.stdout.trimEnd().split("\n").map((line) => line.split("\t"));
    assertEquals(header, HEADER.split(" "));
    assertEquals([near.slice(0, 5), near.slice(11)], [["near", "4000", "+", "1", "vj1"], ["", ""]]);
    assertEquals(Number(near[9]) < 97 && 97 < Number(near[10]), true, near.join(" "));
    assertEquals([other[0], other[4]], ["other", ""]);
    assertStringIncludes(other[12], "no record shares 3 hashes");
    assertEquals(mixed.code, 0);
    assertEquals((await search(OTHER)).code, 3);
    const short = await search(NEAR + SHORT);
    assertEquals(short.code, 4);
    assertStringIncludes(short.stdout, "beyond reach: the query has fewer than 300 unambiguous bases");
    assertStringIncludes(short.stderr, "1 of 2 queries have a hit, 1 beyond reach");
  });
});

Deno.test("alike nearest writes JSON lines and a table", async () => {
  await withIndex(async (index) => {
    const search = (format: string) =>
      runInProcess(["alike", "nearest", "-", "--index", index, "--format", format, "-n", "1"], { stdin: NEAR });
    const hit = JSON.parse((await search("jsonl")).stdout);
    assertEquals(Object.keys(hit).filter((key) => !key.endsWith("_of_record")), HEADER.split(" "));
    assertEquals([hit.accession, hit.aligned_fraction], ["vj1", null]);
    assertStringIncludes((await search("table")).stdout, "vj1");
  });
});

Deno.test("alike nearest --align writes the identity and the share of what is aligned", async () => {
  const folder = await Deno.makeTempDir();
  const far = GENOME.slice(0, 1500) + genomeOf(random, 2500);
  await Deno.writeTextFile(`${folder}/a.fasta`, `>vj1 x\n${far}\n>vj2\n${mutate(random, GENOME, 0.01)}\n`);
  const index = `${folder}/index`;
  assertEquals((await runInProcess(["alike", "index", `${folder}/a.fasta`, "-o", index])).code, 0);
  const search = (...args: string[]) =>
    runInProcess(["alike", "nearest", "-", "--index", index, "--format", "tsv", ...args], { stdin: `>q\n${GENOME}\n` });
  const { code, stdout } = await search("--align");
  const rows = stdout.split("\n").slice(1, -1).map((line) => line.split("\t"));
  assertEquals([code, rows.map((row) => row[4])], [0, ["vj2", "vj1"]]);
  assertEquals(rows.map((row) => Math.round(Number(row[8]))), [99, 100]);
  assertEquals(rows.map((row) => [row[9], row[10], row[12]]), [["", "", ""], ["", "", ""]]);
  assertEquals(rows.map((row) => Math.round(Number(row[11]) * 10)), [10, 4]);
  assertEquals((await search("--from", `${folder}/a.fasta`)).code, 2);
  await Deno.rename(`${folder}/a.fasta`, `${folder}/b.fasta`);
  assertEquals((await search("--align")).code, 1);
  assertEquals((await search("--align", "--from", `${folder}/b.fasta`)).stdout, stdout);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("alike nearest and alike index refuse wrong usage, and say what cannot be read", async () => {
  await withIndex(async (index) => {
    const run = (args: readonly string[], stdin = NEAR) => runInProcess(["alike", ...args], { stdin });
    assertEquals((await run(["nearest", "-"])).code, 2);
    assertEquals((await run(["nearest", "-", "--index", index, "-n", "0"])).code, 2);
    assertEquals((await run(["index", "-"])).code, 2);
    const absent = await run(["nearest", "-", "--index", `${index}-absent`]);
    assertEquals([absent.code, absent.stdout], [1, ""]);
    assertStringIncludes(absent.stderr, "name a folder that seqreg alike index wrote");
    const again = await run(["index", "-", "-o", index]);
    assertEquals(again.code, 1);
    assertStringIncludes(again.stderr, "holds files already");
    const empty = await run(["index", "-", "-o", `${index}-2`], "");
    assertEquals(empty.code, 1);
    assertStringIncludes(empty.stderr, "it has no records");
  });
});

Deno.test("alike nearest --parts notes the records of a chimera", async () => {
  const folder = await Deno.makeTempDir();
  const other = genomeOf(random, 4000);
  const index = ["alike", "index", "-", "-o", `${folder}/index`];
  await runInProcess(index, { stdin: `>vj1\n${GENOME}\n>vj2\n${other}\n` });
  const search = ["alike", "nearest", "-", "--index", `${folder}/index`, "--parts", "--format"];
  const stdin = `>chimera\n${GENOME.slice(0, 2000)}${other.slice(0, 2000)}\n`;
  const [, first, second] = (await runInProcess([...search, "tsv"], { stdin })).stdout.split("\n");
  assertEquals(first.split("\t")[12], "parts: 1-2000 vj1 100.00 %, 2001-4000 vj2 100.00 %");
  assertEquals(second.split("\t")[12], "");
  const { parts } = JSON.parse((await runInProcess([...search, "jsonl"], { stdin })).stdout.split("\n")[0]);
  assertEquals(parts[1], { from: 2001, to: 4000, accession: "vj2", ani: 100 });
  await Deno.remove(folder, { recursive: true });
});
