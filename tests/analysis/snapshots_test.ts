/**
 * One chart of each analysis as it is drawn, over a synthetic lake: a change of a picture is seen in review.
 * `deno task snapshots` draws them anew.
 */
import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { fromFileUrl, inFolder } from "../_files.ts";
import { LAKE_RECIPES, RECIPES } from "./_recipes.ts";
import { sampleWorld, type World } from "./_worlds.ts";

const FOLDER = fromFileUrl(new URL("./snapshots/", import.meta.url));
/** Analyses that are tables alone. */
const TABLES: readonly string[] = ["schemaCard"];
const IS_UPDATE = Deno.args.includes("--update");

Deno.test("one chart of each analysis is the one that is committed", async (t) => {
  await using world = await sampleWorld();
  await inFolder(async (drawn) => {
    const paths = await drawAll(world, drawn);
    if (IS_UPDATE) await replaceSnapshots(paths);
    assertEquals([...Deno.readDirSync(FOLDER)].map(({ name }) => name).sort(), [...paths.keys()].sort());
    for (const [name, path] of paths) {
      await t.step(name, async () => {
        const isSame = await Deno.readTextFile(path) === await Deno.readTextFile(join(FOLDER, name));
        assertEquals(
          isSame,
          true,
          `tests/analysis/snapshots/${name} is drawn otherwise: run deno task snapshots and look`,
        );
      });
    }
  });
});

/** Draws each analysis in its first form; returns paths by the names of their files. */
async function drawAll({ lake }: World, folder: string): Promise<Map<string, string>> {
  const paths = new Map<string, string>();
  for (const [form, analyse] of Object.entries({ ...RECIPES, ...LAKE_RECIPES })) {
    const name = `${form.split(/[ ,]/)[0].replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}.svg`;
    if (paths.has(name)) continue;
    const { chart, notes } = await analyse(lake, "2026-01-31");
    assertEquals(chart === undefined, TABLES.includes(form), form);
    if (chart === undefined) continue;
    assertEquals(chart.notes, notes, `${form}: nothing is left out of the picture or warned of`);
    // The first title is that of the picture.
    assert(chart.svg.split("<title>").length > 2, `${form} has tooltips`);
    await chart.save(join(folder, name));
    paths.set(name, join(folder, name));
  }
  return paths;
}

async function replaceSnapshots(paths: ReadonlyMap<string, string>): Promise<void> {
  await Deno.remove(FOLDER, { recursive: true }).catch(() => {});
  await Deno.mkdir(FOLDER);
  for (const [name, path] of paths) await Deno.copyFile(path, join(FOLDER, name));
}
