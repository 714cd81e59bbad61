import { assert, assertEquals } from "@std/assert";
import {
  IN_USE_FILE,
  isFolderInUse,
  removeFolder,
  sweepGoing,
  useFolder,
} from "../../../../src/core/io/files/folder_use.ts";
import { inFolder, namesIn } from "../../../_files.ts";

Deno.test("a folder is removed when the last of its users has ended", async () => {
  await inFolder(async (parent) => {
    const folder = `${parent}/a`;
    await Deno.mkdir(`${folder}/deep`, { recursive: true });
    const [one, two] = [await useFolder(folder), await useFolder(folder)];
    assert(one !== undefined && two !== undefined);
    assertEquals([await isFolderInUse(folder), await removeFolder(folder)], [true, "in use"]);
    one[Symbol.dispose]();
    assertEquals([await isFolderInUse(folder), await removeFolder(folder)], [true, "in use"]);
    two[Symbol.dispose]();
    two[Symbol.dispose]();
    // A program that another test starts holds the lock from its fork to its exec.
    for (let look = 0; look < 100 && await isFolderInUse(folder); look++) await new Promise((go) => setTimeout(go, 20));
    assertEquals([await isFolderInUse(folder), await removeFolder(folder)], [false, "removed"]);
    assertEquals(namesIn(parent), []);
    assertEquals([await isFolderInUse(folder), await removeFolder(folder)], [false, "absent"]);
  });
});

Deno.test("a folder that is just being removed is not used, one that is absent may be", async () => {
  await inFolder(async (parent) => {
    using _remover = await (async () => {
      const file = await Deno.open(`${parent}/${IN_USE_FILE}`, { write: true, create: true });
      await file.lock(true);
      return file;
    })();
    assertEquals(await useFolder(parent), undefined);
    using use = await useFolder(`${parent}/none`);
    assert(use !== undefined);
    assertEquals(namesIn(parent), [IN_USE_FILE]);
  });
});

Deno.test("what a killed process was removing is swept, and nothing else", async () => {
  await inFolder(async (parent) => {
    for (const name of [".a.0123abcd.going", ".b.part", "c.going"]) {
      await Deno.mkdir(`${parent}/${name}/deep`, { recursive: true });
    }
    await sweepGoing(parent);
    assertEquals(namesIn(parent), [".b.part", "c.going"]);
  });
});
