/** What openStore() does beside others, and what it leaves and removes in a cache. */
import { assert, assertEquals } from "@std/assert";
import { basename, join } from "node:path";
import { inspectArchiveSet } from "../../../../src/embedded/service/import/archive_set.ts";
import { openStore } from "../../../../src/embedded/service/registry/open_store.ts";
import { listCache } from "../../../../src/core/datasets/cache_contents.ts";
import { acquireLock } from "../../../../src/core/io/files/lock.ts";
import type { ProgressEvent } from "../../../../src/core/io/tasks/progress.ts";
import { ARCHIVE_IDS, archiveFiles } from "../../../../src/core/contract/datasets.ts";
import { namingOf, SPECIFICATION_NAMING } from "../../../../src/core/contract/naming.ts";
import { makeArchives, writeArchives } from "../_archives.ts";
import { allValues, importsIn, open, ROWS, runProgram, stopImport } from "../_imports.ts";

/** Dates a file, or a folder and all that is in it, to 1970. */
async function makeOld(path: string): Promise<void> {
  if ((await Deno.stat(path)).isDirectory) {
    for await (const { name } of Deno.readDir(path)) await makeOld(join(path, name));
  }
  await Deno.utime(path, 1, 1);
}

Deno.test("openStore() can be called by several at once", async () => {
  await using world = await makeArchives(ROWS);
  let imports = 0;
  const onProgress = ({ finished }: ProgressEvent) => void (imports += finished ? 1 : 0);
  const opening = () => openStore(world.folder, { cacheFolder: world.cacheFolder, onProgress });
  const stores = await Promise.all([opening(), opening(), opening()]);
  for (const store of stores) {
    assertEquals((await store.search({ query: "kenya", filter: [] }, { offset: 0, limit: 9 })).total, 2);
    await store[Symbol.asyncDispose]();
  }
  assertEquals((await importsIn(world.cacheFolder)).length, 1);
  await using lock = await acquireLock(join(world.cacheFolder, "probe.lock"));
  if (lock.reliable) assertEquals(imports, 1, "those that wait find the import of the first");
});

Deno.test("openStore() can be called by several processes at once, while others read", async () => {
  await using world = await makeArchives(ROWS);
  const code = `
    await using store = await openStore(${JSON.stringify(world.folder)}, { cacheFolder: ${
    JSON.stringify(world.cacheFolder)
  } });
    console.log((await store.search({ query: "kenya", filter: [] }, { offset: 0, limit: 9 })).total);`;
  const runs = await Promise.all([runProgram(code), runProgram(code), open(world)]);
  await using _store = runs[2];
  assertEquals([runs[0].stdout, runs[1].stdout], ["2\n", "2\n"], runs[0].stderr + runs[1].stderr);
  assertEquals((await importsIn(world.cacheFolder)).length, 1);
});

Deno.test("openStore() says that it waits for another process that imports the same archives, and which", async () => {
  await using world = await makeArchives(ROWS);
  const { key } = await inspectArchiveSet(world.folder, SPECIFICATION_NAMING);
  const service = join(world.cacheFolder, "service");
  await Deno.mkdir(service, { recursive: true });
  const lock = await acquireLock(join(service, `.${key}.lock`));
  const warned = Promise.withResolvers<string>();
  const opening = openStore(world.folder, { cacheFolder: world.cacheFolder, onWarning: warned.resolve });
  assertEquals(await warned.promise, `waiting for process ${Deno.pid}, which imports ${world.folder}`);
  lock.release();
  await using store = await opening;
  assertEquals(store.recordCount, 3);
  assertEquals(Array.from(Deno.readDirSync(service), ({ name }) => name), [key]);
});

Deno.test("openStore() leaves the time of its use in the cache", async () => {
  await using world = await makeArchives(ROWS);
  await (await open(world))[Symbol.asyncDispose]();
  const used = async () =>
    (await listCache({ cache: world.cacheFolder })).find(({ kind, bytes }) => kind === "service" && bytes > 0)?.usedAt;
  const [name] = await importsIn(world.cacheFolder);
  const folder = join(world.cacheFolder, "service", name);
  await makeOld(folder);
  assertEquals(await used(), "1970-01-01T00:00:01.000Z");
  await (await open(world))[Symbol.asyncDispose]();
  assert(Date.parse(await used() ?? "") > 1e12);
});

Deno.test("openStore() removes what an abandoned import has left: at once of archives that were replaced, else after a day", async () => {
  await using world = await makeArchives(ROWS);
  await stopImport(world);
  await writeArchives(world.folder, { ...ROWS, rows: [["Chad", "1"]] });
  await (await open(world))[Symbol.asyncDispose]();
  assertEquals((await importsIn(world.cacheFolder)).length, 1);

  await using other = await makeArchives(ROWS);
  const left = await stopImport(other);
  const moved = join(world.cacheFolder, "service", basename(left));
  await Deno.rename(left, moved);
  const reopen = async (time: number) => {
    await Deno.utime(join(world.folder, archiveFiles(ARCHIVE_IDS[0]).archive), time, time);
    await (await open(world))[Symbol.asyncDispose]();
    return (await importsIn(world.cacheFolder)).length;
  };
  assertEquals(await reopen(1), 2);
  await Deno.utime(moved, 1, 1);
  assertEquals(await reopen(2), 2, "a file in it was written a moment ago");
  await makeOld(moved);
  assertEquals(await reopen(3), 1);
});

Deno.test("openStore() removes the import of archives that were replaced, unless another process uses it", async () => {
  await using world = await makeArchives(ROWS);
  await using other = await makeArchives(ROWS);
  const beside = { ...other, cacheFolder: world.cacheFolder };
  await Deno.utime(join(other.folder, archiveFiles(ARCHIVE_IDS[0]).archive), 1, 1);
  await (await open(beside))[Symbol.asyncDispose]();
  {
    await using old = await open(world);
    await writeArchives(world.folder, { ...ROWS, rows: [["Chad", "1"]] });
    await using fresh = await open(world);
    assertEquals([(await allValues(old)).length, (await allValues(fresh)).length], [3, 1]);
    assertEquals((await importsIn(world.cacheFolder)).length, 3);
  }
  await writeArchives(world.folder, { ...ROWS, rows: [["Chad", "1"], ["Chad", "2"]] });
  await (await open(world))[Symbol.asyncDispose]();
  assertEquals((await importsIn(world.cacheFolder)).length, 2, "that of the other folder stays");
  let told = 0;
  await using store = await openStore(other.folder, { cacheFolder: world.cacheFolder, onProgress: () => told++ });
  assertEquals([store.recordCount, told], [3, 0]);
});

Deno.test("openStore() keeps the imports of one folder under two namings, each of them the newest", async () => {
  await using world = await makeArchives(ROWS);
  const namings = [SPECIFICATION_NAMING, namingOf({ registry_accessions: "ids" })];
  let imports = 0;
  const onProgress = ({ finished }: ProgressEvent) => void (imports += finished ? 1 : 0);
  const openEach = async () => {
    for (const naming of namings) {
      await (await openStore(world.folder, { cacheFolder: world.cacheFolder, naming, onProgress }))
        [Symbol.asyncDispose]();
    }
    return [imports, (await importsIn(world.cacheFolder)).length];
  };
  assertEquals(await openEach(), [2, 2]);
  assertEquals(await openEach(), [2, 2], "nothing is imported again");
  await writeArchives(world.folder, { ...ROWS, rows: [["Chad", "1"]] });
  assertEquals(await openEach(), [4, 2], "each has removed its own old one");
});

Deno.test("openStore() leaves one import where locks do not work, though each that opens makes its own", async () => {
  await using world = await makeArchives(ROWS);
  const { code, stdout, stderr } = await runProgram(`
    Deno.FsFile.prototype.tryLock = () => Promise.resolve(true);
    let imports = 0;
    const opening = () => openStore(${JSON.stringify(world.folder)}, {
      cacheFolder: ${JSON.stringify(world.cacheFolder)},
      onProgress: ({ finished }) => imports += finished ? 1 : 0,
    });
    for (const store of await Promise.all([opening(), opening()])) await store[Symbol.asyncDispose]();
    console.log(imports);`);
  assertEquals([code, stdout], [0, "2\n"], stderr);
  const left = await importsIn(world.cacheFolder);
  assertEquals([left.length, left[0].includes(".")], [1, false], left.join());
});

Deno.test("openStore() opens archives though something odd lies beside their import", async () => {
  await using world = await makeArchives(ROWS);
  await Deno.mkdir(join(world.cacheFolder, "service", "0123456789abcdef", "import.json"), { recursive: true });
  await using store = await open(world);
  assertEquals(store.recordCount, 3);
});
