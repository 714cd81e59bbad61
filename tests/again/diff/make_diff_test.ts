import { assertRejects } from "@std/assert";
import { diffLakes } from "../../../src/again/diff/diff.ts";
import { inFolder } from "../../_files.ts";
import { writeRows } from "./_versions.ts";

Deno.test("a comparison that was closed asks to be made again", async () => {
  await inFolder(async (folder) => {
    await writeRows(`${folder}/old.csv`, [["id"], ["a"]]);
    const diff = await diffLakes(`${folder}/old.csv`, `${folder}/old.csv`);
    await diff[Symbol.asyncDispose]();
    for (const read of [() => diff.records(), () => diff.daffRows()]) {
      await assertRejects(
        async () => await Array.fromAsync<unknown>(read()),
        TypeError,
        "it was closed; make it again",
      );
    }
  });
});
