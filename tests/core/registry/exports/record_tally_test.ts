import { assert, assertEquals } from "@std/assert";
import { formatAccession } from "../../../../src/core/contract/accession.ts";
import { RecordTally } from "../../../../src/core/registry/exports/record_tally.ts";

Deno.test("RecordTally tells what came and what was not asked for, however scattered the accessions are", () => {
  const asked = Array.from({ length: 70_000 }, (_, index) => formatAccession(index * 10_000));
  const tally = new RecordTally(asked);
  for (const accession of [...asked.slice(1), formatAccession(1)]) tally.add(accession);

  assertEquals([tally.has(asked[0]), tally.unasked], [false, [formatAccession(1)]]);
  assert(asked.slice(1).every((accession) => tally.has(accession)));
});
