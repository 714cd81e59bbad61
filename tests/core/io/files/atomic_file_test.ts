import { assertEquals, assertRejects } from "@std/assert";
import { createAtomicFile, writeAtomic } from "../../../../src/core/io/files/atomic_file.ts";
import { RegistryError } from "../../../../src/core/errors.ts";
import { NEEDS_POSIX, needsPrograms, testNeeding } from "../../../_needs.ts";
import { inFolder, namesIn } from "../../../_files.ts";

Deno.test("a file appears whole or not at all", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/a`, "before");
    {
      await using file = await createAtomicFile(`${folder}/a`);
      await file.write(new TextEncoder().encode("after"));
      assertEquals(await Deno.readTextFile(`${folder}/a`), "before");
      assertEquals(file.bytes, 5);
      await file.commit();
    }
    assertEquals(await Deno.readTextFile(`${folder}/a`), "after");
    assertEquals(namesIn(folder), ["a"]);
  }));

Deno.test("an error, an early end or an abort leaves what was there, and nothing else", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/a`, "before");
    const failing = (async function* () {
      yield new TextEncoder().encode("half");
      throw new RangeError("the source failed");
    })();
    await assertRejects(() => writeAtomic(`${folder}/a`, failing), RangeError, "the source failed");
    const aborted = AbortSignal.abort(new Error("enough"));
    await assertRejects(() => writeAtomic(`${folder}/a`, "after", { signal: aborted }), Error, "enough");
    {
      await using file = await createAtomicFile(`${folder}/a`);
      await file.write(new TextEncoder().encode("half"));
    }

    assertEquals(await Deno.readTextFile(`${folder}/a`), "before");
    assertEquals(namesIn(folder), ["a"]);
  }));

Deno.test("what cannot be written is said with the path and what to do", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/file`, "");
    await Deno.mkdir(`${folder}/taken`);
    await assertRejects(() => writeAtomic(`${folder}/none/a`, ""), RegistryError, "make the folder first");
    await assertRejects(() => writeAtomic(`${folder}/file/a`, ""), RegistryError, "a file, not a folder");
    await assertRejects(() => writeAtomic(`${folder}/taken`, ""), RegistryError, "a folder has that name");

    assertEquals(namesIn(folder), ["file", "taken"]);
  }));

Deno.test("a dangling symbolic link stays one, and the file that it names is created", () =>
  inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/far`);
    await Deno.symlink("far/b", `${folder}/a`);
    await Deno.symlink("c", `${folder}/far/b`);

    await writeAtomic(`${folder}/a`, "new");

    assertEquals((await Deno.lstat(`${folder}/a`)).isSymlink, true);
    assertEquals((await Deno.lstat(`${folder}/far/b`)).isSymlink, true);
    assertEquals(await Deno.readTextFile(`${folder}/far/c`), "new");
  }));

Deno.test("a symbolic link stays one, and the file that it names is replaced", () =>
  inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/far`);
    await Deno.writeTextFile(`${folder}/far/a`, "before");
    await Deno.symlink(`${folder}/far/a`, `${folder}/a`);
    await writeAtomic(`${folder}/a`, "after");

    assertEquals(await Deno.readTextFile(`${folder}/far/a`), "after");
    assertEquals((await Deno.lstat(`${folder}/a`)).isSymlink, true);
    assertEquals([namesIn(folder), namesIn(`${folder}/far`)], [["a", "far"], ["a"]]);
  }));

testNeeding(
  needsPrograms("mkfifo", "cat"),
  "a device and a pipe are written to, and stay what they are",
  () =>
    inFolder(async (folder) => {
      const pipe = `${folder}/pipe`;
      await new Deno.Command("mkfifo", { args: [pipe] }).output();
      const reading = new Deno.Command("cat", { args: [pipe], stdout: "piped" }).output();
      await writeAtomic(pipe, "whole");
      assertEquals(new TextDecoder().decode((await reading).stdout), "whole");
      assertEquals((await Deno.stat(pipe)).isFifo, true);
      assertEquals(namesIn(folder), ["pipe"]);

      // Through a link, so that nothing but it is lost if this should fail.
      await Deno.symlink("/dev/null", `${folder}/null`);
      assertEquals(await writeAtomic(`${folder}/null`, "gone"), 4);
      {
        await using file = await createAtomicFile(`${folder}/null`);
        await file.write(new TextEncoder().encode("half"));
      }
      assertEquals((await Deno.stat(`${folder}/null`)).isCharDevice, true);
      assertEquals((await Deno.lstat(`${folder}/null`)).isSymlink, true);
      assertEquals(namesIn(folder), ["null", "pipe"]);
    }),
);

testNeeding(
  needsPrograms("mkfifo"),
  "an abort ends the wait for the reader of a pipe, before it is opened and while it is full",
  () =>
    inFolder(async (folder) => {
      const pipe = `${folder}/pipe`;
      await new Deno.Command("mkfifo", { args: [pipe] }).output();
      const early = new AbortController();
      const opening = createAtomicFile(pipe, { signal: early.signal });
      setTimeout(() => early.abort(new Error("enough")), 1);
      await assertRejects(() => opening, Error, "enough");
      // The opening that nobody waits for any more is still there, and would keep the test from its end.
      using reader = await Deno.open(pipe, { read: true });

      const late = new AbortController();
      const writing = writeAtomic(pipe, new Uint8Array(1 << 20), { signal: late.signal });
      await reader.read(new Uint8Array(1));
      late.abort(new Error("too much"));
      await assertRejects(() => writing, Error, "too much");
      while (await reader.read(new Uint8Array(1 << 16)) !== null);
      assertEquals(namesIn(folder), ["pipe"]);
    }),
);

testNeeding(
  NEEDS_POSIX,
  "a file that is replaced keeps its modes, also while it is written and through a link",
  () =>
    inFolder(async (folder) => {
      const modeOf = async (path: string) => ((await Deno.stat(path)).mode ?? 0) & 0o777;
      await writeAtomic(`${folder}/new`, "new");
      await Deno.writeTextFile(`${folder}/usual`, "new");
      assertEquals(await modeOf(`${folder}/new`), await modeOf(`${folder}/usual`));

      await Deno.symlink(`${folder}/a`, `${folder}/link`);
      for (const mode of [0o600, 0o640, 0o666, 0o444]) {
        await Deno.writeTextFile(`${folder}/a`, "before");
        await Deno.chmod(`${folder}/a`, mode);
        for (const path of [`${folder}/a`, `${folder}/link`]) {
          await using file = await createAtomicFile(path);
          // Nobody else may read it meanwhile; who writes it may open it by its name.
          assertEquals(await modeOf(file.temporaryPath) & ~mode & 0o077, 0);
          assertEquals(await modeOf(file.temporaryPath) & 0o600, 0o600);
          await file.write(new TextEncoder().encode("after"));
          await file.commit();
          assertEquals([await modeOf(`${folder}/a`), await Deno.readTextFile(path)], [mode, "after"]);
        }
        await Deno.remove(`${folder}/a`);
      }
    }),
);

Deno.test("a temporary file whose owner was killed is removed by the next that writes there, a living one's stays", () =>
  inFolder(async (folder) => {
    const path = `${folder}/a.txt`;
    const module = new URL("../../../../src/core/io/files/atomic_file.ts", import.meta.url).href;
    const program = `import { createAtomicFile } from ${JSON.stringify(module)};
      const file = await createAtomicFile(${JSON.stringify(path)});
      await file.write(new Uint8Array(100));
      console.log("written");
      await new Promise((resolve) => setTimeout(resolve, 60_000));`;
    const args = ["eval", "--config", new URL("../../../../deno.json", import.meta.url).pathname, program];
    await using child = new Deno.Command(Deno.execPath(), { args, stdout: "piped" }).spawn();
    await child.stdout.getReader().read();
    const names = () => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    await writeAtomic(path, "while it lives");
    assertEquals(names().length, 2);
    child.kill("SIGKILL");
    await child.status;
    await using other = await createAtomicFile(path);
    assertEquals(names().length, 2);
    await writeAtomic(path, "after it");
    assertEquals(names().length, 2);
    await other.commit();
    assertEquals(names(), ["a.txt"]);
  }));
