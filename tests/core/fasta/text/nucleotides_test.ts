import { assertEquals } from "@std/assert";
import { examineNucleotides } from "../../../../src/core/fasta/text/nucleotides.ts";

Deno.test("examineNucleotides() tells sequences from messages", async (t) => {
  const genome = `${"ACGTN".repeat(14)}\n`.repeat(200);
  const cases: readonly [text: string, isSequence: boolean, residues: string][] = [
    ["", true, ""],
    ["ACGTUacgtu", true, ""],
    ["NNNN\nNNNN", true, ""],
    ["RYSWKMBDHV", false, ""],
    ["ACGTRYSW", true, ""],
    ["ACG-T.*", true, ""],
    [`${"-".repeat(60)}\n${"-".repeat(40)}ACGTACGTACGTACGTACGT`, true, ""],
    ["acgtRYK-*.", true, ""],
    ["----", true, ""],
    ["Wait...", false, "i"],
    ["-- Not found --", false, "of"],
    ["ACGT ACGT\tAC GT", true, ""],
    ["A\0C\nAC\x1b[2JGT", true, "J"],
    ["ACGTACGTACGTJJ1é", true, "J"],
    ["Not found", false, "of"],
    ["Bad Gateway", false, "e"],
    ["Internal Server Error", false, "IelEo"],
    ['{"detail": "x"}', false, "eilx"],
    ["MKVLAAGIVGLCLLACTQAAPQKK", false, "LIQP"],
    [`${genome}Y`, true, ""],
    [`${genome}XXXXXXXXXX\nACGT`, true, "X"],
    [`${genome}J`, true, "J"],
    [`${genome}Internal Server Error`, false, "IelEo"],
    [`${genome.trimEnd()}Bad Gateway`, false, "e"],
    [`${genome}<a>`, false, ""],
    [`${genome}{"a":"AC"}`, false, ""],
    [`${genome}502`, false, ""],
    [`${genome}null`, false, "l"],
  ];
  for (const [text, isSequence, residues] of cases) {
    await t.step(JSON.stringify(text.length > 80 ? `…${text.slice(-40)}` : text), () => {
      const examined = examineNucleotides(text);
      assertEquals([examined.isSequence, examined.residues.join("")], [isSequence, residues]);
    });
  }
});

Deno.test("examineNucleotides() names the line of a message", () => {
  assertEquals(examineNucleotides("ACGT\nACGT\ntimeout\n").messageLine, 2);
  assertEquals(examineNucleotides("RYRY").messageLine, undefined);
});
