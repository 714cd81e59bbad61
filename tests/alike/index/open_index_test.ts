import { assertEquals, assertRejects } from "@std/assert";
import { buildAlikeIndex, nearest, openAlikeIndex, RegistryError } from "../../../src/alike/mod.ts";
import { fastaOf, genomeOf, randomsOf } from "../_genomes.ts";

const GENOME = genomeOf(randomsOf(3), 5000);

async function withIndexFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  await buildAlikeIndex(fastaOf({ a: GENOME, b: GENOME.slice(0, 2000) }), `${folder}/index`);
  await work(`${folder}/index`);
  await Deno.remove(folder, { recursive: true });
}

async function search(folder: string): Promise<number> {
  using index = await openAlikeIndex(folder);
  const [{ hits }] = await Array.fromAsync(nearest(fastaOf({ q: GENOME }), index));
  return hits.length;
}

Deno.test("a changed byte in any file of an index, and a file cut short, are errors", async () => {
  await withIndexFolder(async (folder) => {
    assertEquals(await search(folder), 2);
    for (const name of ["postings.bin", "blocks.bin", "records.bin", "ids.bin", "digests.bin"]) {
      const bytes = await Deno.readFile(`${folder}/${name}`);
      const changed = bytes.slice();
      changed[bytes.length >> 1] ^= 4;
      for (const damaged of [changed, bytes.subarray(0, bytes.length - 1)]) {
        await Deno.writeFile(`${folder}/${name}`, damaged);
        await assertRejects(() => search(folder), RegistryError, "build it again");
      }
      await Deno.writeFile(`${folder}/${name}`, bytes);
    }
    assertEquals(await search(folder), 2);
  });
});

Deno.test("an index without digests, of an older toolkit, is read", async () => {
  await withIndexFolder(async (folder) => {
    const { digests: _, ...older } = JSON.parse(await Deno.readTextFile(`${folder}/index.json`));
    await Deno.writeTextFile(`${folder}/index.json`, JSON.stringify(older));
    await Deno.remove(`${folder}/digests.bin`);
    assertEquals(await search(folder), 2);
    using index = await openAlikeIndex(folder);
    assertEquals(index.digestOf(0), undefined);
  });
});

Deno.test("an index of other parameters is refused with both", async () => {
  await withIndexFolder(async (folder) => {
    const manifest = JSON.parse(await Deno.readTextFile(`${folder}/index.json`));
    await Deno.writeTextFile(`${folder}/index.json`, JSON.stringify({ ...manifest, k: 31 }));
    await assertRejects(
      () => search(folder),
      RegistryError,
      "k = 31, one of 16 hashes, and queries have version 1, k = 21",
    );
    await Deno.writeTextFile(`${folder}/index.json`, "{");
    await assertRejects(() => search(folder), RegistryError, "not valid JSON");
    await Deno.remove(`${folder}/index.json`);
    await assertRejects(() => search(folder), RegistryError, "name a folder that seqreg alike index wrote");
  });
});
