import { assertEquals } from "@std/assert";
import { sequenceDigests } from "../../../../src/core/fasta/mod.ts";
import { testWithPrograms } from "../../../_needs.ts";
import { inFolder } from "../../../_files.ts";

Deno.test("sequenceDigests() agrees with the examples of GA4GH", async (t) => {
  const examples: Record<string, string> = {
    "ACGT": "SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2",
    "acgt": "SQ.aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2",
    "": "SQ.z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXc",
  };
  for (const [sequence, ga4gh] of Object.entries(examples)) {
    await t.step(sequence, () => assertEquals(sequenceDigests(sequence).ga4gh, ga4gh));
  }
});

Deno.test("sequenceDigests() is of every byte that the length counts, whatever the case of letters", () => {
  const sequences = ["ACGT", "ACGéT", "ACGÉT", "ACG\0T", "ACG\x7fT", "ACG-T"];
  const bytes = [...sequences.map((text) => new TextEncoder().encode(text)), Uint8Array.of(65, 67, 71, 0xff, 84)];
  for (const name of ["ga4gh", "md5"] as const) {
    assertEquals(new Set(bytes.map((sequence) => sequenceDigests(sequence)[name])).size, bytes.length, name);
  }
  assertEquals(sequenceDigests("acgéT"), sequenceDigests(bytes[1]));
  assertEquals(sequenceDigests(" AC\tG\r\n\v\fT\n"), sequenceDigests("ACGT"));
});

testWithPrograms(["samtools"], "sequenceDigests() agrees with samtools dict", async (t) => {
  await inFolder(async (folder) => {
    for (const sequence of ["ACGT", "acgtn", "AC-*.N", "A1~!"]) {
      await t.step(sequence, async () => {
        await Deno.writeTextFile(`${folder}/a.fasta`, `>a\n${sequence}\n`);
        const { stdout } = await new Deno.Command("samtools", { args: ["dict", `${folder}/a.fasta`] }).output();
        const md5 = /M5:([0-9a-f]{32})/.exec(new TextDecoder().decode(stdout))?.[1];
        assertEquals(sequenceDigests(sequence).md5, md5);
      });
    }
  });
});
