import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import {
  type AlikeIndex,
  buildAlikeIndex,
  FastaError,
  nearest,
  openAlikeIndex,
  RegistryError,
} from "../../../src/alike/mod.ts";
import { sketchForSearch } from "../../../src/alike/sketch/search_sketch.ts";
import { SketchRoutines } from "../../../src/alike/sketch/sketch_routines.ts";
import { fastaOf, genomeOf, mutate, randomsOf, reverseComplement } from "../_genomes.ts";

const random = randomsOf(7);
const GENOMES = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => [`g${i}`, genomeOf(random, [400, 1200, 6000, 12000][i % 4])]),
);

async function withIndex(work: (index: AlikeIndex) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  await buildAlikeIndex(fastaOf(GENOMES), `${folder}/index`);
  {
    using index = await openAlikeIndex(`${folder}/index`);
    await work(index);
  }
  await Deno.remove(folder, { recursive: true });
}

Deno.test("nearest() lets timers and signals through between its queries", async (t) => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/genomes.fasta`;
  await Deno.writeFile(path, fastaOf(GENOMES));
  await buildAlikeIndex(path, `${folder}/index`);
  const genome = GENOMES.g3;
  const queries = fastaOf(Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`q${i}`, genome])));
  for (const align of [false, true]) {
    await t.step(`align: ${align}`, async () => {
      using index = await openAlikeIndex(`${folder}/index`);
      let turns = 0;
      const timer = setInterval(() => turns++, 1);
      const begun = performance.now();
      assertEquals((await Array.fromAsync(nearest(queries, index, { align }))).length, 600);
      clearInterval(timer);
      // A turn is due every 20 ms.
      const due = (performance.now() - begun) / 20;
      assertEquals(turns > due / 4, true, `${turns} turns of ${due}`);
      const late = nearest(queries, index, { align, signal: AbortSignal.timeout(20) });
      assertEquals((await assertRejects(() => Array.fromAsync(late), DOMException)).name, "TimeoutError");
    });
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("nearest() finds the relative of each query, on either strand, within the interval of its ANI", async () => {
  await withIndex(async (index) => {
    for (const share of [0, 0.02, 0.05, 0.1]) {
      const queries = Object.fromEntries(
        Object.entries(GENOMES).filter(([, genome]) => genome.length > 1000).map(([id, genome], i) => {
          const relative = mutate(random, genome, share);
          return [id, i % 2 === 0 ? relative : reverseComplement(relative)];
        }),
      );
      let within = 0;
      let position = 0;
      for await (const { query, hits } of nearest(fastaOf(queries), index)) {
        assertEquals([hits[0].accession, hits[0].strand], [query, position % 2 === 0 ? "+" : "-"]);
        assertEquals(hits.length, 1);
        if (hits[0].aniLow <= 1 - share && 1 - share <= hits[0].aniHigh) within += 1;
        position += 1;
      }
      assertEquals(within >= position * 0.85, true, `${within} of ${position} at ${share}`);
    }
  });
});

Deno.test("nearest() counts the same shared hashes as a comparison of whole sketches", async () => {
  const routines = SketchRoutines.start();
  const sketch = (bases: string) => sketchForSearch(routines, new TextEncoder().encode(bases));
  await withIndex(async (index) => {
    const query = mutate(random, GENOMES.g2.slice(1000, 4000), 0.03) + GENOMES.g1.slice(0, 800);
    const [mine, answers] = [sketch(query), await Array.fromAsync(nearest(fastaOf({ query }), index))];
    assertEquals(
      answers[0].hits.map(({ accession }) => accession),
      ["g1", "g2"].sort((a, b) => {
        const shareOf = (id: string) => answers[0].hits.find(({ accession }) => accession === id)!.containment;
        return shareOf(b) - shareOf(a);
      }),
    );
    for (const hit of answers[0].hits) {
      const theirs = sketch(GENOMES[hit.accession]);
      const shift = Math.max(mine.shift, theirs.shift);
      const own = new Set(Array.from(mine.values.subarray(0, mine.sizes[shift]), (value) => Math.floor(value / 2)));
      const shared = theirs.values.subarray(0, theirs.sizes[shift]).filter((value) => own.has(Math.floor(value / 2)));
      assertEquals(hit.shared, shared.length);
      assertEquals(hit.containment, shared.length / own.size);
      assertEquals(hit.containmentOfRecord, shared.length / theirs.sizes[shift]);
      assertEquals(hit.jaccard, shared.length / (own.size + theirs.sizes[shift] - shared.length));
    }
  });
});

Deno.test("a query without a hit has a reason", async () => {
  await withIndex(async (index) => {
    const queries = {
      short: GENOMES.g3.slice(0, 299),
      ambiguous: GENOMES.g3.slice(0, 200) + "N".repeat(800),
      broken: GENOMES.g3.slice(0, 2000).replace(/.{20}/g, "$&N"),
      unrelated: genomeOf(random, 5000),
      far: GENOMES.g3.slice(5000, 5120) + genomeOf(random, 12000),
    };
    const answers = await Array.fromAsync(nearest(fastaOf(queries), index));
    assertEquals(answers.map(({ hits }) => hits.length), [0, 0, 0, 0, 0]);
    assertEquals(answers.map(({ isBeyondReach }) => isBeyondReach), [true, true, true, false, true]);
    assertStringIncludes(answers[0].note, "fewer than 300 unambiguous bases");
    assertStringIncludes(answers[1].note, "fewer than 300 unambiguous bases");
    assertStringIncludes(answers[2].note, "hardly any 21 bases in a row are A, C, G, T or U");
    assertStringIncludes(answers[3].note, "no record shares 3 hashes");
    assertStringIncludes(answers[4].note, "the nearest record, g3, is at about 7");
  });
});

Deno.test("RNA has the hits of its DNA", async () => {
  await withIndex(async (index) => {
    const dna = GENOMES.g3.slice(0, 2000);
    const [first, second] = await Array.fromAsync(nearest(fastaOf({ dna, rna: dna.replaceAll("T", "U") }), index));
    assertEquals(second.hits, first.hits);
    assertEquals(second.hits.length > 0, true);
  });
});

Deno.test("the reach that a note states is that of the density at which long records are compared", async () => {
  await withIndex(async (index) => {
    const reaches: number[] = [];
    for (const length of [600, 1000, 3000, 12000]) {
      const [{ note }] = await Array.fromAsync(nearest(fastaOf({ q: genomeOf(random, length) }), index));
      reaches.push(Number(/one at ([0-9]+) % ANI/.exec(note)?.[1]));
    }
    assertEquals(reaches.map((reach, i) => Math.abs(reach - [94, 91, 87, 82][i]) <= 2), [true, true, true, true]);
  });
});

Deno.test("none of 200 unrelated genomes has a hit", async () => {
  await withIndex(async (index) => {
    const decoys = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`d${i}`, genomeOf(random, 2000)]));
    for await (const { hits } of nearest(fastaOf(decoys), index)) assertEquals(hits, []);
  });
});

Deno.test("nearest() refuses proteins", async () => {
  await withIndex(async (index) => {
    const protein = fastaOf({ p: "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQ" });
    await assertRejects(() => Array.fromAsync(nearest(protein, index)), FastaError, "looks like a protein");
  });
});

Deno.test("nearest() with align ranks hits by what matches, from the source of the index", async () => {
  const folder = await Deno.makeTempDir();
  const genome = genomeOf(random, 6000);
  const records = {
    far: mutate(random, genome, 0.1),
    decoy: genomeOf(random, 5000),
    near: reverseComplement(mutate(random, genome, 0.02)),
    piece: genome.slice(0, 1500),
    longPiece: mutate(random, genome.slice(0, 4500), 0.05),
  };
  await Deno.writeFile(`${folder}/a.fasta`, fastaOf(records));
  await buildAlikeIndex(`${folder}/a.fasta`, `${folder}/index`);
  {
    using index = await openAlikeIndex(`${folder}/index`);
    const find = () => Array.fromAsync(nearest(fastaOf({ genome, short: "ACGT" }), index, { align: true, n: 3 }));
    const [{ hits }, short] = await find();
    assertEquals(hits.map(({ rank, accession }) => [rank, accession]), [[1, "near"], [2, "far"], [3, "longPiece"]]);
    assertEquals(hits.map(({ alignment }) => alignment?.strand), ["-", "+", "+"]);
    assertEquals(hits.map(({ alignment }, i) => Math.abs(alignment!.ani - [0.98, 0.9, 0.95][i]) < 0.01), [
      true,
      true,
      true,
    ]);
    assertEquals(hits.map(({ alignment }) => Math.round(alignment!.alignedFraction * 100)), [100, 100, 75]);
    assertEquals([short.hits, short.isBeyondReach], [[], true]);

    await Deno.rename(`${folder}/a.fasta`, `${folder}/b.fasta`);
    const gone = await assertRejects(find, RegistryError, "which was indexed, is no longer there; give the FASTA");
    assertEquals(gone.code, "disk");
    const moved = nearest(fastaOf({ genome }), index, { align: true, from: `${folder}/b.fasta` });
    assertEquals((await Array.fromAsync(moved))[0].hits.length, 4);
    await Deno.writeFile(`${folder}/a.fasta`, fastaOf({ ...records, near: genome.slice(1) }));
    assertEquals((await assertRejects(find, RegistryError, "record 3 of")).code, "damaged");
    const otherBase = (bases: string) => `${bases.startsWith("A") ? "C" : "A"}${bases.slice(1)}`;
    await Deno.writeFile(`${folder}/a.fasta`, fastaOf({ ...records, near: otherBase(records.near) }));
    assertEquals((await assertRejects(find, RegistryError, "not the one that was indexed")).code, "damaged");
    await Deno.writeFile(`${folder}/a.fasta`, fastaOf({ ...records, near: records.near.toLowerCase() }));
    assertEquals((await find())[0].hits, hits);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("nearest() with align needs a source that can be read again", async () => {
  await withIndex(async (index) => {
    const find = () => Array.fromAsync(nearest(fastaOf({ q: GENOMES.g2 }), index, { align: true }));
    await assertRejects(find, RegistryError, "it was not made of a file; give the FASTA");
  });
});

Deno.test("nearest() with align finds what shares too few hashes, and no decoy", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeFile(`${folder}/a.fasta`, fastaOf(GENOMES));
  await buildAlikeIndex(`${folder}/a.fasta`, `${folder}/index`);
  {
    using index = await openAlikeIndex(`${folder}/index`);
    const long = Object.entries(GENOMES).filter(([, genome]) => genome.length === 12_000);
    const pieces = Object.fromEntries(
      long.flatMap(([id, genome]) =>
        [0, 3000, 6000].map((start) => [`${id}_${start}`, mutate(random, genome.slice(start, start + 1000), 0.12)])
      ),
    );
    const count = async (align: boolean) => {
      let found = 0;
      for await (const { query, hits, note } of nearest(fastaOf(pieces), index, { align })) {
        if (hits[0]?.accession === query.split("_")[0]) found += 1;
        assertEquals(hits.length === 0, note !== "");
      }
      return found / (3 * long.length);
    };
    const [sketches, aligned] = [await count(false), await count(true)];
    assertEquals(aligned >= 0.95 && sketches < aligned, true, `${sketches} ${aligned}`);
    const decoys = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`d${i}`, genomeOf(random, 2000)]));
    for await (const { hits } of nearest(fastaOf(decoys), index, { align: true })) assertEquals(hits, []);
  }
  await Deno.remove(folder, { recursive: true });
});
