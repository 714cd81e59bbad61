/** One piece of work on a lake in a process of its own: prints its time and its greatest anonymous memory as JSON. */
import type { DataFrame, LazyDataFrame } from "nodejs-polars";
import { buildLake, type OnProgress, openLake } from "../../src/core/tables/mod.ts";
import { readHeader } from "../../src/core/io/csv/read_header.ts";
import { INTEGER_FIELDS } from "./_lake_data.ts";

const [work, ...args] = Deno.args;

const WORK: Readonly<Record<string, () => Promise<unknown>>> = {
  async typed() {
    const definitions = (await readHeader(args[0])).map((name) => ({
      name,
      alias: "",
      type: INTEGER_FIELDS.includes(name) ? "integer" as const : "string" as const,
      unit: "",
      description: "",
      example: "",
    }));
    const [{ manifest }] = await buildLake(args[0], args[1], { definitions });
    return { rows: manifest.rows, misfits: Object.values(manifest.misfits).reduce((sum, count) => sum + count, 0) };
  },
  async inferred() {
    const [{ manifest }] = await buildLake(args[0], args[1]);
    return { rows: manifest.rows, types: manifest.columns.map(({ type }) => type) };
  },
  async text() {
    const [{ manifest }] = await buildLake(args[0], args[1], { text: true });
    return { rows: manifest.rows };
  },
  async stop() {
    const control = new AbortController();
    let stopped = 0;
    const onProgress: OnProgress = ({ done, total }) => {
      if (stopped > 0 || done < total! / 2) return;
      stopped = performance.now();
      control.abort(new DOMException("stop", "AbortError"));
    };
    const isStopped = await buildLake(args[0], args[1], { text: true, onProgress, signal: control.signal })
      .then(() => false, (error) => error instanceof DOMException && error.name === "AbortError");
    const ms = performance.now() - stopped;
    return { ms, result: isStopped && [...Deno.readDirSync(args[1])].length === 0 };
  },
  async groupBy() {
    return await groupBy((lazy) => Promise.resolve(lazy.collectSync({ engine: "streaming" })));
  },
  async groupByCollect() {
    return await groupBy((lazy) => lazy.collect());
  },
  async frame() {
    await using lake = await openLake(args[0]);
    return await times(async () => (await (await lake.table({ columns: ["Country", "Length"] })).frame()).height, true);
  },
  async frameAlone() {
    return await times(async () => (await frameAlone()).height, true);
  },
  async sameFrames() {
    await using lake = await openLake(args[0]);
    const ours = await (await lake.table({ columns: ["Country", "Length"] })).frame();
    return ours.frameEqual(await frameAlone());
  },
};

async function groupBy(collect: (lazy: LazyDataFrame) => Promise<DataFrame>): Promise<unknown> {
  const { default: pl } = await import("nodejs-polars");
  await using lake = await openLake(args[0]);
  const { Country, Day, Length } = lake.fields;
  const query = () =>
    lake.scan().groupBy([Country, Day.str.slice(0, 4).alias("year")])
      .agg(pl.len().alias("n"), Length.mean().alias("mean"));
  return await times(() => collect(query()));
}

async function frameAlone(): Promise<DataFrame> {
  const { default: pl } = await import("nodejs-polars");
  const scanned = pl.scanParquet(`${args[0]}/${args[1]}/part-*.parquet`);
  return await scanned.select("Country", "Length").collect();
}

/** The best of five: what the work costs when files are in the system's memory. */
async function times(
  once: () => Promise<DataFrame | number>,
  isFirst = false,
): Promise<{ ms: number; result: unknown }> {
  let ms = Infinity;
  let result: DataFrame | number = 0;
  for (let run = 0; run < (isFirst ? 1 : 5); run++) {
    const started = performance.now();
    result = await once();
    ms = Math.min(ms, performance.now() - started);
  }
  return { ms, result: typeof result === "number" ? result : result.sort(["Country", "year"]).toRecords() };
}

function memory(key: string): number {
  if (Deno.build.os !== "linux") return 0;
  return Number(new RegExp(`${key}:\\s+([0-9]+)`).exec(Deno.readTextFileSync("/proc/self/status"))?.[1] ?? 0) / 1e3;
}

let anonymousMb = 0;
const timer = setInterval(() => anonymousMb = Math.max(anonymousMb, memory("RssAnon")), 10);
const result = await WORK[work]();
clearInterval(timer);
console.log(JSON.stringify({ anonymousMb, peakMb: memory("VmHWM"), result }));
