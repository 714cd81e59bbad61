/** What `docs/engines.md` says of Spark's SQL, run from the page's own text. */
import { assert } from "@std/assert";
import { join } from "node:path";
import { spark } from "../../../src/spark/engine/spark.ts";
import { openLake } from "../../../src/core/tables/mod.ts";
import { buildCellsLake, checkCells } from "../../docs/_engine_cells.ts";
import { runningCluster } from "./_room.ts";

const cluster = await runningCluster();

Deno.test("every piece of Spark's SQL on docs/engines.md gives what the page says", async (t) => {
  const folder = join(cluster.folder, "data", "engines_page");
  await Deno.mkdir(folder, { recursive: true });
  try {
    await using lake = await openLake(await buildCellsLake(folder), { engine: spark(cluster.url) });
    const checked = await checkCells(t, lake, "Spark");
    assert(checked > 15);
    console.log(`${checked} pieces of SQL on the page`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
