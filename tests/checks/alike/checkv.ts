/**
 * The clusters that `checkv aniclust` makes of the identities of all pairs: equal to ours. Run by `deno task checks
 * checkv`. `PYTHON` names a Python with checkv, whose programs lie next to it.
 */
import { assertEquals } from "@std/assert";
import { dirname, join } from "node:path";
import { clusterGenomes } from "../../../src/alike/mod.ts";
import { AlignRoutines } from "../../../src/alike/align/align_routines.ts";
import { alignTo } from "../../../src/alike/align/align_genomes.ts";
import { fastaOf, genomeOf, mutate, randomsOf, reverseComplement } from "../../alike/_genomes.ts";
import { testNeeding } from "../../_needs.ts";
import { needsModules, PYTHON } from "../../_python.ts";

const random = randomsOf(Number(Deno.env.get("SEQREG_SEED") ?? "1"));
const [FAMILIES, MEMBERS] = [8, 6];

function genomesOf(): Record<string, string> {
  const genomes: [string, string][] = [];
  for (let family = 0; family < FAMILIES; family++) {
    let genome = genomeOf(random, 800 + Math.floor(random() * 4000));
    for (let member = 0; member < MEMBERS; member++) {
      const cut = random() < 0.4 ? genome.slice(Math.floor(genome.length * 0.3 * random())) : genome;
      genomes.push([`g${Math.floor(random() * 1e9)}`, random() < 0.3 ? reverseComplement(cut) : cut]);
      genome = mutate(random, genome, 0.04 * random());
    }
  }
  // aniclust keeps the order of the file among records of one length.
  return Object.fromEntries(genomes.sort(([a], [b]) => a < b ? -1 : 1));
}

testNeeding(needsModules("checkv"), "clusters are those of checkv aniclust", async () => {
  const folder = await Deno.makeTempDir();
  const genomes = genomesOf();
  await Deno.writeFile(`${folder}/a.fasta`, fastaOf(genomes));
  const routines = new AlignRoutines();
  const bytes = Object.entries(genomes).map(([id, genome]) => [id, new TextEncoder().encode(genome)] as const);
  const rows = ["qname\ttname\tnum_alns\tani\tqcov\ttcov"];
  for (const [representative, record] of bytes) {
    for (const [member, sequence] of bytes) {
      const { ani, alignedFraction, alignedFractionOfRecord } = alignTo(routines, sequence, record);
      if (alignedFraction > 0) {
        rows.push(
          [representative, member, 1, 100 * ani, 100 * alignedFractionOfRecord, 100 * alignedFraction].join("\t"),
        );
      }
    }
  }
  await Deno.writeTextFile(`${folder}/ani.tsv`, rows.join("\n") + "\n");
  for (const [ani, fraction] of [[99, 85], [95, 85]]) {
    const { success, stderr } = await new Deno.Command(join(dirname(PYTHON), "aniclust"), {
      args: ["--fna", `${folder}/a.fasta`, "--ani", `${folder}/ani.tsv`, "--out", `${folder}/clusters.tsv`].concat(
        ["--min_ani", String(ani), "--min_tcov", String(fraction), "--min_qcov", "0"],
      ),
    }).output();
    assertEquals(success, true, new TextDecoder().decode(stderr));
    const theirs = (await Deno.readTextFile(`${folder}/clusters.tsv`)).trimEnd().split("\n")
      .flatMap((line) => line.split("\t")[1].split(",").map((member) => `${line.split("\t")[0]} ${member}`));
    const { members } = await clusterGenomes(`${folder}/a.fasta`, { ani: ani / 100, fraction: fraction / 100 });
    const ours = members.map(({ representative, member }) => `${representative} ${member}`);
    assertEquals(ours.sort(), theirs.sort());
    assertEquals(ours.length, FAMILIES * MEMBERS);
  }
  await Deno.remove(folder, { recursive: true });
});
