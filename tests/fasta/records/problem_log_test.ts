import { assertEquals } from "@std/assert";
import { readFasta } from "../../../src/fasta/mod.ts";

Deno.test("the ledger of a FASTA file without records is complete and warns of nothing", async () => {
  const reader = readFasta(new TextEncoder().encode(";fields=acc\n"));
  assertEquals(reader.ledger.warnings, [], "before anything is read");
  assertEquals(await Array.fromAsync(reader), []);
  const { complete, received, warnings, reasons } = reader.ledger;
  assertEquals({ complete, received, warnings, reasons }, { complete: true, received: 0, warnings: [], reasons: [] });
});

Deno.test("the ledger names twenty records of each problem and counts the others, however many problems are kept", async () => {
  const text = Array.from({ length: 30 }, (_, index) => `>r${index}\nA!C\n`).join("");
  for (const maxProblems of [0, 25, 100]) {
    const reader = readFasta(new TextEncoder().encode(text), { maxProblems });
    assertEquals((await Array.fromAsync(reader)).length, 30);
    assertEquals(reader.problems.length, Math.min(30, maxProblems));
    const warning = reader.ledger.warnings.join();
    assertEquals([warning.includes("r19 (line 40) and 10 more"), warning.includes("r20")], [true, false], warning);
  }
});

Deno.test("a header with too few or too many values is described by both numbers", async () => {
  const reader = readFasta(new TextEncoder().encode(";fields=acc|Host\n>v\nA\n>v|a|b\nA\n"));
  await Array.fromAsync(reader);
  const [few, many] = reader.problems.map(({ reason }) => reason);
  assertEquals(few, "the header holds 1 values, ;fields= names 2");
  assertEquals(many, 'the header holds 3 values, ;fields= names 2; a value may hold a raw "|"');
});
