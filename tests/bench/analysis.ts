/**
 * How long each chart takes, from the sample and from a lake of fifteen million rows, each in a process of its own that
 * loads everything anew; and how much memory it takes. `deno task bench analysis [ROWS [NAME…]]`.
 */
import pl from "nodejs-polars";
import { join } from "node:path";
import { makeSample } from "../../src/sample/mod.ts";
import { archiveFiles } from "../../src/spec/datasets.ts";
import { SPECIFICATION_NAMING } from "../../src/spec/naming.ts";
import { type LakeManifest, readManifest, writeManifest } from "../../src/tables/lake_manifest.ts";
import { buildLake, openLake } from "../../src/tables/mod.ts";
import { RECIPES } from "../analysis/_recipes.ts";
import { report, type Row } from "./_report.ts";

const ROWS = 15_000_000;
const RUNS = 3;
/** Records of the sample that the large lake repeats, with accessions, isolates and clusters of their own each time. */
const SEED_RECORDS = 50_000;
const SAMPLE_RECORDS = 5000;
const TABLE = "full_dataset_metadata";

interface Figures {
  readonly ms: number;
  readonly letters: number;
  readonly megabytes: number;
}

async function makeLake(root: string, records: number): Promise<string> {
  const archives = join(root, `archives-${records}`);
  const lake = join(root, `lake-${records}`);
  await makeSample(archives, { records, seed: 3 });
  await buildLake(join(archives, archiveFiles(TABLE, SPECIFICATION_NAMING).archive), lake);
  await Deno.remove(archives, { recursive: true });
  return lake;
}

async function repeatLake(root: string, rows: number): Promise<string> {
  const seed = await makeLake(root, SEED_RECORDS);
  const manifest = await readManifest(join(seed, TABLE));
  if (manifest === undefined) throw new Error("the lake was not built");
  const lake = join(root, "large");
  await Deno.mkdir(join(lake, TABLE), { recursive: true });
  const frame = pl.scanParquet(join(seed, TABLE, "part-*.parquet")).collectSync();
  const files: { name: string; rows: number; bytes: number }[] = [];
  for (let copy = 0; copy < Math.ceil(rows / SEED_RECORDS); copy++) {
    const name = `part-${String(copy).padStart(5, "0")}.parquet`;
    const own = ["Registry Accession", "Isolate", "Cluster"].map((column) =>
      pl.concatString([pl.col(column), pl.lit(String(copy))], "/").alias(column)
    );
    const path = join(lake, TABLE, name);
    frame.withColumns(...own).writeParquet(path, { compression: "zstd" });
    files.push({ name, rows: SEED_RECORDS, bytes: (await Deno.stat(path)).size });
  }
  const all = files.length * SEED_RECORDS;
  await writeManifest(join(lake, TABLE), { ...manifest, rows: all, unique: all, files } satisfies LakeManifest);
  return lake;
}

/** Runs one analysis in a process of its own, and watches its memory: that which is no mapped file. */
async function measure(name: string, lake: string): Promise<Figures> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", import.meta.url, "--one", name, lake],
    stdout: "piped",
  }).spawn();
  let most = 0;
  const watch = setInterval(() => {
    try {
      const status = Deno.readTextFileSync(`/proc/${child.pid}/status`);
      most = Math.max(most, Number(/RssAnon:\s+([0-9]+)/.exec(status)?.[1] ?? 0));
    } catch {
      // The process has ended, or this is no Linux.
    }
  }, 10);
  const { stdout, success } = await child.output();
  clearInterval(watch);
  if (!success) throw new Error(`${name} failed`);
  const { ms, letters }: Figures = JSON.parse(new TextDecoder().decode(stdout));
  return { ms, letters, megabytes: most / 1024 };
}

async function runOne(name: string, folder: string): Promise<void> {
  await using lake = await openLake(folder);
  const started = performance.now();
  const { chart } = await RECIPES[name](lake, "2026-01-31");
  console.log(JSON.stringify({ ms: performance.now() - started, letters: chart?.svg.length ?? 0 }));
}

if (Deno.args[0] === "--one") await runOne(Deno.args[1], Deno.args[2]);
else {
  const rows = Number(Deno.args[0] ?? ROWS);
  const names = Deno.args.length > 1 ? Deno.args.slice(1) : Object.keys(RECIPES);
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
