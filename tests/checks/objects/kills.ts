/**
 * Kills the upload of a lake at random moments: `PYTHON=… deno run -A tests/checks/objects/kills.ts [KILLS] [SEED]`.
 *
 * What is open after a kill must be the old lake or the new one, or none before the first. Ends with 1 if not.
 */
import { makeSample } from "../../../src/embedded/sample/mod.ts";
import { ObjectStoreError, openLake, verifyLake } from "../../../src/core/tables/mod.ts";
import { cliCommand } from "../../_cli.ts";
import { inFolder } from "../../_files.ts";
import { randomsOf } from "../../_randoms.ts";
import { kill } from "../_kill.ts";
import { BUCKET, startMoto } from "./_moto.ts";

const [kills = 20, seed = Date.now() % 1_000_000] = Deno.args.map(Number);
const LAKE = `s3://${BUCKET}/killed`;

const random = randomsOf(seed);

const found = { none: 0, old: 0, new: 0 };
let [killed, ended, faults] = [0, 0, 0];
await using moto = await startMoto();
await inFolder(async (folder) => {
  const sizes = [1500, 1700];
  for (const records of sizes) await makeSample(`${folder}/${records}`, { records });
  const build = (records: number) =>
    cliCommand(["lake", `${folder}/${records}`, "-o", LAKE, "--quiet"], { env: moto.env });
  const started = performance.now();
  await build(sizes[0]).output();
  const longestMs = performance.now() - started;
  await moto.store.remove({ bucket: BUCKET, key: "killed/lake.json" });
  let before: number | undefined;
  for (let turn = 0; killed < kills; turn++) {
    const records = sizes[turn % 2];
    const child = build(records).spawn();
    const timer = setTimeout(() => kill(child), longestMs * (0.2 + random()));
    const { signal } = await child.output();
    clearTimeout(timer);
    signal === "SIGKILL" ? killed++ : ended++;
    const now = await rowsOf(`turn ${turn}`);
    const isNew = now === records;
    if (!isNew && now !== before || signal === null && !isNew) {
      fault(`turn ${turn}: ${now} rows, before it ${before}, to be ${records}`);
    }
    found[now === undefined ? "none" : isNew ? "new" : "old"]++;
    before = now;
  }
  const { success } = await build(sizes[0]).output();
  if (!success || await rowsOf("the end") !== sizes[0]) fault("a later reader did not get the lake");

  /** Rows of every table must be those of one lake; `undefined` if it is missing. */
  async function rowsOf(when: string): Promise<number | undefined> {
    try {
      await using lake = await openLake(LAKE, { store: moto.options });
      const bad = (await verifyLake(LAKE, { store: moto.options })).filter(({ ok }) => !ok);
      for (const { reason } of bad) fault(`${when}: ${reason}`);
      const whole = await lake.collect(lake.scan("full_dataset_metadata"));
      if (lake.tables.get("full_dataset_sequence")?.rows !== whole.height) fault(`${when}: tables of two lakes`);
      return whole.height;
    } catch (error) {
      if (error instanceof ObjectStoreError && error.fault === "no-object" && error.message.includes("no lake.json")) {
        return;
      }
      fault(`${when}: ${error instanceof Error ? error.message : error}`);
    }
  }
});
console.log(
  `seed ${seed}: ${killed} killed, ${ended} came to their end before; found ${found.none} times no lake, ${found.old} ` +
    `times the old one, ${found.new} times the new one; ${faults} faults`,
);
if (faults > 0) Deno.exitCode = 1;

function fault(what: string): void {
  faults++;
  console.error(what);
}
