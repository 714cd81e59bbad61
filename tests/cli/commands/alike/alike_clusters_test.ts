import { assertEquals, assertStringIncludes } from "@std/assert";
import { runInProcess } from "../../../_program.ts";
import { genomeOf, mutate, randomsOf, reverseComplement } from "../../../alike/_genomes.ts";

const random = randomsOf(31);
const GENOME = genomeOf(random, 2000);
const FASTA = [
  `>vj3 near\n${mutate(random, GENOME, 0.005)}`,
  `>vj1\n${GENOME}`,
  `>vj4\n${reverseComplement(GENOME)}`,
  `>vj2\n${genomeOf(random, 1500)}`,
  "",
].join("\n");

Deno.test("alike clusters writes a row for each record and counts exact duplicates", async () => {
  const { code, stdout, stderr } = await runInProcess(["alike", "clusters", "-", "--ani", "99"], { stdin: FASTA });
  const rows = stdout.split("\n").slice(0, -1).map((line) => line.split("\t"));
  assertEquals(code, 0);
  assertEquals(rows[0], ["representative", "member", "ani", "fraction"]);
  assertEquals(rows.slice(1).map(([representative, member]) => `${representative} ${member}`), [
    "vj1 vj1",
    "vj1 vj3",
    "vj1 vj4",
    "vj2 vj2",
  ]);
  assertEquals([rows[1].slice(2), rows[3].slice(2)], [["100.00", "100.00"], ["100.00", "100.00"]]);
  assertEquals(Math.abs(Number(rows[2][2]) - 99.5) < 0.4, true);
  assertStringIncludes(
    stderr,
    "2 clusters of 4 records; exact duplicates: 0 with the same bytes, 0 in another case, 1",
  );
  const quiet = await runInProcess(["alike", "clusters", "-", "--ani", "99", "--quiet"], { stdin: FASTA });
  assertEquals([quiet.code, quiet.stdout, quiet.stderr], [0, stdout, ""]);
});

Deno.test("alike clusters refuses wrong usage, and what cannot be read", async () => {
  const run = (args: readonly string[], stdin = FASTA) => runInProcess(["alike", "clusters", "-", ...args], { stdin });
  for (const args of [[], ["--ani", "89"], ["--ani", "x"], ["--ani", ""], ["--ani", "99", "--fraction", "101"]]) {
    const { code, stdout } = await run(args);
    assertEquals([code, stdout], [2, ""]);
  }
  const empty = await run(["--ani", "99"], "");
  assertEquals([empty.code, empty.stdout], [1, ""]);
  assertStringIncludes(empty.stderr, "it has no records");
});
