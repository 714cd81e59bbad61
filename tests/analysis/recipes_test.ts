/** Every analysis is tested, measured and named where readers look for it. */
import { assert, assertEquals } from "@std/assert";
import * as analysis from "../../src/analysis/mod.ts";
import { LAKE_RECIPES, RECIPES } from "./_recipes.ts";

/** Functions of the module that are no analyses. */
const HELPERS: readonly string[] = ["chart", "describeRole", "describeSource", "findRole", "loadPlaces", "openSource"];

Deno.test("every analysis is among those that are tested and measured, and in docs/analyses.md", async () => {
  const functions = Object.entries(analysis).filter(([name, value]) =>
    typeof value === "function" && /^[a-z]/.test(name) && !HELPERS.includes(name)
  ).map(([name]) => name);
  const covered = Object.keys({ ...RECIPES, ...LAKE_RECIPES }).map((name) => name.split(/[ ,]/)[0]);
  const page = await Deno.readTextFile(new URL("../../docs/analyses.md", import.meta.url));

  assertEquals([...new Set(covered)].sort(), functions.sort());
  for (const name of [...functions, "chart"]) assert(page.includes(`\`${name}\``), `docs/analyses.md names ${name}`);
});
