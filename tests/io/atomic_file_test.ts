import { assertEquals, assertRejects } from "@std/assert";
import { createAtomicFile, writeAtomic } from "../../src/io/atomic_file.ts";
import { RegistryError } from "../../src/errors.ts";

async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
}

Deno.test("a file appears whole or not at all", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/a`, "before");
    {
      await using file = await createAtomicFile(`${folder}/a`);
      await file.write(new TextEncoder().encode("after"));
      assertEquals(await Deno.readTextFile(`${folder}/a`), "before");
      assertEquals(file.bytes, 5);
      await file.commit();
    }
    assertEquals(await Deno.readTextFile(`${folder}/a`), "after");
    assertEquals(await namesIn(folder), ["a"]);
  }));

Deno.test("an error, an early end or an abort leaves what was there, and nothing else", () =>
  withFolder(async (folder) => {
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
    assertEquals(await namesIn(folder), ["a"]);
  }));

Deno.test("what cannot be written is said with the path and what to do", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/file`, "");
    await Deno.mkdir(`${folder}/taken`);
    await assertRejects(() => writeAtomic(`${folder}/none/a`, ""), RegistryError, "make the folder first");
    await assertRejects(() => writeAtomic(`${folder}/file/a`, ""), RegistryError, "a file, not a folder");
    await assertRejects(() => writeAtomic(`${folder}/taken`, ""), RegistryError, "a folder has that name");

    assertEquals(await namesIn(folder), ["file", "taken"]);
  }));
