import { assertEquals } from "@std/assert";
import { listFolders } from "../../../../src/core/io/files/list_folders.ts";

Deno.test("listFolders() names folders in order, without files and hidden ones, and none of a missing folder", async () => {
  const parent = await Deno.makeTempDir();
  for (const name of ["b", "a", ".hidden"]) await Deno.mkdir(`${parent}/${name}`);
  await Deno.writeTextFile(`${parent}/c`, "");
  assertEquals(await listFolders(parent), ["a", "b"]);
  assertEquals(await listFolders(`${parent}/missing`), []);
  await Deno.remove(parent, { recursive: true });
});
