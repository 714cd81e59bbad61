/** What plans become in SQL gives polars' results: DuckDB runs it here, `tests/checks/cluster` has Spark run it. */
import { assert, assertEquals } from "@std/assert";
import { LAKE_RECIPES, RECIPES } from "../../analysis/_recipes.ts";
import { digestFrame } from "../../../src/engine/digest/frame_digest.ts";
import { describeDifference } from "../../../src/engine/digest/frame_difference.ts";
import { makeSample } from "../../../src/sample/mod.ts";
import { buildLake, openLake } from "../../../src/tables/mod.ts";
import { duckdbEngine, openDuckdb } from "../_duckdb_engine.ts";
import { compareCase, compareResult, generateCase, writeGenerated } from "../_generated.ts";
import { collectTogether, compareTogether } from "../_together.ts";

const CASES = 60;
const TOGETHER = 20;
/** Analyses whose queries cover those of the others, but for the many of one a field. */
const NAMES = [
  "lengthDistribution",
  "recordsInTime by year",
  "lengthByFamily",
  "clusterSizes",
  "qualityTiers",
  "segmentsPerIsolate",
  "stratifiedSample",
  "clusterQuality",
  "releaseLag",
  "compareSets",
  "gcAgreement",
];

Deno.test("queries over hostile values give what polars gives", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const lake = await writeGenerated(folder, 0, CASES);
    await using session = await duckdbEngine.open(lake);
    for (let seed = 0; seed < CASES; seed++) {
      const generated = generateCase(seed, lake.tables[0].scan());
      assertEquals(await compareCase(generated, session), undefined, generated.name);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("queries over hostile values give the same as one statement, and a difference is noticed", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const lake = await writeGenerated(folder, CASES, CASES + TOGETHER);
    await using session = await openDuckdb(lake);
    // DuckDB's dictionaries hold 0 and −0 of one column as one value.
    const cases = Array.from({ length: TOGETHER }, (_, at) => ({
      ...generateCase(CASES + at, lake.tables[0].scan()),
      keepsValues: false,
    }));
    assertEquals(await compareTogether(cases, session), []);

    const results = await collectTogether(cases.map(({ query }) => query), session);
    const others = await Promise.all(cases.map((one, at) => compareResult(one, results[(at + 1) % TOGETHER])));
    const noticed = others.filter((difference) => difference !== undefined).length;
    assert(noticed > 0.8 * TOGETHER, `${noticed} of ${TOGETHER}`);

    const broken = { ...cases[3], query: cases[3].query.select("absent") };
    const [fault, ...more] = await compareTogether(cases.with(3, broken), session);
    assertEquals([fault.includes('the column "absent"'), more], [true, []]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("analyses give the same digests on another engine, and others for other data", async (t) => {
  const folder = await Deno.makeTempDir();
  try {
    const [one, other] = [`${folder}/one`, `${folder}/other`];
    for (const [seed, path] of [one, other].entries()) {
      await makeSample(`${path}/archives`, { records: 120, seed });
      await buildLake(`${path}/archives`, `${path}/lake`);
    }
    await using local = await openLake(`${one}/lake`);
    await using far = await openLake(`${one}/lake`, { engine: duckdbEngine });
    await using different = await openLake(`${other}/lake`, { engine: duckdbEngine });
    for (const name of NAMES) {
      await t.step(name, async () => {
        const analyse = { ...RECIPES, ...LAKE_RECIPES }[name];
        const here = await analyse(local, "2026-01-31");
        const there = await analyse(far, "2026-01-31");
        assertEquals(
          await describeDifference({ name: "polars", frame: here.frame }, { name: "DuckDB", frame: there.frame }),
          undefined,
        );
        assertEquals(await digestFrame(there.frame), await digestFrame(here.frame));
        assertEquals(there.notes, here.notes);
      });
    }
    const [same, not] = [await RECIPES.lengthDistribution(far), await RECIPES.lengthDistribution(different)];
    assertEquals(await digestFrame(same.frame) === await digestFrame(not.frame), false);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
