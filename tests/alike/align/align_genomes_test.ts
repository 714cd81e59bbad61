import { assertAlmostEquals, assertEquals } from "@std/assert";
import { alignGenomes } from "../../../src/alike/mod.ts";
import { AlignRoutines } from "../../../src/alike/align/align_routines.ts";
import { alignTo } from "../../../src/alike/align/align_genomes.ts";
import { genomeOf, mutate, randomsOf, reverseComplement } from "../_genomes.ts";

const random = randomsOf(11);
const GENOME = genomeOf(random, 12_000);

/** Share of equal bases of two sequences of one length. */
function identityOf(a: string, b: string): number {
  let equal = 0;
  for (let i = 0; i < a.length; i++) if (a[i] === b[i]) equal += 1;
  return equal / a.length;
}

Deno.test("alignGenomes() finds the identity of substituted genomes on either strand", () => {
  for (const [share, tolerance] of [[0, 0], [0.01, 0.0005], [0.05, 0.001], [0.1, 0.0015], [0.15, 0.004]]) {
    const relative = mutate(random, GENOME, share);
    const truth = identityOf(GENOME, relative);
    for (const [query, strand] of [[relative, "+"], [reverseComplement(relative), "-"]] as const) {
      const alignment = alignGenomes(query, GENOME);
      assertAlmostEquals(alignment.ani, truth, tolerance + 1e-12);
      assertEquals([alignment.strand, alignment.isTooFar], [strand, false]);
      assertEquals(alignment.alignedFraction > 0.99 && alignment.alignedFractionOfRecord > 0.99, true);
    }
  }
});

Deno.test("alignGenomes() follows insertions, deletions, inversions and moved stretches", () => {
  const parts = [0, 3000, 3100, 7000, 9000, 12_000].map((end, i, ends) => GENOME.slice(ends[i - 1] ?? 0, end)).slice(1);
  const rearranged = parts[3] + parts[0] + reverseComplement(parts[1]) + parts[2] + parts[4];
  const moved = alignGenomes(rearranged, GENOME);
  assertEquals(moved.alignedFraction > 0.998 && moved.alignedFractionOfRecord > 0.998, true);
  assertAlmostEquals(moved.ani, 1, 0.001);

  const inserted = GENOME.slice(0, 5000) + genomeOf(random, 12) + GENOME.slice(5000);
  const longer = alignGenomes(inserted, GENOME);
  assertEquals(longer.aligned - longer.matches <= 12 && longer.aligned >= GENOME.length, true);
  const deleted = alignGenomes(GENOME, inserted);
  assertEquals([deleted.matches, deleted.ani], [GENOME.length, 1]);

  const alien = alignGenomes(GENOME.slice(0, 6000) + genomeOf(random, 6000), GENOME);
  assertAlmostEquals(alien.alignedFraction, 0.5, 0.01);
  assertAlmostEquals(alien.alignedFractionOfRecord, 0.5, 0.01);
  assertAlmostEquals(alien.ani, 1, 0.005);
});

Deno.test("alignGenomes() reads U as T, and matches no other character, nor itself", () => {
  const half = GENOME.slice(0, 2000);
  assertEquals(alignGenomes(half.replaceAll("T", "U").toLowerCase(), half).ani, 1);
  const gap = "N".repeat(500);
  const { matches, alignedFraction } = alignGenomes(half + gap, half + gap);
  assertEquals([matches, alignedFraction], [2000, 0.8]);
  for (const nothing of ["", "ACGT", gap]) {
    const { ani, aligned, isTooFar } = alignGenomes(nothing, GENOME);
    assertEquals([ani, aligned, isTooFar], [0, 0, true]);
    assertEquals(alignGenomes(GENOME, nothing).aligned, 0);
  }
});

Deno.test("alignGenomes() reports that unrelated genomes are too far", () => {
  for (let i = 0; i < 20; i++) {
    const { isTooFar, alignedFraction } = alignGenomes(genomeOf(random, 3000), genomeOf(random, 3000));
    assertEquals([isTooFar || alignedFraction < 0.02], [true]);
  }
  assertEquals(alignGenomes(mutate(random, GENOME, 0.25), GENOME).isTooFar, true);
});

Deno.test("the aligner makes room for long sequences and keeps its reference", () => {
  const routines = new AlignRoutines();
  const bytesOf = (text: string) => new TextEncoder().encode(text);
  const record = bytesOf(GENOME);
  assertEquals(alignTo(routines, record, record).ani, 1);
  const long = bytesOf(GENOME.repeat(25));
  assertEquals(alignTo(routines, long, record).alignedFraction, 1);
  assertEquals(alignTo(routines, bytesOf(GENOME.slice(6000)), record).alignedFractionOfRecord, 0.5);
});
