import { assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { type Composition, DINUCLEOTIDES, readComposition } from "../../../../src/core/fasta/mod.ts";
import { bytesOf, inPieces } from "../_naive.ts";

const COMPLEMENT: Readonly<Record<string, string>> = { A: "T", C: "G", G: "C", T: "A" };

/** The ratios by their definition, of texts that are one strand each. */
function expectedRatios(strands: readonly string[]): (number | null)[] {
  const letters = strands.map((strand) => strand.toUpperCase().replaceAll("U", "T"));
  const runs = letters.flatMap((text) => text.split(/[^ACGT]/));
  const share = (word: string) => {
    const words = runs.flatMap((run) => Array.from(run, (_, at) => run.slice(at, at + word.length)))
      .filter(({ length }) => length === word.length);
    return words.length === 0 ? 0 : words.filter((other) => other === word).length / words.length;
  };
  return DINUCLEOTIDES.map((pair) => {
    const expected = share(pair[0]) * share(pair[1]);
    return expected === 0 || runs.every(({ length }) => length < 2) ? null : share(pair) / expected;
  });
}

function bothStrands(sequence: string): string[] {
  const own = sequence.toUpperCase().replaceAll("U", "T");
  return [own, [...own].toReversed().map((base) => COMPLEMENT[base] ?? "N").join("")];
}

function assertRatios({ ratios }: Composition, expected: readonly (number | null)[], about: string): void {
  for (const [at, ratio] of ratios.entries()) {
    const wanted = expected[at];
    if (ratio === null || wanted === null) assertEquals(ratio, wanted, about);
    else assertAlmostEquals(ratio, wanted, 1e-12, about);
  }
}

Deno.test("readComposition() finds the ratios of one strand and of both, whatever stands between the bases", async () => {
  const letters = fc.constantFrom(..."AACCGGTTUacgtuNnR-\u007f");
  const sequences = fc.array(fc.string({ unit: letters, minLength: 1, maxLength: 90 }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(sequences, fc.integer({ min: 1, max: 9 }), async (sequences, piece) => {
      const text = sequences.map((sequence, at) => `>s${at}\n${sequence.replace(/.{31}/g, "$&\n")}\n`).join("");
      const found = await Array.fromAsync(readComposition(inPieces(text, piece)));
      const both = await Array.fromAsync(readComposition(bytesOf(text), { strands: "both" }));
      for (const [at, sequence] of sequences.entries()) {
        assertEquals([found[at].strands, both[at].strands], [1, 2]);
        assertRatios(found[at], expectedRatios([sequence]), sequence);
        assertRatios(both[at], expectedRatios(bothStrands(sequence)), sequence);
      }
    }),
    { numRuns: 60 },
  );
});

Deno.test("readComposition() counts long sequences as their parts", async () => {
  const unit = "ACGTNACCGGTTUA-CATG";
  const times = 9000;
  const [one] = await Array.fromAsync(readComposition(bytesOf(`>a\n${unit.repeat(times)}\n`)));
  const [twice, once] = await Array.fromAsync(readComposition(bytesOf(`>a\n${unit.repeat(2)}\n>b\n${unit}\n`)));
  assertEquals(one.bases, once.bases.map((count) => count * times));
  assertEquals(one.counts, once.counts.map((count, at) => count + (twice.counts[at] - count) * (times - 1)));
});

Deno.test("readComposition() takes both strands of molecules that the header calls double-stranded", async () => {
  const header = ";fields=registry_accession|Molecule Type\n";
  const text = bytesOf(`${header}>a|dsDNA-RT\nACGTT\n>b|ssRNA(+)\nACGTT\n>c|\nACGTT\n`);
  assertEquals((await Array.fromAsync(readComposition(text))).map(({ strands }) => strands), [2, 1, 1]);
  const named = readComposition(text, { moleculeField: "Kind" });
  await assertRejects(() => named.next(), RangeError, 'expected one of "registry_accession", "Molecule Type"');
});

Deno.test("readComposition() closes a source whose beginning is refused", async () => {
  const refused = { "not FASTA\n": {}, ";fields=acc|Host\n>a|bat\nACGT\n": { moleculeField: "Kind" } };
  for (const [text, options] of Object.entries(refused)) {
    let isCancelled = false;
    const source = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytesOf(text)),
      pull: (controller) => controller.enqueue(bytesOf(">b|bat\nACGT\n".repeat(10_000))),
      cancel: () => void (isCancelled = true),
    });
    await assertRejects(() => readComposition(source, options).next());
    assertEquals(isCancelled, true, text);
  }
});
