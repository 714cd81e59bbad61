/**
 * How long a curation, a sample and isolates of a lake of fifteen million records take, each in a process of its own,
 * and how much memory. `deno task bench curation [ROWS]`.
 */
import { memoryOf } from "../_memory.ts";
import { curate, isolates, subsample } from "../../src/curation/mod.ts";
import { repeatLake } from "./_analysis_lake.ts";
import { report, type Row } from "./_report.ts";

const ROWS = 15_000_000;
const MEGABYTES = 1500;

/** What is measured; the lake has no sequences, so that duplicates are looked for among the clusters. */
const WORK: Readonly<
  Record<string, { readonly seconds: number; readonly run: (lake: string, out: string) => Promise<void> }>
> = {
  "curation": {
    seconds: 60,
    run: async (lake) => {
      await using curation = await curate(lake, { require: ["Country"], fields: { digest: "Cluster" } });
      if (curation.excluded === 0) throw new Error("no record is left out");
    },
  },
  "sample, saved": {
    seconds: 30,
    run: async (lake, out) => {
      await using sample = await subsample(lake, { by: ["country", "month"], total: 5000 });
      await sample.save(out);
    },
  },
  "isolates, saved": {
    seconds: 30,
    run: async (lake, out) => {
      await using found = await isolates(lake);
      await found.save(out);
    },
  },
};

async function measure(name: string, lake: string, out: string): Promise<{ seconds: number; megabytes: number }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", import.meta.url, "--one", name, lake, out],
    stdout: "piped",
  }).spawn();
  let most = 0;
  const watch = setInterval(() => most = Math.max(most, memoryOf(child.pid) ?? 0), 10);
  const { stdout, success } = await child.output();
  clearInterval(watch);
  if (!success) throw new Error(`${name} failed`);
  return { seconds: Number(new TextDecoder().decode(stdout)), megabytes: most };
}

if (Deno.args[0] === "--one") {
  const [, name, lake, out] = Deno.args;
  const started = performance.now();
  await WORK[name].run(lake, out);
  console.log((performance.now() - started) / 1000);
} else {
  const rows = Number(Deno.args[0] ?? ROWS);
  const root = await Deno.makeTempDir();
  try {
    const lake = await repeatLake(root, rows);
    const table: Row[] = [];
    for (const [at, name] of Object.keys(WORK).entries()) {
      const { seconds, megabytes } = await measure(name, lake, `${root}/out-${at}`);
      const work = `${name}, ${rows} rows`;
      table.push({ work, ours: [seconds], unit: "s", goal: { atMost: WORK[name].seconds } });
      table.push({ work, ours: [megabytes], unit: "MB of memory", goal: { atMost: MEGABYTES } });
    }
    if (!report("curation", table)) Deno.exitCode = 1;
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}
