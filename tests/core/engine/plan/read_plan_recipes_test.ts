/**
 * The queries of every analysis, and what they become in Spark's SQL, are the committed ones: a change of polars' plans
 * or of our SQL is seen without Spark. `deno test -A FILE -- --update`, with this file, writes `recipes/` anew: read
 * what changed.
 */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { makeSample } from "../../../../src/embedded/sample/mod.ts";
import { buildLake, openLake } from "../../../../src/core/tables/mod.ts";
import { readPlan } from "../../../../src/core/engine/plan/read_plan.ts";
import { LAKE_RECIPES, RECIPES } from "../../../analysis/_recipes.ts";
import { RecordingEngine, writeQueries } from "./_recorded.ts";
import { inFolder } from "../../../_files.ts";

const FOLDER = new URL("./recipes/", import.meta.url);
const EVERY = { ...RECIPES, ...LAKE_RECIPES };
const RECORDS = 120;

/** Texts by the names of their files, one for each analysis; and every plan. */
async function recordAll(): Promise<{ readonly texts: Map<string, string>; readonly plans: string[] }> {
  return await inFolder(async (root) => {
    await makeSample(`${root}/archives`, { records: RECORDS, seed: 7 });
    await buildLake(`${root}/archives`, `${root}/lake`);
    const engine = new RecordingEngine();
    await using lake = await openLake(`${root}/lake`, { engine });
    const texts = new Map<string, string>();
    const plans: string[] = [];
    const written = new Map<string, string>();
    for (const [call, analyse] of Object.entries(EVERY)) {
      await analyse(lake, "2026-01-31");
      const queries = await engine.take();
      const name = `${call.split(/[ ,]/)[0].replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}.sql`;
      texts.set(
        name,
        [texts.get(name), writeQueries(call, queries, written)].filter((text) => text !== undefined).join("\n"),
      );
      plans.push(...queries.map(({ plan }) => plan));
    }
    return { texts, plans };
  });
}

const { texts, plans } = await recordAll();
if (Deno.args.includes("--update")) {
  await Deno.remove(FOLDER, { recursive: true }).catch(() => {});
  await Deno.mkdir(FOLDER);
  for (const [name, text] of texts) await Deno.writeTextFile(new URL(name, FOLDER), text);
}

Deno.test("the queries of every analysis are the committed ones", async (t) => {
  assertEquals([...Deno.readDirSync(FOLDER)].map(({ name }) => name).sort(), [...texts.keys()].sort());
  for (const [name, text] of texts) {
    await t.step(name, async () => {
      const committed = (await Deno.readTextFile(new URL(name, FOLDER))).split("\n");
      const lines = text.split("\n");
      const at = lines.findIndex((line, index) => line !== committed[index]);
      const place = `recipes/${name}, line ${at + 1}; run this test with -- --update and read what changed`;
      assertEquals(at < 0 ? undefined : lines[at], at < 0 ? undefined : committed[at], place);
      assertEquals(lines.length, committed.length, `recipes/${name} has other lines at its end`);
    });
  }
});

/** A node as polars writes it: an object with one key in upper case. */
const NODE = /"([A-Z][A-Za-z]+)":/g;
/** Options whose values are words. */
const WORD = /"(?:op|options|how|validation|maintain_order|mapping|method|Boolean)":"([A-Z][A-Za-z]+)"/g;

function namesIn(pattern: RegExp): Set<string> {
  return new Set(plans.flatMap((plan) => [...plan.matchAll(pattern)].map(([found]) => found)));
}

Deno.test("nodes, words and fields that polars does not write today are refused, and named", () => {
  const refuse = (found: string, changed: string, name: string) => {
    const plan = plans.find((plan) => plan.includes(found))!;
    const error = assertThrows(() => readPlan(plan.replaceAll(found, changed), () => []), TypeError);
    assert(error.message.includes(name), `${changed}: ${error.message}`);
  };
  const [nodes, words] = [namesIn(NODE), namesIn(WORD)];
  for (const node of nodes) refuse(node, node.replace('":', 'Next":'), node.slice(1, -2) + "Next");
  for (const word of words) {
    refuse(word, word.replace(/"$/, 'Next"'), word.slice(word.lastIndexOf(':"') + 2, -1) + "Next");
  }
  for (const step of ["Select", "Filter", "GroupBy", "Join", "Slice"]) {
    refuse(`"${step}":{`, `"${step}":{"added":null,`, `${step} with added`);
  }
  assert(nodes.size > 25 && words.size > 10, `${nodes.size} nodes and ${words.size} words`);
});
