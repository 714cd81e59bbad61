import { assertEquals, assertRejects } from "@std/assert";
import { gzipSync } from "node:zlib";
import { checkClusters, RegistryError } from "../../../src/alike/mod.ts";
import { buildLake } from "../../../src/core/tables/lake/objects/build_any_lake.ts";
import { inFolder } from "../../_files.ts";
import { runInProcess } from "../../_program.ts";
import { genomeOf, mutate, randomsOf, reverseComplement } from "../_genomes.ts";

const random = randomsOf(41);
const [A, B] = [genomeOf(random, 3000), genomeOf(random, 2500)];
const NEAR_B = mutate(random, B, 0.04);
const SEQUENCES: Readonly<Record<string, string>> = {
  repA: A,
  same: reverseComplement(mutate(random, A, 0.02)),
  overstated: mutate(random, A, 0.04),
  chained: mutate(random, A, 0.09),
  longer: `${mutate(random, A, 0.01)}${genomeOf(random, 60)}`,
  repB: B,
  // Stated for A, and nearer to B.
  misplaced: NEAR_B,
  repC: A.slice(0, 2000),
};
const PAIRS = [
  ["1", "repA", "repA", "100", "100"],
  ["1", "repA", "same", "98.1", "100"],
  ["1", "repA", "overstated", "99.5", "100"],
  ["1", "repA", "chained", "95.5", "100"],
  ["1", "repA", "longer", "99", "98"],
  ["1", "repA", "misplaced", "96", "90"],
  ["1", "repA", "absent", "97", "100"],
  ["2", "repB", "repB", "100", "100"],
  ["3", "repC", "repC", "100", "100"],
];

/** A folder with the archives of these clusters. */
async function withClusters(shares: boolean, work: (archives: string, folder: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const archives = `${folder}/archives`;
    await Deno.mkdir(archives);
    const write = (name: string, rows: readonly (readonly string[])[]) =>
      Deno.writeFile(
        `${archives}/registryv1_${name}.csv.gz`,
        gzipSync(rows.map((row) => `${row.join(",")}\n`).join("")),
      );
    const stated = PAIRS.map((row) => row.map((cell, at) => shares && at > 2 ? String(Number(cell) / 100) : cell));
    await write("votu_cluster_comparison_metrics", [
      ["Cluster", "Representative", "Member", "Identity", "Coverage"],
      ...stated,
    ]);
    await write("full_dataset_sequence", [["Registry Accession", "Sequence"], ...Object.entries(SEQUENCES)]);
    await work(archives, folder);
  });
}

Deno.test("checkClusters() reports what agrees, differs, is below the threshold, or nearer to another", async () => {
  for (const shares of [false, true]) {
    await withClusters(shares, async (archives, folder) => {
      if (!shares) await buildLake(archives, `${folder}/lake`);
      const lake = shares ? archives : `${folder}/lake`;
      const checked = await checkClusters(lake);
      assertEquals([checked.total, checked.longerMembers], [6, 1]);
      assertEquals(Object.fromEntries(checked.pairs.map(({ member, verdict }) => [member, verdict])), {
        same: "agrees",
        longer: "agrees",
        overstated: "differs",
        chained: "below-threshold",
        misplaced: "nearer",
        absent: "no-sequence",
      });
      assertEquals(checked.pairs.find(({ member }) => member === "misplaced")?.nearest, "repB");
      assertEquals(checked.verdicts, {
        agrees: 2,
        differs: 1,
        "below-threshold": 1,
        nearer: 1,
        "too-long": 0,
        "no-sequence": 1,
      });
      const [two, again] = [await checkClusters(lake, { pairs: 2 }), await checkClusters(lake, { pairs: 2 })];
      assertEquals([two, two.pairs.length], [again, 2]);
    });
  }
});

Deno.test("alike check writes a row for each pair that was drawn", async () => {
  await withClusters(false, async (archives, folder) => {
    const { code, stdout, stderr } = await runInProcess(["alike", "check", archives]);
    const rows = stdout.split("\n").slice(0, -1).map((line) => line.split("\t"));
    assertEquals(rows[0], [
      "representative",
      "member",
      "identity",
      "coverage",
      "ani",
      "fraction",
      "nearest",
      "verdict",
    ]);
    assertEquals([code, rows.length], [4, 7], stderr);
    assertEquals(rows.find(([, member]) => member === "absent")?.slice(2), [
      "97.00",
      "100.00",
      "",
      "",
      "",
      "no-sequence",
    ]);
    assertEquals(stderr.includes("5 of 6 pairs aligned"), true);
    assertEquals(stderr.includes("2 agree, 1 differ, 1 below the threshold, 1 nearer to another representative"), true);
    assertEquals(stderr.includes("1 of 6 members are longer than their representatives"), true);
    await Deno.remove(`${archives}/registryv1_full_dataset_sequence.csv.gz`);
    const without = await runInProcess(["alike", "check", archives]);
    assertEquals(without.code, 1);
    assertEquals(without.stderr.includes("it has no table of sequences"), true, without.stderr);
    await assertRejects(() => checkClusters(`${folder}/absent`), RegistryError, "does not exist");
    assertEquals((await runInProcess(["alike", "check", archives, "-n", "0"])).code, 2);
  });
});

Deno.test("checkClusters() takes a share that is not a number for a missing one", async () => {
  await withClusters(false, async (archives) => {
    const rows = [
      ["Cluster", "Representative", "Member", "Identity", "Coverage"],
      ["1", "repA", "same", "98.1", "nan"],
      ["1", "repA", "longer", "NaN", "98"],
    ];
    const text = rows.map((row) => `${row.join(",")}\n`).join("");
    await Deno.writeFile(`${archives}/registryv1_votu_cluster_comparison_metrics.csv.gz`, gzipSync(text));
    const { pairs } = await checkClusters(archives);
    const found = pairs.map(({ member, identity, coverage, verdict }) => [member, identity, coverage, verdict]);
    assertEquals(found.toSorted(), [["longer", null, 0.98, "agrees"], ["same", 0.981, null, "agrees"]]);
  });
});
