import { assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { fastaStats } from "../../../../src/core/fasta/mod.ts";
import { bytesOf, inPieces } from "../_naive.ts";

Deno.test("fastaStats() counts records and bases", async (t) => {
  const files: Record<string, [text: string, stats: readonly (number | null)[]]> = {
    // records, min, mean, max, sum, n50, gc, ambiguous
    "one": [">a\nACGT\n", [1, 4, 4, 4, 4, 4, 0.5, 0]],
    "several": [">a\nAAAAAAAA\n>b\nGGGG\n>c\nNN\n>d\nNN\n", [4, 2, 4, 8, 16, 8, 4 / 12, 4]],
    "half is enough": [">a\nAAAA\n>b\nAA\n>c\nAA\n", [3, 2, 8 / 3, 4, 8, 4, 0, 0]],
    "no letter to take a share of": [">a\nNN\n", [1, 2, 2, 2, 2, 2, null, 2]],
    "only empty sequences": [">a\n>b\n", [2, 0, 0, 0, 0, 0, null, 0]],
    "nothing": ["", [0, 0, 0, 0, 0, 0, null, 0]],
  };
  for (const [name, [text, expected]] of Object.entries(files)) {
    await t.step(name, async () => {
      const { records, min, mean, max, sum, n50, gc, ambiguous } = await fastaStats(inPieces(text, 3));
      assertEquals([records, min, mean, max, sum, n50, gc, ambiguous], expected);
    });
  }
});

Deno.test("fastaStats() says where most residues are not bases, as in proteins", async () => {
  const warningsOf = async (text: string) => (await fastaStats(bytesOf(text))).ledger.warnings;

  assertEquals(await warningsOf(">p1\nMKVLAAGIVGLCAR*\n>p2\nMACGTX\n"), [
    "11 of 21 residues are neither A, C, G, T nor U: if these are proteins, gc and ambiguous do not apply to them",
  ]);
  assertEquals(await warningsOf(`>a\n${"ACGUN".repeat(20)}\n>b\nNNNNN\n`), []);
  assertEquals(await warningsOf(">a\nNNN\n"), []);
});

Deno.test("fastaStats() leaves out what cannot be read, and reports it", async () => {
  const { records, sum, ledger, kind, fields } = await fastaStats(
    bytesOf(";fields=acc|Host\n>v1|bat\nAC\n>v2\nGGG\n"),
  );
  assertEquals([records, sum, ledger.complete, kind, fields], [1, 2, false, "registry", ["acc", "Host"]]);
  assertStringIncludes(ledger.reasons[0], "v2 (line 4)");
});

Deno.test("fastaStats() finds the N50 of its definition", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 30 }), async (lengths) => {
      const { n50, sum } = await fastaStats(bytesOf(lengths.map((length) => `>\n${"A".repeat(length)}\n`).join("")));
      const held = (least: number) => lengths.filter((length) => length >= least).reduce((a, b) => a + b, 0);
      assertEquals(held(n50) * 2 >= sum, true);
      assertEquals(lengths.some((length) => length > n50 && held(length) * 2 >= sum), false);
    }),
  );
});

Deno.test("fastaStats() keeps no sequence: a giant one takes no memory", async () => {
  const chunk = new Uint8Array(1 << 20).fill(0x41);
  const giant = (async function* () {
    yield bytesOf(">a\n");
    for (let count = 0; count < 300; count++) yield chunk;
  })();
  const before = Deno.memoryUsage().rss;
  assertEquals((await fastaStats(giant)).sum, 300 << 20);
  assertEquals(Deno.memoryUsage().rss - before < 100 << 20, true);
});
