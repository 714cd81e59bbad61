import { assertEquals } from "@std/assert";
import { readFasta } from "../../../src/fasta/mod.ts";

Deno.test("the ledger of a FASTA file without records is complete and warns of nothing", async () => {
  const reader = readFasta(new TextEncoder().encode(";fields=acc\n"));
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
