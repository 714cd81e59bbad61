/** The sixteen files over a socket while those of the folder are overwritten under a registry with copies. */
import { assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { sha256Of } from "../../../../src/core/io/digest/sha256.ts";
import { writeArchives } from "../_archives.ts";
import { assertGives, filesIn, METRICS, release, serving } from "./_served_files.ts";

/** Folders of copies in a cache; those that are under way have a name that begins with a dot. */
async function copiesIn(cacheFolder: string): Promise<string[]> {
  return await Array.fromAsync(Deno.readDir(join(cacheFolder, "copies")), ({ name }) => name);
}

/** What is done to an archive of the folder, and what the next look makes of that. */
const DAMAGES: Readonly<Record<string, readonly [damage: (path: string) => Promise<void>, says: string]>> = {
  "truncated": [(path) => Deno.truncate(path, 1000), "its SHA-256 is"],
  "one byte flipped": [async (path) => {
    using file = await Deno.open(path, { read: true, write: true });
    const byte = new Uint8Array(1);
    await file.seek(5000, Deno.SeekMode.Start);
    await file.read(byte);
    await file.seek(5000, Deno.SeekMode.Start);
    await file.write(byte.map((bits) => bits ^ 1));
  }, "its SHA-256 is"],
  "removed": [(path) => Deno.remove(path), "1 of the sixteen files are missing"],
};

Deno.test("a registry with copies gives the old release while an archive is damaged in place", async (t) => {
  for (const [how, [damage, says]] of Object.entries(DAMAGES)) {
    await t.step(how, () =>
      serving(async (served) => {
        const { cacheFolder, faults, folder, get, registry } = served;
        const old = await filesIn(folder);
        const copies = await copiesIn(cacheFolder);
        const begun = await get(METRICS);
        await damage(join(folder, METRICS));
        await assertGives(served, old);
        await assertRejects(() => registry.renew(), Error, says);
        await assertGives(served, old);
        assertEquals(sha256Of(new Uint8Array(await begun.arrayBuffer())), sha256Of(old.get(METRICS)!));
        assertEquals([faults, await copiesIn(cacheFolder)], [[], copies]);
      }, { copies: true }));
  }
});

Deno.test("a registry with copies gives the old release until one that was written over it takes over", async () => {
  await serving(async (served) => {
    const { cacheFolder, faults, folder, get, registry } = served;
    const old = await filesIn(folder);
    const begun = await get(METRICS);
    const [first] = await copiesIn(cacheFolder);
    await writeArchives(folder, release("Peru"));
    await assertGives(served, old);
    assertEquals(await registry.renew(), true);
    await assertGives(served, await filesIn(folder));

    const both = await copiesIn(cacheFolder);
    assertEquals([both.length, both.includes(first)], [2, true], "copies of a download under way stay");
    assertEquals(sha256Of(new Uint8Array(await begun.arrayBuffer())), sha256Of(old.get(METRICS)!));
    while ((await copiesIn(cacheFolder)).includes(first)) await new Promise((resolve) => setTimeout(resolve, 1));
    assertEquals([(await copiesIn(cacheFolder)).length, faults], [1, []]);
  }, { copies: true });
});

Deno.test("a registry with copies makes them again from the archives when they are damaged themselves", async () => {
  await serving(async (served) => {
    const { cacheFolder, folder, get, registry } = served;
    const [name] = await copiesIn(cacheFolder);
    await Deno.writeTextFile(join(cacheFolder, "copies", name, METRICS), "damaged");
    const refused = await get(METRICS);
    await refused.body?.cancel();
    assertEquals(refused.status, 503);
    assertEquals([await registry.renew(), await registry.renew()], [true, false]);
    await assertGives(served, await filesIn(folder));
    assertEquals(await copiesIn(cacheFolder), [name]);
  }, { copies: true });
});
