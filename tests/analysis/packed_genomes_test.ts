/** Analyses that need what only the sequences tell run on a user's own genomes. */
import { assertEquals } from "@std/assert";
import { gcAgreement, gcByMolecule, qualityTiers } from "../../src/analysis/mod.ts";
import { packArchives } from "../../src/embedded/sample/mod.ts";
import { buildLake, openLake } from "../../src/core/tables/mod.ts";
import { inFolder } from "../_files.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

Deno.test("gcByMolecule(), gcAgreement() and qualityTiers() work on a user's own genomes", async () => {
  await inFolder(async (folder) => {
    await packArchives({
      fasta: bytesOf(">a\nACGT\n>b\nGGGGN\n>c\nAAAA\n"),
      metadata: bytesOf("id,moltype,completeness\na,ssRNA,complete\nb,ssRNA,partial\nc,ssRNA,complete\n"),
      folder: `${folder}/set`,
    });
    await buildLake(`${folder}/set`, `${folder}/lake`);
    await using lake = await openLake(`${folder}/lake`);
    const gc = await gcByMolecule(lake, { atLeast: 2 });
    assertEquals<unknown>(gc.frame.getColumn("median").toArray(), [50]);
    const agreement = await gcAgreement(lake);
    assertEquals<unknown>(agreement.frame.getColumn("records").toArray(), [3, 0, 0, 0]);
    const tiers = await qualityTiers(lake);
    const counts = tiers.frame.toRecords().filter(({ records }) => Number(records) > 0);
    assertEquals(counts.map(({ completeness, ambiguous, records }) => [completeness, ambiguous, Number(records)]), [
      ["complete", "none", 2],
      ["partial", "above 5 %", 1],
    ]);
  });
});
