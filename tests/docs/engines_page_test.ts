/** DuckDB's SQL on the page on engines; Spark's is run by `deno task cluster test`. */
import { assert } from "@std/assert";
import { openLake } from "../../src/core/tables/mod.ts";
import { withFolder } from "../core/datasets/_archive.ts";
import { buildCellsLake, checkCells } from "./_engine_cells.ts";

Deno.test("every piece of DuckDB's SQL on docs/engines.md gives what the page says", async (t) => {
  await withFolder(async (folder) => {
    await using lake = await openLake(await buildCellsLake(folder));
    assert(await checkCells(t, lake, "DuckDB") > 15);
  });
});
