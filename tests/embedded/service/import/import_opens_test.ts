/** How often what reads an archive, or a table to pack, opens its file. */
import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { packArchives } from "../../../../src/embedded/sample/pack/pack_archives.ts";
import { archiveFiles } from "../../../../src/core/contract/datasets.ts";
import { buildLake } from "../../../../src/core/tables/lake/objects/build_any_lake.ts";
import { watchFiles } from "../../../_watched_files.ts";
import { makeArchives } from "../_archives.ts";
import { open, ROWS } from "../_imports.ts";

Deno.test("an archive is opened no more often than it is read", async (t) => {
  await using world = await makeArchives({ ...ROWS, types: { Length: "integer" } });
  const archive = join(world.folder, archiveFiles("full_dataset_metadata").archive);
  const lake = join(world.cacheFolder, "lake");
  const table = join(world.folder, "isolates.csv");
  await Deno.writeTextFile(table, "strain,year\nA,2013\n");
  const pack = (metadata: string, to: string) =>
    packArchives({ fasta: new TextEncoder().encode(">A\nACGT\n"), metadata, folder: join(world.cacheFolder, to) });
  const ways: readonly (readonly [way: string, path: string, work: () => Promise<unknown>, opened: number])[] = [
    // The definitions have the types of all columns: one reading, which begins with that which recognised its form.
    ["buildLake()", archive, () => buildLake(archive, lake), 1],
    // Without definitions, types are found in a reading before.
    ["buildLake(), types inferred", archive, () => buildLake(archive, `${lake}-2`, { definitions: [] }), 2],
    // It is digested: whether it is the archive that the table was made of.
    ["buildLake(), which is there", archive, () => buildLake(archive, lake), 1],
    // It is held open, so that it can be served though its name is taken by a newer one; then its names, then its rows.
    ["openStore()", archive, async () => (await open(world))[Symbol.asyncDispose](), 3],
    ["openStore(), which is there", archive, async () => (await open(world))[Symbol.asyncDispose](), 1],
    // A table to pack is held in memory.
    ["packArchives()", table, () => pack(table, "set"), 1],
  ];
  for (const [way, path, work, opened] of ways) {
    await t.step(way, async () => {
      using files = watchFiles();
      await work();
      assertEquals(files.openedOf(path), opened);
    });
  }
});
