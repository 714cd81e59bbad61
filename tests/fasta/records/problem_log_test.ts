import { assertEquals } from "@std/assert";
import { readFasta } from "../../../src/fasta/mod.ts";

Deno.test("the ledger of a FASTA file without records is complete and warns of nothing", async () => {
  const reader = readFasta(new TextEncoder().encode(";fields=acc\n"));
  assertEquals(await Array.fromAsync(reader), []);
  const { complete, received, warnings, reasons } = reader.ledger;
  assertEquals({ complete, received, warnings, reasons }, { complete: true, received: 0, warnings: [], reasons: [] });
});
