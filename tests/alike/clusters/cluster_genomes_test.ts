import { assertEquals, assertRejects } from "@std/assert";
import { clusterGenomes, FastaError } from "../../../src/alike/mod.ts";
import { AlignRoutines } from "../../../src/alike/align/align_routines.ts";
import { alignTo } from "../../../src/alike/align/align_genomes.ts";
import { fastaOf, genomeOf, mutate, randomsOf, reverseComplement } from "../_genomes.ts";

const random = randomsOf(21);

/** Families whose members are cut, mutated and reversed, among them some that chain one to the next. */
function familiesOf(count: number): Record<string, string> {
  const genomes: Record<string, string> = {};
  for (let family = 0; family < count; family++) {
    let genome = genomeOf(random, 1500 + Math.floor(random() * 3000));
    for (let member = 0; member < 6; member++) {
      const cut = random() < 0.3 ? genome.slice(Math.floor(genome.length * 0.25 * random())) : genome;
      genomes[`f${family}m${Math.floor(random() * 1e6)}`] = random() < 0.3 ? reverseComplement(cut) : cut;
      genome = mutate(random, genome, 0.03 * random());
    }
  }
  return genomes;
}

/** Greedy clusters of all pairs, aligned without sketches: the representative of each record. */
function clustersOfAllPairs(genomes: Record<string, string>, ani: number, fraction: number): Record<string, string> {
  const routines = new AlignRoutines();
  const bytes = new Map(Object.entries(genomes).map(([id, genome]) => [id, new TextEncoder().encode(genome)]));
  const order = [...bytes.keys()].sort().sort((a, b) => bytes.get(b)!.length - bytes.get(a)!.length);
  const clusterOf: Record<string, string> = {};
  for (const representative of order) {
    if (representative in clusterOf) continue;
    for (const member of order) {
      if (member in clusterOf) continue;
      const alignment = alignTo(routines, bytes.get(member)!, bytes.get(representative)!);
      const isNear = alignment.ani >= ani && alignment.alignedFraction >= fraction;
      if (member === representative || isNear) clusterOf[member] = representative;
    }
  }
  return clusterOf;
}

Deno.test("clusterGenomes() finds the greedy clusters of all aligned pairs", async () => {
  const genomes = familiesOf(8);
  for (const [ani, fraction] of [[0.99, 0.85], [0.95, 0.85], [0.9, 0.5]]) {
    const { members, clusters } = await clusterGenomes(fastaOf(genomes), { ani, fraction });
    const expected = clustersOfAllPairs(genomes, ani, fraction);
    assertEquals(Object.fromEntries(members.map(({ member, representative }) => [member, representative])), expected);
    assertEquals(clusters, new Set(Object.values(expected)).size);
    for (const { member, representative, ani: own, fraction: aligned } of members) {
      assertEquals(own >= ani && aligned >= fraction, true);
      if (member === representative) assertEquals([own, aligned], [1, 1]);
    }
  }
});

Deno.test("clusterGenomes() names exact duplicates, in another case and as the reverse complement", async () => {
  const genome = genomeOf(random, 900) + "R".repeat(3) + genomeOf(random, 100);
  const other = genomeOf(random, 800);
  const reverse = reverseComplement(genome.slice(903)) + "YYY" + reverseComplement(genome.slice(0, 900));
  const records = {
    d: genome,
    c: genome.toLowerCase(),
    b: reverse,
    a: genome,
    y: other,
    x: other.slice(1),
    e: "",
    f: "",
  };
  const { members, clusters } = await clusterGenomes(fastaOf(records), { ani: 0.99 });
  assertEquals(clusters, 3);
  assertEquals(
    members.map((
      { representative, member, duplicateOf, duplicate },
    ) => [representative, member, duplicateOf, duplicate]),
    [
      ["a", "a", null, null],
      ["a", "b", "a", "reverse-complement"],
      ["a", "c", "a", "case"],
      ["a", "d", "a", "same"],
      ["y", "y", null, null],
      ["y", "x", null, null],
      ["e", "e", null, null],
      ["e", "f", "e", "same"],
    ],
  );
});

Deno.test("clusterGenomes() refuses proteins, N alone and thresholds that sketches do not reach", async () => {
  const cluster = (bases: string, ani = 0.99) => clusterGenomes(fastaOf({ a: bases }), { ani });
  await assertRejects(() => cluster("MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQ"), FastaError, "looks like a protein");
  await assertRejects(() => cluster("N".repeat(400)), FastaError, "have no A, C, G, T or U");
  await assertRejects(() => cluster("ACGT", 0.8), RangeError);
});
