/** What a running program uses of the cache is not pruned under it. */
import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { type CacheEntry, pruneCache } from "../../../src/core/datasets/mod.ts";
import { Registry } from "../../../src/core/registry/mod.ts";
import { makeSample } from "../../../src/embedded/sample/mod.ts";
import { runCli } from "../../_cli.ts";
import { filesBelow } from "../datasets/_archive.ts";
import { inFolder } from "../../_files.ts";

Deno.test("an embedded registry and an open lake are not pruned under their user, and say so", async () => {
  await inFolder(async (cache) => {
    // As the built-in sample: archives that lie in the cache themselves.
    const folder = join(cache, "sample", "small");
    await makeSample(folder, { records: 40 });
    const prune = async () => {
      const inUse: CacheEntry[] = [];
      const gone = await pruneCache({ cache, remove: true, onInUse: (entry) => inUse.push(entry) });
      return { gone: gone.map(({ kind }) => kind), inUse: inUse.map(({ kind }) => kind).sort() };
    };
    {
      await using registry = await Registry.open(folder, { cacheFolder: cache });
      const archive = await registry.dataset("unique_seqs_metadata");
      {
        await using lake = await archive.lake();
        assertEquals(await prune(), { gone: ["archive"], inUse: ["lake", "sample", "service"] });
        assertEquals((await lake.scan().collect()).height > 0, true);
        const { code, stderr } = await runCli(["cache", "prune", "--yes"], { env: { SEQREG_CACHE: cache } });
        assertEquals(code, 0);
        assertEquals(stderr.split("\n").filter((line) => line.includes("a running program uses it")).length, 3, stderr);
      }
      assertEquals(await prune(), { gone: ["lake"], inUse: ["sample", "service"] });
      assertEquals((await registry.search("", { pageSize: 1 })).ledger.promised, 40);
      assert(!(await registry.dataset("unique_seqs_metadata")).reused);
    }
    const { gone, inUse } = await prune();
    assertEquals([gone.sort(), inUse], [["archive", "sample", "service"], []]);
    assertEquals((await filesBelow(cache)).filter((path) => !/\/locks\/|\.lock$|origins/.test(path)), []);
  });
});
