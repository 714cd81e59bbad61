/** Copies of archives: when they are made, and what is left of them. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { openStore } from "../../../../src/embedded/service/registry/open_store.ts";
import { listCache } from "../../../../src/core/datasets/cache_contents.ts";
import { pruneCache } from "../../../../src/core/datasets/prune_cache.ts";
import { archiveFiles } from "../../../../src/core/contract/datasets.ts";
import type { ProgressEvent } from "../../../../src/core/io/tasks/progress.ts";
import { testWithPrograms } from "../../../_needs.ts";
import { type ArchiveWorld, makeArchives, writeArchives } from "../_archives.ts";
import { ROWS, runProgram } from "../_imports.ts";

const { archive: METADATA } = archiveFiles("full_dataset_metadata");
const REGISTRY = new URL("../../../../src/embedded/service/registry/open_registry.ts", import.meta.url).href;

/** Opens and closes a store with copies; returns how many archives were copied for it. */
async function openWithCopies({ folder, cacheFolder }: ArchiveWorld): Promise<number> {
  let copied = 0;
  const onProgress = ({ task }: ProgressEvent) => void (copied += task.startsWith("copying ") ? 1 : 0);
  await using store = await openStore(folder, { cacheFolder, copies: true, onProgress });
  assertEquals(store.files.get(METADATA)?.path, join(folder, METADATA), "the path is that in the folder");
  using reading = await store.files.get(METADATA)!.open();
  const bytes = new Uint8Array(1 << 16);
  const whole = await Deno.readFile(join(folder, METADATA));
  assertEquals(bytes.subarray(0, await reading.read(bytes, 0)), whole);
  return copied;
}

/** Paths below the copies in a cache, without the lock that their users hold. */
async function copiesIn({ cacheFolder }: ArchiveWorld): Promise<string[]> {
  const paths: string[] = [];
  const copies = join(cacheFolder, "copies");
  for await (const { name, isDirectory } of Deno.readDir(copies)) {
    const files = isDirectory ? await Array.fromAsync(Deno.readDir(join(copies, name)), (file) => file.name) : [""];
    paths.push(...files.filter((file) => file !== "in-use.lock").map((file) => join(name, file)));
  }
  return paths.sort();
}

Deno.test("copies are found again without copying, also of an import that was made without them", async () => {
  await using world = await makeArchives(ROWS);
  await using _plain = await openStore(world.folder, { cacheFolder: world.cacheFolder });
  await assertRejects(() => copiesIn(world), Deno.errors.NotFound, undefined, "none are made by default");
  assertEquals(await openWithCopies(world), 8);
  const made = await copiesIn(world);
  assertEquals(made.length, 9);
  assertEquals(await openWithCopies(world), 0);
  // The cache was restored from a backup: the times are others, the bytes are not.
  for (const path of made) await Deno.utime(join(world.cacheFolder, "copies", path), 1, 1);
  assertEquals([await openWithCopies(world), await copiesIn(world)], [0, made]);
});

Deno.test("copies that are not as they were written are made again", async (t) => {
  const damages: Readonly<Record<string, (folder: string) => Promise<void>>> = {
    "a cut copy": (folder) => Deno.truncate(join(folder, METADATA), 10),
    "a missing copy": (folder) => Deno.remove(join(folder, METADATA)),
    "a changed byte": async (folder) => {
      const bytes = await Deno.readFile(join(folder, METADATA));
      bytes[bytes.length - 1] ^= 1;
      await Deno.writeFile(join(folder, METADATA), bytes);
    },
    "nothing that states their times": (folder) => Deno.remove(join(folder, "copies.json")),
    "half of what states their times": (folder) => Deno.truncate(join(folder, "copies.json"), 50),
  };
  for (const [how, damage] of Object.entries(damages)) {
    await t.step(how, async () => {
      await using world = await makeArchives(ROWS);
      await openWithCopies(world);
      const made = await copiesIn(world);
      await damage(join(world.cacheFolder, "copies", made[0].slice(0, 32)));
      assertEquals([await openWithCopies(world), await copiesIn(world)], [8, made]);
    });
  }
});

Deno.test("copies are made once by several that open the archives at the same time", async () => {
  await using world = await makeArchives(ROWS);
  const copied = await Promise.all([openWithCopies(world), openWithCopies(world), openWithCopies(world)]);
  assertEquals(copied.sort(), [0, 0, 8]);
});

Deno.test("copies are the cache's own entries, and stay while they are used", async () => {
  await using world = await makeArchives(ROWS);
  const { cacheFolder: cache, folder } = world;
  const kinds = async () => (await listCache({ cache })).map(({ kind }) => kind);
  {
    await using _store = await openStore(folder, { cacheFolder: cache, copies: true });
    await pruneCache({ cache, remove: true });
    assertEquals(await kinds(), ["copies", "service"]);
  }
  await pruneCache({ cache, remove: true });
  assertEquals(await kinds(), []);
});

Deno.test("archives that cannot be imported leave no copies", async (t) => {
  const twice = { ...ROWS, accessions: ["vj000000000001", "vj000000000001", "vj000000000002"] };
  const faults: Readonly<Record<string, readonly [fault: (folder: string) => Promise<void>, says: string]>> = {
    "another digest": [(folder) => Deno.writeFile(join(folder, METADATA), new Uint8Array(9)), "its SHA-256 is"],
    "a duplicate accession": [(folder) => writeArchives(folder, twice), "vj000000000001"],
  };
  for (const [how, [fault, says]] of Object.entries(faults)) {
    await t.step(how, async () => {
      await using world = await makeArchives(ROWS);
      await fault(world.folder);
      await assertRejects(() => openWithCopies(world), Error, says);
      assertEquals(await copiesIn(world), []);
    });
  }
});

/** A program that opens the archives with copies, and is killed when the last archive of these tasks is begun. */
const killed = ({ folder, cacheFolder }: ArchiveWorld, task: string) =>
  runProgram(`
    await openStore(${JSON.stringify(folder)}, {
      cacheFolder: ${JSON.stringify(cacheFolder)},
      copies: true,
      onProgress: ({ task, done }) => task.startsWith(${JSON.stringify(task)}) && done > 0
        && Deno.kill(Deno.pid, "SIGKILL"),
    });`);

Deno.test("what a killed process has left of copies is removed by the next, whether or not it copies", async (t) => {
  const nexts: Readonly<Record<string, (world: ArchiveWorld) => Promise<number>>> = {
    "the same archives": async (world) => (await openWithCopies(world), 9),
    "other archives": async (world) => {
      await writeArchives(world.folder, { ...ROWS, rows: [["Chad", "1"]] });
      return await openWithCopies(world), 9;
    },
    "no copies": async ({ folder, cacheFolder }) => {
      await using _store = await openStore(folder, { cacheFolder });
      return 0;
    },
  };
  for (const [how, next] of Object.entries(nexts)) {
    await t.step(how, async () => {
      await using world = await makeArchives(ROWS);
      assert((await killed(world, "copying ")).code !== 0);
      const left = await copiesIn(world);
      assert(left.length > 1 && left.every((path) => path.startsWith(".")), left.join());
      const count = await next(world);
      const now = await copiesIn(world);
      assertEquals([now.length, now.filter((path) => path.startsWith("."))], [count, []]);
    });
  }
});

Deno.test("whole copies of a killed process are used by the next, or removed when the archives are others", async () => {
  await using world = await makeArchives(ROWS);
  assert((await killed(world, "importing ")).code !== 0);
  const left = await copiesIn(world);
  assertEquals([left.length, await openWithCopies(world), await copiesIn(world)], [9, 0, left]);
  await writeArchives(world.folder, { ...ROWS, rows: [["Chad", "1"]] });
  assertEquals(await openWithCopies(world), 8);
  assertEquals((await copiesIn(world)).filter((path) => left.includes(path)), []);
});

testWithPrograms(
  ["sh"],
  "a full disk while archives are copied is reported, and leaves the old release served and nothing else",
  async () => {
    await using world = await makeArchives(ROWS);
    const large = await makeArchives({
      ...ROWS,
      replace: { unique_seqs_sequence: crypto.getRandomValues(new Uint8Array(1 << 16)) },
    });
    await using _large = large;
    const program = `
      const { openRegistry } = await import(${JSON.stringify(REGISTRY)});
      const [folder, cacheFolder] = ${JSON.stringify([world.folder, world.cacheFolder])};
      await using registry = await openRegistry(folder, { cacheFolder, copies: true });
      const sent = async () => {
        const name = ${JSON.stringify(METADATA)};
        const answer = await registry.service(new Request("http://embedded/v2/datasets_download?filename=" + name));
        return answer.status + " " + (await answer.bytes()).length;
      };
      const before = await sent();
      for (const { name } of Deno.readDirSync(${JSON.stringify(large.folder)})) {
        // A link: this process may write no large files.
        Deno.removeSync(folder + "/" + name);
        Deno.linkSync(${JSON.stringify(large.folder)} + "/" + name, folder + "/" + name);
      }
      await registry.renew().catch(({ code, message }) => console.log(code, message));
      console.log(before === await sent());`;
    // A limit on the size of files refuses a write as a full disk does.
    const { stdout, stderr } = await runProgram(program, ["sh", "-c", 'trap "" XFSZ; ulimit -f 64; exec "$@"', "sh"]);
    const [fault, isServed] = stdout.trim().split("\n");
    assert(
      fault.startsWith(`disk Cannot copy the archives to ${join(world.cacheFolder, "copies")}: `),
      stdout + stderr,
    );
    assertEquals(isServed, "true");
    const left = await copiesIn(world);
    assertEquals([left.length, left.filter((path) => path.startsWith("."))], [9, []]);
  },
);
