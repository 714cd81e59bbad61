/** Filesystems on which locks do nothing: more is downloaded than need be, and nothing is ever half. */
import { assertEquals } from "@std/assert";
import { fetchArchive } from "../../../src/core/datasets/mod.ts";
import { acquireLock } from "../../../src/core/io/files/lock.ts";
import {
  archiveBytes,
  checksumOf,
  filesBelow,
  finalFiles,
  ID,
  impatientClient,
  serveWell,
  withFolder,
} from "./_archive.ts";
import { startRawServer } from "./_raw_server.ts";

const BYTES = archiveBytes(61);
const TEXT = await checksumOf(BYTES);

/** What `tryLock` does where it does nothing. */
const WITHOUT_LOCKS: Readonly<Record<string, () => Promise<boolean>>> = {
  "a lock that everyone gets": () => Promise.resolve(true),
  "a lock that is not supported": () => Promise.reject(new Deno.errors.NotSupported("no locks here")),
};

Deno.test("without locks, twelve at once all get the archive, and leave one whole file", async (t) => {
  const { tryLock } = Deno.FsFile.prototype;
  try {
    for (const [what, instead] of Object.entries(WITHOUT_LOCKS)) {
      await t.step(what, async () => {
        Deno.FsFile.prototype.tryLock = instead;
        await using server = await startRawServer(serveWell(() => ({ bytes: BYTES, etag: '"1"', checksum: TEXT })));
        await withFolder(async (cache) => {
          const client = impatientClient(server.url);
          const archives = await Promise.all(Array.from({ length: 12 }, () => fetchArchive(client, ID, { cache })));
          assertEquals(new Set(archives.map(({ path }) => path)).size, 1);
          assertEquals(await Deno.readFile(archives[0].path), BYTES);
          assertEquals([(await finalFiles(cache)).length, await filesBelow(`${cache}/archives/partial`)], [1, []]);
          assertEquals((await fetchArchive(client, ID, { cache })).reused, true);
          await using lock = await acquireLock(`${cache}/a.lock`);
          assertEquals(lock.reliable, false);
        });
      });
    }
  } finally {
    Deno.FsFile.prototype.tryLock = tryLock;
  }
});
