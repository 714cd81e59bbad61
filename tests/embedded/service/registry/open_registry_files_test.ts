/** The sixteen files over a socket while the folder changes under the server. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { datasetFileNames } from "../../../../src/core/contract/datasets.ts";
import { sha256Of } from "../../../../src/core/io/digest/sha256.ts";
import { writeArchives } from "../_archives.ts";
import { assertGives, filesIn, METRICS, release, type Served, serving } from "./_served_files.ts";

const CHANGES: Readonly<Record<string, (served: Served) => Promise<void>>> = {
  async "the folder is exchanged"({ folder }) {
    await Deno.rename(folder, `${folder}-old`);
    await Deno.rename(`${folder}-new`, folder);
  },
  async "the link is switched"({ folder, named }) {
    await Deno.symlink(`${folder}-new`, `${named}-new`);
    await Deno.rename(`${named}-new`, named);
  },
  async "files are replaced by renaming"({ folder }) {
    for (const name of datasetFileNames()) await Deno.rename(join(`${folder}-new`, name), join(folder, name));
  },
};

Deno.test("the old release is given whole until the new one takes over", async (t) => {
  for (const [how, change] of Object.entries(CHANGES)) {
    await t.step(how, () =>
      serving(async (served) => {
        const { folder, named, registry, faults, get } = served;
        const old = await filesIn(folder);
        await Deno.mkdir(`${folder}-new`);
        await writeArchives(`${folder}-new`, release("Peru"));
        const begun = await get(METRICS);
        await change(served);
        await assertGives(served, old);
        assertEquals(await registry.renew(), true);
        await assertGives(served, await filesIn(named));
        const bytes = new Uint8Array(await begun.arrayBuffer());
        assertEquals(sha256Of(bytes), sha256Of(old.get(METRICS)!), "a download under way ends as it began");
        assertEquals(faults, []);
      }));
  }
});

Deno.test("the old release is given whole when its folder is gone", async () => {
  await serving(async (served) => {
    const old = await filesIn(served.folder);
    await Deno.remove(served.folder, { recursive: true });
    await assertGives(served, old);
    await assertRejects(() => served.registry.renew(), Error, "the folder does not exist");
    await assertGives(served, old);
  });
});

Deno.test("an archive that was overwritten in place is never sent, nor called unchanged", async () => {
  await serving(async ({ get, folder, registry, faults }) => {
    const path = join(folder, METRICS);
    const whole = await Deno.readFile(path);
    const etag = `"${sha256Of(whole)}"`;
    const begun = await get(METRICS);
    assertEquals(begun.status, 200);
    const flipped = whole.slice();
    flipped[flipped.length >> 1] ^= 1;
    await Deno.writeFile(path, flipped);

    await assertRejects(() => begun.arrayBuffer(), Error, undefined, "a download under way breaks");
    const asked: HeadersInit[] = [{}, { "if-none-match": etag }, { range: "bytes=0-9", "if-range": etag }];
    for (const headers of asked) {
      const response = await get(METRICS, { headers });
      assertEquals([response.status, response.headers.get("retry-after")], [503, "2"]);
      await response.body?.cancel();
    }
    assertEquals((await get(METRICS, { method: "HEAD" })).status, 503);
    const checksum = await get(METRICS.replace(".csv.gz", ".sha256"));
    assertEquals([checksum.status, (await checksum.text()).slice(0, 64)], [200, sha256Of(whole)]);
    await assertRejects(() => registry.renew(), Error, "its SHA-256 is");
    assert(faults.length > 0);

    // A copy with the time of the original takes the name: the same archives by all that is known of them.
    await Deno.writeFile(`${path}.copy`, whole);
    await Deno.rename(`${path}.copy`, path);
    assertEquals(await registry.renew(), true);
    const response = await get(METRICS);
    assertEquals(sha256Of(new Uint8Array(await response.arrayBuffer())), sha256Of(whole));
  });
});

Deno.test("archives that were overwritten and are restored with their times are taken again, once proved", async () => {
  await serving(async ({ get, folder, registry }) => {
    const path = join(folder, METRICS);
    const whole = await Deno.readFile(path);
    const { atime, mtime } = await Deno.stat(path);
    const restore = async (bytes: Uint8Array) => {
      await Deno.writeFile(`${path}.copy`, bytes);
      await Deno.utime(`${path}.copy`, atime!, mtime!);
      await Deno.rename(`${path}.copy`, path);
    };
    await Deno.truncate(path, 100);
    const other = whole.slice();
    other[other.length >> 1] ^= 1;
    await restore(other);
    await assertRejects(() => registry.renew(), Error, "it was overwritten");
    await restore(whole);
    assertEquals([await registry.renew(), await registry.renew()], [true, false]);
    const response = await get(METRICS);
    assertEquals(sha256Of(new Uint8Array(await response.arrayBuffer())), sha256Of(whole));
  });
});
