import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { exchangeSketch, maxHashOf } from "../../../src/alike/sketch/exchange_sketch.ts";
import { plainExchange } from "./_plain_sketch.ts";
import { SEQUENCES, SKETCHES } from "./_sourmash_sketches.ts";

Deno.test("exchangeSketch() makes sourmash's sketches, whatever is in the sequence", () => {
  const made = SKETCHES.map(([name, k, scaled]) => {
    const { hashes, md5 } = exchangeSketch(SEQUENCES[name], { k, scaled });
    return [name, k, scaled, hashes.length, md5];
  });
  assertEquals(made, SKETCHES.map((row) => [...row]));
});

Deno.test("the module's hashes are those of a plain reading", () => {
  const sequence = fc.string({ unit: fc.constantFrom(..."ACGTACGTACGTACGTacgtNU-R"), maxLength: 120 });
  fc.assert(
    fc.property(sequence, fc.integer({ min: 1, max: 70 }), fc.integer({ min: 1, max: 20 }), (sequence, k, scaled) => {
      const { hashes, maxHash } = exchangeSketch(sequence, { k, scaled });
      assertEquals([...hashes], plainExchange(sequence, { k, most: maxHash }));
    }),
    { numRuns: 200 },
  );
});

Deno.test("exchangeSketch() with rna makes the sketch of the DNA, and skips U without", () => {
  const rna = SEQUENCES.U;
  const dna = rna.replaceAll("U", "T");
  const options = { k: 21, scaled: 1 };
  assertEquals(exchangeSketch(rna, { ...options, rna: true }).md5, exchangeSketch(dna, options).md5);
  assertEquals(exchangeSketch(rna, options).hashes.length < exchangeSketch(dna, options).hashes.length, true);
  const lower = exchangeSketch(rna.toLowerCase(), { ...options, rna: true });
  assertEquals(lower.md5, exchangeSketch(dna, options).md5);
});

Deno.test("a sequence that is longer than a piece of the module's memory is sketched across the borders", () => {
  let state = 1;
  const bases = Uint8Array.from({ length: (1 << 18) * 2 + 100 }, () => {
    state = Math.imul(state, 1103515245) + 12345 >>> 0;
    return "ACGT".charCodeAt(state >>> 30);
  });
  const { hashes, maxHash } = exchangeSketch(bases, { k: 51, scaled: 8 });
  const all = new Set(hashes);
  const around = new TextDecoder().decode(bases.subarray((1 << 18) - 200, (1 << 18) + 200));
  const expected = plainExchange(around, { k: 51, most: maxHash });
  assertEquals(expected.length > 20, true);
  assertEquals(expected.filter((hash) => !all.has(hash)), []);
});

Deno.test("the greatest hash is sourmash's truncated floating-point number", () => {
  const known = {
    1: 18446744073709551615n,
    100: 184467440737095520n,
    3000: 6148914691236517n,
    10007: 1843384038543974n,
  };
  for (const [scaled, most] of Object.entries(known)) assertEquals(maxHashOf(Number(scaled)), most);
});

Deno.test("exchangeSketch() refuses options out of their range", () => {
  assertThrows(() => exchangeSketch("ACGT", { k: 0 }), RangeError, '"k"');
  assertThrows(() => exchangeSketch("ACGT", { scaled: 0.5 }), RangeError, '"scaled"');
});
