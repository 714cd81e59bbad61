import { assertEquals } from "@std/assert";
import { examineNucleotides } from "../../../src/fasta/text/nucleotides.ts";

Deno.test("examineNucleotides() tells sequences from messages", async (t) => {
  const cases: readonly [text: string, isSequence: boolean, unexpected: string][] = [
    ["", true, ""],
    ["ACGTUacgtu", true, ""],
    ["NNNN\nNNNN", true, ""],
    ["RYSWKMBDHV", false, ""],
    ["ACGTRYSW", true, ""],
    ["ACG-T.*", true, ""],
    ["ACGTACGTACGTJJ1é", true, "J1é"],
    ["Not found", false, "of"],
    ["Internal Server Error", false, "IelEo"],
    ['{"detail": "x"}', false, '{"eil:x}'],
    ["MKVLAAGIVGLCLLACTQAAPQKK", false, "LIQP"],
  ];
  for (const [text, isSequence, unexpected] of cases) {
    await t.step(JSON.stringify(text), () => {
      const examined = examineNucleotides(text);
      assertEquals([examined.isSequence, examined.unexpected.join("")], [isSequence, unexpected]);
    });
  }
});
