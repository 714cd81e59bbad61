import { assertAlmostEquals, assertEquals } from "@std/assert";
import { buildAlikeIndex, nearest, openAlikeIndex, type QueryPart } from "../../../src/alike/mod.ts";
import { inFolder } from "../../_files.ts";
import { fastaOf, genomeOf, mutate, randomsOf, reverseComplement } from "../_genomes.ts";

const random = randomsOf(29);
const [A, B] = [genomeOf(random, 12_000), genomeOf(random, 9000)];
/** Relatives of one genome, between which a window cannot decide. */
const RECORDS = { a: A, a2: mutate(random, A, 0.004), a3: mutate(random, A, 0.006), b: B, b2: mutate(random, B, 0.05) };

Deno.test("nearest() with parts finds the record of each part of a chimera, on either strand, and one of a mutant", async () => {
  await inFolder(async (folder) => {
    await buildAlikeIndex(fastaOf(RECORDS), `${folder}/index`);
    using index = await openAlikeIndex(`${folder}/index`);
    const chimera = mutate(random, A.slice(0, 7000), 0.02) +
      reverseComplement(mutate(random, B.slice(1000, 6000), 0.03));
    const queries = {
      chimera,
      mutant: mutate(random, A, 0.03),
      half: A.slice(0, 5000) + genomeOf(random, 5000),
      short: A.slice(0, 200),
    };
    const answers = await Array.fromAsync(nearest(fastaOf(queries), index, { parts: true }));
    const parts = Object.fromEntries(answers.map(({ query, parts }) => [query, parts as readonly QueryPart[]]));
    assertEquals(parts.chimera.map(({ accession, start, end }) => [accession?.[0], start, end]), [
      ["a", 0, 7000],
      ["b", 7000, 12_000],
    ]);
    assertAlmostEquals(parts.chimera[0].ani!, 0.98, 0.012);
    assertEquals(parts.mutant.map(({ start, end }) => [start, end]), [[0, 12_000]]);
    assertEquals(parts.half.map(({ accession, start, end }) => [accession, start, end]), [
      ["a", 0, 5000],
      [null, 5000, 10_000],
    ]);
    assertEquals(parts.short, []);
    const [without] = await Array.fromAsync(nearest(fastaOf({ chimera }), index));
    assertEquals(without.parts, null);
  });
});
