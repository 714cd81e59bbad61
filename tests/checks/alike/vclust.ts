/**
 * Identity and aligned fraction compared with vclust, on genomes with known differences. Run by `deno task checks
 * vclust`. `PYTHON` names a Python with vclust.
 */
import { assertEquals } from "@std/assert";
import { AlignRoutines } from "../../../src/alike/align/align_routines.ts";
import { alignTo } from "../../../src/alike/align/align_genomes.ts";
import { fastaOf, genomeOf, randomsOf, reverseComplement } from "../../alike/_genomes.ts";
import { testNeeding } from "../../_needs.ts";
import { needsModules, PYTHON } from "../../_python.ts";

const random = randomsOf(Number(Deno.env.get("SEQREG_SEED") ?? "1"));
const PAIRS = 40;

interface Relative {
  readonly bases: string;
  /** Bases that are those of the genome, among all of the relative. */
  readonly identity: number;
}

/** A relative with substitutions, and insertions and deletions of a few bases; one of three on the other strand. */
function relativeOf(genome: string, share: number): Relative {
  const bases: string[] = [];
  let equal = 0;
  for (let i = 0; i < genome.length; i++) {
    const draw = random() / share;
    if (draw < 0.95) bases.push("ACGT".replace(genome[i], "")[Math.floor(random() * 3)]);
    else if (draw >= 0.975 && draw < 1) i += Math.floor(random() * 6);
    else {
      equal += 1;
      bases.push(genome[i], draw < 1 ? genomeOf(random, 1 + Math.floor(random() * 6)) : "");
    }
  }
  const relative = bases.join("");
  return { bases: random() < 0.33 ? reverseComplement(relative) : relative, identity: equal / relative.length };
}

/** What vclust finds of each pair, by the ids of query and reference; shares of 1. */
async function pairsOfVclust(
  folder: string,
): Promise<Map<string, { readonly ani: number; readonly fraction: number }>> {
  const args = ["-m", "vclust", "align", "-i", `${folder}/a.fasta`, "-o", `${folder}/v.tsv`, "-t", "1"];
  const { success, stderr } = await new Deno.Command(PYTHON, { args }).output();
  assertEquals(success, true, new TextDecoder().decode(stderr));
  const [header, ...rows] = (await Deno.readTextFile(`${folder}/v.tsv`)).trimEnd().split("\n")
    .map((row) => row.split("\t"));
  const [query, reference, ani, fraction] = ["query", "reference", "ani", "qcov"].map((name) => header.indexOf(name));
  return new Map(rows.map((row) => [
    `${row[query]} ${row[reference]}`,
    { ani: Number(row[ani]), fraction: Number(row[fraction]) },
  ]));
}

testNeeding(
  needsModules("vclust"),
  "identities are nearer to the truth than those of vclust, and near to them",
  async () => {
    const folder = await Deno.makeTempDir();
    const genomes = Array.from({ length: PAIRS }, () => genomeOf(random, 4000 + Math.floor(random() * 12_000)));
    const relatives = genomes.map((genome, i) => relativeOf(genome, 0.01 + 0.14 * i / PAIRS));
    const records = genomes.flatMap((genome, i) => [[`g${i}`, genome], [`r${i}`, relatives[i].bases]]);
    await Deno.writeFile(`${folder}/a.fasta`, fastaOf(Object.fromEntries(records)));
    const theirs = await pairsOfVclust(folder);
    const routines = new AlignRoutines();
    for (
      const [range, least, most, toTruth, toVclust] of [["from 90 %", 0.9, 1, 0.15, 0.3], [
        "85 to 90 %",
        0.85,
        0.9,
        0.2,
        0.9,
      ]] as const
    ) {
      const errors = { ours: 0, theirs: 0, between: 0, fraction: 0, pairs: 0 };
      for (const [i, { bases, identity }] of relatives.entries()) {
        if (identity < least || identity >= most) continue;
        const encoder = new TextEncoder();
        const { ani, alignedFraction } = alignTo(routines, encoder.encode(bases), encoder.encode(genomes[i]));
        const pair = theirs.get(`r${i} g${i}`)!;
        errors.ours += 100 * Math.abs(ani - identity);
        errors.theirs += 100 * Math.abs(pair.ani - identity);
        errors.between += 100 * Math.abs(ani - pair.ani);
        errors.fraction += 100 * Math.abs(alignedFraction - pair.fraction);
        errors.pairs += 1;
      }
      const { ours, theirs: vclust, between, fraction, pairs } = errors;
      const figures = [ours, vclust, between, fraction].map((sum) => sum / pairs);
      console.log(
        `${range}, ${pairs} pairs, mean error in points: ${figures.map((value) => value.toFixed(3)).join(" ")}`,
      );
      assertEquals(figures.map((value, at) => value <= [toTruth, Infinity, toVclust, 1][at]), [true, true, true, true]);
      assertEquals(ours <= vclust, true);
    }
    await Deno.remove(folder, { recursive: true });
  },
);
