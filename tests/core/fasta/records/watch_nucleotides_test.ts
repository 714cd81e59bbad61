import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { type MessageRecord, watchNucleotides } from "../../../../src/core/fasta/records/watch_nucleotides.ts";

const encoder = new TextEncoder();

async function watch(text: string, size: number, leavesOut = false) {
  const messages: MessageRecord[] = [];
  const residues: string[] = [];
  const bytes = encoder.encode(text);
  const buffer = new Uint8Array(size);
  const chunks = (async function* () {
    for (let start = 0; start < bytes.length; start += size) {
      // One buffer for all, as its owner may use it again.
      const piece = bytes.subarray(start, start + size);
      buffer.set(piece);
      yield buffer.subarray(0, piece.length);
    }
  })();
  let passed = "";
  const watched = watchNucleotides(chunks, {
    onMessage: (record) => messages.push(record),
    onResidues: ({ id }, found) => residues.push(`${id}:${found.join("")}`),
    leavesOut,
  });
  for await (const chunk of watched) passed += new TextDecoder().decode(chunk);
  return { messages, residues, passed };
}

const TEXT =
  ";fields=acc|Country\n>v1|Mali\nACGT\nACJT\n; comment\n>v2\nAC\nInternal Server Error\n>v3 x\nRYRYRYA\nC\n>v4\nAC";

Deno.test("watchNucleotides() finds the same in chunks of any size", async () => {
  for (let size = 1; size <= TEXT.length; size++) {
    const { messages, residues, passed } = await watch(TEXT, size);
    assertEquals(passed, TEXT);
    assertEquals(residues, ["v1:J"]);
    assertEquals(messages, [
      { id: "v2", line: 6, text: "Internal Server Error", textLine: 8 },
      { id: "v3", line: 9, text: "RYRYRYA", textLine: 10 },
    ]);
  }
});

Deno.test("watchNucleotides() leaves messages out and keeps the number of lines", async () => {
  for (let size = 1; size <= TEXT.length; size++) {
    const { messages, passed } = await watch(TEXT, size, true);
    assertEquals(messages.length, 2);
    assertEquals(passed, ";fields=acc|Country\n>v1|Mali\nACGT\nACJT\n; comment\n\n\n\n\n\n\n>v4\nAC");
  }
});

Deno.test("watchNucleotides() passes sequences on as they came", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.stringMatching(/^[ACGTUNacgtunRY]{0,30}$/).filter((text) => !/[RY]/.test(text)), { maxLength: 20 }),
      fc.integer({ min: 1, max: 40 }),
      fc.boolean(),
      async (sequences, size, leavesOut) => {
        const text = sequences.map((sequence, index) => `>v${index}\n${sequence}\n`).join("");
        const { messages, passed } = await watch(text, size, leavesOut);
        assertEquals([messages.length, passed], [0, text]);
      },
    ),
    { numRuns: 60 },
  );
});
