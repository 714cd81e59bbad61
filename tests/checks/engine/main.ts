/**
 * Whether Spark computes what polars computes: every analysis on a lake of 20,000 records, and queries over generated
 * frames of hostile values. `deno run -A tests/checks/engine/main.ts sc://HOST:PORT [CASES [RECORDS]]`; exits with 1 if
 * anything differs, or if other data have the same digest.
 */
import { spark } from "../../../src/engine/mod.ts";
import { messageOf } from "../../../src/errors.ts";
import { buildLake, openLake } from "../../../src/tables/mod.ts";
import { makeSample } from "../../../src/sample/mod.ts";
import { LAKE_RECIPES, RECIPES } from "../../analysis/_recipes.ts";
import { compareCase, generateCase, writeGenerated } from "../../engine/_generated.ts";

const DAY = "2026-01-31";
const [url, cases = "1000", records = "20000"] = Deno.args;
if (url === undefined) throw new TypeError("usage: main.ts sc://HOST:PORT [CASES [RECORDS]]");
const recipes = Object.entries({ ...RECIPES, ...LAKE_RECIPES });
const folder = await Deno.makeTempDir();
const faults: string[] = [];

async function lakeOf(seed: number): Promise<string> {
  await makeSample(`${folder}/archives-${seed}`, { records: Number(records), seed });
  await buildLake(`${folder}/archives-${seed}`, `${folder}/lake-${seed}`);
  return `${folder}/lake-${seed}`;
}

try {
  await using lake = await openLake(await lakeOf(1), { engine: spark(url) });
  let equal = 0;
  const digests = new Map<string, string>();
  for (const [name, analyse] of recipes) {
    const started = performance.now();
    try {
      const { digest, plans } = await lake.check((lake) => analyse(lake, DAY));
      digests.set(name, digest);
      equal++;
      console.log(`equal ${name}: ${plans.length} queries, ${((performance.now() - started) / 1000).toFixed(1)} s`);
    } catch (cause) {
      faults.push(`${name}: ${messageOf(cause)}`);
    }
  }
  console.log(`${equal} of ${recipes.length} analyses give equal digests`);

  await using other = await openLake(await lakeOf(2), { engine: spark(url) });
  const { digest } = await other.check((lake) => RECIPES.lengthDistribution(lake, DAY));
  if (digest === digests.get("lengthDistribution")) faults.push("other data have the same digest");
  else console.log("other data have another digest");

  const generated = await writeGenerated(folder, 0, Number(cases));
  await using session = await spark(url).open(generated);
  let same = 0;
  for (let seed = 0; seed < Number(cases); seed++) {
    const one = generateCase(seed, generated.tables[0].scan());
    const difference = await compareCase(one, session).catch(messageOf);
    if (difference === undefined) same++;
    else faults.push(`${one.name}: ${difference}`);
  }
  console.log(`${same} of ${cases} generated frames equal polars`);
} finally {
  await Deno.remove(folder, { recursive: true });
}
for (const fault of faults.slice(0, 20)) console.error(fault);
if (faults.length > 0) Deno.exitCode = 1;
