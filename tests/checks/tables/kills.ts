/**
 * Kills the building of a lake at random moments: `deno run -A tests/checks/tables/kills.ts [KILLS] [SEED]`.
 *
 * Every table that has its name after a kill must be whole, and the next process after the last kill must get the lake.
 * Ends with 1 when one of these does not hold.
 */
import { makeSample } from "../../../src/embedded/sample/mod.ts";
import { buildLake, openLake } from "../../../src/core/tables/mod.ts";
import { cliCommand } from "../../_cli.ts";
import { inFolder, namesIn } from "../../core/tables/_lake_files.ts";
import { randomsOf } from "../../_randoms.ts";
import { kill } from "../_kill.ts";

const [kills = 25, seed = Date.now() % 1_000_000] = Deno.args.map(Number);

const random = randomsOf(seed);

let killed = 0;
let ended = 0;
let faults = 0;
/** Tables that a kill left whole, of all that it found. */
let found = 0;
await inFolder(async (folder) => {
  await makeSample(`${folder}/archives`, { records: 5000 });
  const started = performance.now();
  const expected = new Map((await buildLake(`${folder}/archives`, `${folder}/whole`)).map(({ manifest }) => [
    manifest.table,
    manifest,
  ]));
  // A process that is killed would take about as long.
  const longestMs = performance.now() - started;
  for (let round = 0; killed < kills; round++) {
    const lake = `${folder}/lake-${round}`;
    for (let turn = 0; turn < 4 && killed < kills; turn++) {
      const child = cliCommand(["lake", `${folder}/archives`, "-o", lake, "--quiet"]).spawn();
      const timer = setTimeout(() => kill(child), 150 + random() * longestMs);
      const { signal } = await child.output();
      clearTimeout(timer);
      signal === "SIGKILL" ? killed++ : ended++;
      await check(lake, `round ${round}, turn ${turn}`);
      if (signal === null) break;
    }
    const { success, stderr } = await cliCommand(["lake", `${folder}/archives`, "-o", lake, "--quiet"]).output();
    const tables = await check(lake, `round ${round}, the end`);
    if (!success || tables !== expected.size) {
      fault(`round ${round}: whoever came after got ${tables} tables: ${new TextDecoder().decode(stderr)}`);
    }
    await Deno.remove(lake, { recursive: true });
  }

  async function check(lake: string, when: string): Promise<number> {
    const names = await Deno.stat(lake).then(() => namesIn(lake).filter((name) => !/^[._]/.test(name)), () => []);
    if (names.length === 0) return 0;
    try {
      await using open = await openLake(lake);
      for (const name of names) {
        const whole = expected.get(name);
        const manifest = open.tables.get(name);
        const { height } = await open.scan(name).select(open.column(whole!.columns[0].name, name)).collect();
        const said = (of: typeof whole) => JSON.stringify({ ...of, built: "", checksum: "" });
        if (said(manifest) !== said(whole) || height !== whole?.rows) fault(`${when}: ${name} is not whole`);
        found++;
      }
    } catch (error) {
      fault(`${when}: ${error instanceof Error ? error.message : error}`);
    }
    return names.length;
  }
});
console.log(
  `seed ${seed}: ${killed} killed, ${ended} came to their end before, ${found} tables found; ${faults} faults`,
);
if (faults > 0) Deno.exitCode = 1;

function fault(what: string): void {
  faults++;
  console.error(what);
}
