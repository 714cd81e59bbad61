import { assertEquals } from "@std/assert";
import { readNotebook } from "../../../src/again/replay/notebook_file.ts";
import { inFolder } from "../../_files.ts";

Deno.test("readNotebook() reads a notebook with a byte order mark", async () => {
  await inFolder(async (folder) => {
    const cells = [{ cell_type: "code", source: ["1 + ", "1"], outputs: [], execution_count: null }];
    await Deno.writeTextFile(`${folder}/a.ipynb`, `\uFEFF${JSON.stringify({ nbformat: 4, cells })}`);
    assertEquals((await readNotebook(`${folder}/a.ipynb`)).cells.map(({ source }) => source), ["1 + 1"]);
  });
});
