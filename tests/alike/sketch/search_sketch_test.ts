import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { sketchForSearch } from "../../../src/alike/sketch/search_sketch.ts";
import { SketchRoutines } from "../../../src/alike/sketch/sketch_routines.ts";
import { genomeOf, randomsOf, reverseComplement } from "../_genomes.ts";
import { kmersOf, mix } from "./_plain_sketch.ts";

const routines = SketchRoutines.start();
const sketch = (sequence: string) => sketchForSearch(routines, new TextEncoder().encode(sequence));

/** Distinct places below the end of a shift, ascending, in plain TypeScript. */
function plainPlaces(sequence: string, shift: number): number[] {
  const codeOf = (kmer: string) =>
    Array.from(kmer).reduce((code, base) => code * 4n + BigInt("ACGT".indexOf(base)), 0n);
  const places = new Set<number>();
  for (const [forward, backward] of kmersOf(sequence, 21)) {
    const code = codeOf(forward < backward ? forward : backward);
    const hash = mix((code + 0x9e3779b97f4a7c15n) % 2n ** 64n) >> 15n;
    if (hash >= 2n ** BigInt(49 - shift)) continue;
    const wide = hash / 2n ** 45n;
    places.add(Number(wide === 0n ? hash : (63n + wide) * 2n ** 39n + hash % 2n ** 45n / 64n));
  }
  return [...places].sort((a, b) => a - b);
}

const placesOf = (values: Float64Array) => Array.from(values, (value) => Math.floor(value / 2));

Deno.test("the search sketch is that of a plain reading, at every density", () => {
  const bases = fc.string({ unit: fc.constantFrom(..."ACGTACGTACGTACGTacgtN"), minLength: 0, maxLength: 400 });
  fc.assert(
    fc.property(bases, fc.integer({ min: 0, max: 12 }), (bases, times) => {
      const sequence = Array.from({ length: times + 1 }, (_, i) => bases + "ACGTTGCAAC".slice(i % 10)).join("");
      const { shift, values, sizes } = sketch(sequence);
      assertEquals(placesOf(values), plainPlaces(sequence, shift));
      for (let sparser = shift; sparser <= 4; sparser++) {
        assertEquals(sizes[sparser], plainPlaces(sequence, sparser).length);
      }
    }),
    { numRuns: 60 },
  );
});

Deno.test("a short sequence has a denser sketch, which begins with the sparser one", () => {
  const genome = genomeOf(randomsOf(1), 8000);
  const lengths = [8000, 1500, 700, 300, 140].map((length) => sketch(genome.slice(0, length)));
  assertEquals(lengths.map(({ shift }) => shift), [4, 3, 2, 1, 0]);
  for (const { values, shift } of lengths.slice(0, 4)) assertEquals(values.length >= 128, true, String(shift));
});

Deno.test("both strands have the same hashes, with the strand told apart", () => {
  const genome = genomeOf(randomsOf(2), 3000);
  const [forward, backward] = [sketch(genome), sketch(reverseComplement(genome))];
  assertEquals(placesOf(forward.values), placesOf(backward.values));
  assertEquals(forward.values.every((value, i) => value % 2 !== backward.values[i] % 2), true);
});
