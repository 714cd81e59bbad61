/** When openStore() imports again, and where it goes on with an import that was stopped. */
import { assert, assertEquals, assertFalse, assertRejects, assertStringIncludes } from "@std/assert";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { RegistryError } from "../../../../src/core/errors.ts";
import type { ProgressEvent } from "../../../../src/core/io/tasks/progress.ts";
import { openStore } from "../../../../src/embedded/service/registry/open_store.ts";
import { ARCHIVE_IDS, archiveFiles } from "../../../../src/core/contract/datasets.ts";
import { testWithPrograms } from "../../../_needs.ts";
import { type ArchiveContent, makeArchives, writeArchives } from "../_archives.ts";
import { allValues, importsIn, open, readAgain, ROWS, runProgram, stopImport } from "../_imports.ts";

Deno.test("openStore() imports again only when a file has changed", async () => {
  await using world = await makeArchives(ROWS);
  let told = 0;
  const openAndCount = async (): Promise<number> => {
    told = 0;
    await using store = await openStore(world.folder, { cacheFolder: world.cacheFolder, onProgress: () => told++ });
    assertEquals((await allValues(store)).length, store.recordCount);
    return told;
  };
  assert(await openAndCount() > 0);
  assertEquals(await openAndCount(), 0);
  await Deno.utime(join(world.folder, "registryv1_unique_seqs_sequence.csv.gz"), 1, 1);
  assert(await openAndCount() > 0, "another time");
  await writeArchives(world.folder, { ...ROWS, rows: [...ROWS.rows, ["Chad", "1"]] });
  assert(await openAndCount() > 0, "other archives");
  await writeArchives(world.folder, { ...ROWS, types: {} });
  assert(await openAndCount() > 0, "definitions");
  assertEquals(await openAndCount(), 0);
});

Deno.test("openStore() rebuilds an import that is no longer whole", async (t) => {
  const faults: Record<string, (folder: string) => Promise<void>> = {
    "no manifest": (folder) => Deno.remove(join(folder, "import.json")),
    "half a manifest": (folder) => Deno.writeTextFile(join(folder, "import.json"), '{"fields": ['),
    "another manifest": (folder) => Deno.writeTextFile(join(folder, "import.json"), "{}"),
    "cut records": (folder) => Deno.truncate(join(folder, "records.rows"), 10),
    "no sequences": (folder) => Deno.remove(join(folder, "sequences.places")),
    "no index": (folder) => Deno.remove(join(folder, "index"), { recursive: true }),
  };
  for (const [fault, damage] of Object.entries(faults)) {
    await t.step(fault, async () => {
      await using world = await makeArchives(ROWS);
      await (await open(world))[Symbol.asyncDispose]();
      const [name] = await importsIn(world.cacheFolder);
      await damage(join(world.cacheFolder, "service", name));
      await using store = await open(world);
      assertEquals((await allValues(store)).length, 3);
    });
  }
});

Deno.test("openStore() resumes an import that was stopped, and reads again only what is not finished", async (t) => {
  const { full_dataset_metadata: metadata, full_dataset_sequence: sequence } = Object.fromEntries(
    ARCHIVE_IDS.map((id) => [id, archiveFiles(id).archive]),
  );
  const letters = "Registry Accession,Sequence\nvj000000000001,ACGT\nvj000000000009,A\nvj000000000002,GG\n";
  const content: ArchiveContent = { ...ROWS, replace: { full_dataset_sequence: letters } };
  const faults: Record<string, readonly [damage: (folder: string) => Promise<void>, reads: string[]]> = {
    "as it was": [() => Promise.resolve(), []],
    "half a file more": [(folder) => Deno.writeTextFile(join(folder, "sequences.other"), "half"), []],
    "cut records": [(folder) => Deno.truncate(join(folder, "records.rows"), 10), [metadata, sequence]],
    "no sequences": [(folder) => Deno.remove(join(folder, "sequences.letters")), [metadata, sequence]],
    "half the notes": [(folder) => Deno.truncate(join(folder, "notes.json"), 30), [metadata, sequence]],
    "no notes": [(folder) => Deno.remove(join(folder, "notes.json")), [metadata, sequence]],
  };
  for (const [fault, [damage, reads]] of Object.entries(faults)) {
    await t.step(fault, async () => {
      await using world = await makeArchives(content);
      await damage(await stopImport(world));
      const { read, events, values, sequences, total, warnings } = await readAgain(world);
      assertEquals([metadata, sequence].filter((name) => read.has(name)), reads);
      assertEquals(values.map((cells) => cells.slice(1)), ROWS.rows);
      assertEquals([sequences, total], [["ACGT", "GG", undefined], 2]);
      assertEquals(warnings.length, 2, "each warning is given once");
      assertEquals(events.at(-1)?.done, events.at(-1)?.total);
      const [name, ...others] = await importsIn(world.cacheFolder);
      assertEquals([name.includes("."), others], [false, []]);
      const files = await Array.fromAsync(Deno.readDir(join(world.cacheFolder, "service", name)), ({ name }) => name);
      assertFalse(files.some((name) => name === "sequences.other" || name === "notes.json"));
    });
  }
  await t.step("archives that have changed", async () => {
    await using world = await makeArchives(content);
    await stopImport(world);
    await writeArchives(world.folder, { ...ROWS, rows: [["Chad", "1"], ["Kenya", "2"]] });
    const { values, total } = await readAgain(world);
    assertEquals([values.length, total], [2, 1]);
  });
});

Deno.test("openStore() resumes an import that was killed at any stage", async (t) => {
  for (const [place, id] of ARCHIVE_IDS.entries()) {
    if (place % 3 !== 1) continue;
    await t.step(id, async () => {
      await using world = await makeArchives(ROWS);
      const { code } = await runProgram(`
        await openStore(${JSON.stringify(world.folder)}, {
          cacheFolder: ${JSON.stringify(world.cacheFolder)},
          onProgress: ({ task }) => task.endsWith(${JSON.stringify(archiveFiles(id).archive)})
            && Deno.kill(Deno.pid, "SIGKILL"),
        });`);
      assert(code !== 0);
      assertEquals((await importsIn(world.cacheFolder)).map((name) => name.endsWith(".part")), [true]);
      const { values, sequences, total } = await readAgain(world);
      assertEquals([values.length, sequences, total], [3, ["ACGT", "ACGTACGT", "ACGTACGTACGT"], 2]);
      assertEquals((await importsIn(world.cacheFolder)).length, 1);
    });
  }
});

testWithPrograms(
  ["sh"],
  "openStore() reports a full disk and leaves nothing there, not even the file of its lock",
  async () => {
    const sequences = ["A", "C", "G"].map((letter) => letter.repeat(400_000));
    await using world = await makeArchives({ ...ROWS, sequences });
    const program = `await openStore(${JSON.stringify(world.folder)}, { cacheFolder: ${
      JSON.stringify(world.cacheFolder)
    } }).catch(({ code, message }) => console.log(code, message));`;
    // A limit on the size of files refuses a write as a full disk does.
    const { stdout } = await runProgram(program, ["sh", "-c", 'trap "" XFSZ; ulimit -f 512; exec "$@"', "sh"]);
    assertStringIncludes(stdout, "disk Cannot write the import to");
    assertStringIncludes(stdout, "free some space");
    assertEquals(Array.from(Deno.readDirSync(join(world.cacheFolder, "service"))), []);
    const { read, sequences: found } = await readAgain(world);
    assertEquals([read.size, found], [ARCHIVE_IDS.length, sequences]);
    assertEquals(Array.from(Deno.readDirSync(join(world.cacheFolder, "service"))).length, 1);
  },
);

Deno.test("openStore() makes an index of an older version again, reports it, and removes it", async () => {
  await using world = await makeArchives(ROWS);
  await (await open(world))[Symbol.asyncDispose]();
  const [name] = await importsIn(world.cacheFolder);
  const service = join(world.cacheFolder, "service");
  // The version is in the name: an import of another has another.
  const older = join(service, "0".repeat(name.length));
  await Deno.rename(join(service, name), older);
  const { read, events, values } = await readAgain(world);
  assertEquals([read.size, values.length], [ARCHIVE_IDS.length, 3]);
  assertEquals(events.at(-1)?.finished, true);
  assertEquals(await importsIn(world.cacheFolder), [name]);
});

Deno.test("openStore() reads no more archives when the index cannot be built", async () => {
  const sequences = ["ACGT".repeat(1_000_000)];
  await using world = await makeArchives({ columns: ["Country"], rows: [["Kenya"]], sequences });
  const read: string[] = [];
  const onProgress = ({ task }: ProgressEvent) => {
    read.push(task);
    const service = join(world.cacheFolder, "service");
    for (const { name } of Deno.readDirSync(service)) {
      const tokens = join(service, name, "index", "tokens.building");
      if (existsSync(tokens)) Deno.removeSync(tokens);
    }
  };
  await assertRejects(() => openStore(world.folder, { cacheFolder: world.cacheFolder, onProgress }), RegistryError);
  assertEquals(read.filter((task) => task.endsWith(archiveFiles(ARCHIVE_IDS[7]).archive)), []);
});
