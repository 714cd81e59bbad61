import { assertEquals } from "@std/assert";
import { packArchives } from "../../../../src/embedded/sample/mod.ts";
import { Registry } from "../../../../src/core/registry/mod.ts";

Deno.test("what is said of one archive's fields is not said of another's", async () => {
  const cacheFolder = await Deno.makeTempDir();
  const encoder = new TextEncoder();
  const folder = `${cacheFolder}/packed`;
  await packArchives({
    fasta: encoder.encode(">a\nACGT\n>b\nACGGT\n"),
    metadata: encoder.encode("id,Country\na,Kenya\nb,Peru\n"),
    folder,
  });
  {
    await using registry = await Registry.open(folder, { cacheFolder });
    for (const archive of ["reftax1_to_reftax2_map", "votu_cluster_comparison_metrics"]) {
      await (await registry.dataset(archive)).read();
    }
    const metadata = await (await registry.dataset("full_dataset_metadata")).read();
    const hits = await registry.search("country:Kenya");

    assertEquals([metadata.rows.length, metadata.ledger.warnings], [2, []]);
    assertEquals([hits.rows.length, hits.ledger.warnings], [1, []]);
  }
  await Deno.remove(cacheFolder, { recursive: true });
});
