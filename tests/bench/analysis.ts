/**
 * How long each chart takes, from the sample and from a lake of fifteen million rows, each in a process of its own that
 * loads everything anew; and how much memory it takes. `deno task bench analysis [ROWS [NAME…]]`.
 */
import { openLake } from "../../src/core/tables/mod.ts";
import { memoryOf } from "../_memory.ts";
import { LAKE_RECIPES, RECIPES } from "../analysis/_recipes.ts";
import { makeLake, repeatLake } from "./_analysis_lake.ts";
import { report, type Row } from "./_report.ts";

const ROWS = 15_000_000;
const RUNS = 3;
const SAMPLE_RECORDS = 5000;
const EVERY = { ...RECIPES, ...LAKE_RECIPES };

interface Figures {
  readonly ms: number;
  readonly letters: number;
  readonly megabytes: number;
}

/** Runs one analysis in a process of its own, and watches its memory: that which is no mapped file. */
async function measure(name: string, lake: string): Promise<Figures> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", import.meta.url, "--one", name, lake],
    stdout: "piped",
  }).spawn();
  let most = 0;
  const watch = setInterval(() => most = Math.max(most, memoryOf(child.pid) ?? 0), 10);
  const { stdout, success } = await child.output();
  clearInterval(watch);
  if (!success) throw new Error(`${name} failed`);
  const { ms, letters }: Figures = JSON.parse(new TextDecoder().decode(stdout));
  return { ms, letters, megabytes: most };
}

async function runOne(name: string, folder: string): Promise<void> {
  await using lake = await openLake(folder);
  const started = performance.now();
  const { chart } = await EVERY[name](lake, "2026-01-31");
  console.log(JSON.stringify({ ms: performance.now() - started, letters: chart?.svg.length ?? 0 }));
}

if (Deno.args[0] === "--one") await runOne(Deno.args[1], Deno.args[2]);
else {
  const rows = Number(Deno.args[0] ?? ROWS);
  const names = Deno.args.length > 1 ? Deno.args.slice(1) : Object.keys(EVERY);
  const root = await Deno.makeTempDir();
  try {
    const lakes = [
      { lake: await makeLake(root, SAMPLE_RECORDS), what: "the sample", atMostMs: 300 },
      { lake: await repeatLake(root, rows), what: `${rows} rows`, atMostMs: 3000 },
    ];
    const table: Row[] = [];
    for (const { lake, what, atMostMs } of lakes) {
      for (const name of names) {
        const figures: Figures[] = [];
        for (let run = 0; run < RUNS; run++) figures.push(await measure(name, lake));
        const add = (unit: string, ours: number[], atMost: number) =>
          table.push({ work: `${name}, ${what}`, ours, unit, goal: { atMost } });
        add("ms", figures.map(({ ms }) => ms), atMostMs);
        add("kB of SVG", figures.map(({ letters }) => letters / 1000), 150);
        add("MB of memory", figures.map(({ megabytes }) => megabytes), 1500);
      }
    }
    if (!report("charts", table, { polars: "0.25.2" })) Deno.exitCode = 1;
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}
