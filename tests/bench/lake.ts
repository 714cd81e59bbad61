/**
 * The lake beside polars and DuckDB in Python, newest, on two cores: `deno task bench lake [ROWS] [QUERY_ROWS]`.
 *
 * `ROWS` of metadata in 80 columns (a third of a kilobyte each), 1,000,000 by default, and ten times as many for memory
 * when a third argument is `large`; `QUERY_ROWS` of 20 columns for the queries. Outputs are compared in the same run.
 */
import { basename, join } from "node:path";
import { cacheFolder } from "../../src/core/io/files/cache_folder.ts";
import { buildLake } from "../../src/core/tables/mod.ts";
import { installPeers, INTEGER_FIELDS, isThere, writeMetadata } from "./_lake_data.ts";
import { report, type Row } from "./_report.ts";
import { TWO_CORES } from "./_two_cores.ts";

const ROWS = Number(Deno.args[0] ?? 1_000_000);
const QUERY_ROWS = Number(Deno.args[1] ?? 15_000_000);
const IS_LARGE = Deno.args.includes("large");
const RUNS = 5;
const LAKE_FORM = 3;
const CHILD = new URL("_lake_work.ts", import.meta.url).pathname;

const folder = join(cacheFolder(), "bench", "lake");
await Deno.mkdir(folder, { recursive: true });
const peers = await installPeers(folder);
if (peers === undefined) {
  console.log("not run: lake (polars and DuckDB for Python do not install)");
  Deno.exit(0);
}
const { python, versions } = peers;
const scratch = await Deno.makeTempDir();
try {
  const rows = [
    ...await measureConversion("", 1),
    ...IS_LARGE ? await measureConversion(", ten times as large", 10) : [],
    ...await measureQueries(),
    await measureLongSequence(),
  ];
  if (!report(`Lake, ${ROWS} rows × 80 columns, queries on ${QUERY_ROWS} × 20`, rows, versions)) Deno.exitCode = 1;
} finally {
  await Deno.remove(scratch, { recursive: true });
}

async function measureConversion(size: string, copies: number): Promise<Row[]> {
  const source = join(folder, `synthetic-${ROWS}-${copies}.csv.gz`);
  if (!await isThere(source)) {
    await writeMetadata(`${source}.part`, ROWS, copies);
    await Deno.rename(`${source}.part`, source);
  }
  const theirs = join(scratch, "duckdb.parquet");
  const copy = `copy (select * from read_csv('${source}', all_varchar=true, header=true)) to '${theirs}' ` +
    "(format parquet, compression zstd)";
  const duckdb =
    `import duckdb; c = duckdb.connect(); c.execute("set threads=2"); c.execute("set enable_progress_bar=false"); c.execute("${copy}")`;
  const sink = `import polars as pl; pl.scan_csv('${source}', infer_schema_length=0)` +
    `.sink_parquet('${join(scratch, "polars.parquet")}', compression='zstd', row_group_size=50000)`;
  const figures = {
    typed: [] as number[],
    inferred: [] as number[],
    duckdb: [] as number[],
    text: [] as number[],
    polars: [] as number[],
  };
  const anonymous = { typed: [] as number[], text: [] as number[] };
  let equal = true;
  for (let run = 0; run < (copies === 1 ? RUNS : 1); run++) {
    for (const work of ["typed", "text"] as const) {
      const lake = join(scratch, work);
      await Deno.remove(lake, { recursive: true }).catch(() => {});
      const started = performance.now();
      const { anonymousMb } = await child([work, source, lake]);
      figures[work].push(performance.now() - started);
      anonymous[work].push(anonymousMb);
      const peer = performance.now();
      await runPython(work === "typed" ? duckdb : sink);
      figures[work === "typed" ? "duckdb" : "polars"].push(performance.now() - peer);
    }
  }
  for (let run = 0; run < (copies === 1 ? RUNS : 1); run++) {
    const lake = join(scratch, "inferred");
    await Deno.remove(lake, { recursive: true }).catch(() => {});
    const started = performance.now();
    await child(["inferred", source, lake]);
    figures.inferred.push(performance.now() - started);
  }
  const stops = [];
  for (let run = 0; run < (copies === 1 ? RUNS : 1); run++) {
    stops.push((await child(["stop", source, join(scratch, "stopped")])).result);
  }
  const [table] = [...Deno.readDirSync(join(scratch, "typed"))].map(({ name }) => name)
    .filter((name) => name !== "_lake");
  equal &&= await sameAsText(join(scratch, "typed", table), theirs, INTEGER_FIELDS);
  equal &&= await sameAsText(join(scratch, "text", table), theirs, []);
  return [
    {
      work: `CSV.gz to typed Parquet, 1 % misfits${size}`,
      ours: figures.typed,
      unit: "ms",
      peer: { name: "DuckDB, all text", figures: figures.duckdb },
      goal: { atMost: 0.75 },
      equal,
    },
    {
      work: `the same with types inferred from all values, in a pass before${size}`,
      ours: figures.inferred,
      unit: "ms",
    },
    { work: `anonymous memory of typed Parquet${size}`, ours: anonymous.typed, unit: "MB", goal: { atMost: 300 } },
    {
      work: `stopped half-way, with nothing left${size}`,
      ours: stops.map(({ ms, result }) => result === true ? ms : Infinity),
      unit: "ms",
      goal: { atMost: 2000 },
    },
    {
      work: `CSV.gz to Parquet, all text${size}`,
      ours: figures.text,
      unit: "ms",
      peer: { name: "polars in Python", figures: figures.polars },
      goal: { atMost: 1.05 },
      equal,
    },
  ];
}

/**
 * Compares every cell, as the text that came, with the peer's: by digests over row, accession and cell. A cell that is
 * not written as its type is stands in the file of raw texts.
 */
async function sameAsText(ours: string, theirs: string, integers: readonly string[]): Promise<boolean> {
  const code = `
import duckdb, glob, json, sys
c = duckdb.connect()
c.execute("set enable_progress_bar = false")
names = [r[0] for r in c.execute("describe from '${theirs}'").fetchall()]
typed = set(json.loads(sys.argv[1]))
raw = glob.glob('${join(ours, "..", "_lake", basename(ours))}/*/part-*.raw')
one = lambda sql: c.execute(sql).fetchone()[0]
digest = lambda n, cell: f'bit_xor(hash("Registry Accession", {cell}))'
cell = lambda n: f'cast("{n}" as varchar)' if n in typed else f'"{n}"'
sums = lambda path, cells: c.execute(f"select count(*), {', '.join(cells)} from '{path}'").fetchone()
if raw:
    c.execute(f"create table raw as from read_parquet({raw!r})")
    c.execute("""create table ids as select "Registry Accession", row_number() over () as row from '${ours}/part-*.parquet'""")
    c.execute('create table odd as select "Registry Accession", field, value, fits from raw join ids using (row)')
a = list(sums('${ours}/part-*.parquet', [digest(n, cell(n)) for n in names]))
b = list(sums('${theirs}', [digest(n, f'"{n}"') for n in names]))
m = d = 0
for at, n in enumerate(names, 1):
    if n not in typed or not raw: continue
    # What is null where the raw text is: its digest is taken out, that of the text put in.
    a[at] ^= one(f"""select coalesce(bit_xor(xor(hash("Registry Accession", if(fits, value::bigint::varchar, null)),
      hash("Registry Accession", value))), 0) from odd where field = '{n}'""")
    m += one(f"select count(*) from odd where field = '{n}' and not fits")
    d += one(f"""select count(*) from '${theirs}' where "{n}" is not null and try_cast("{n}" as bigint) is null""")
print(json.dumps({"equal": a == b and m == d, "rows": a[0], "misfits": m}))
`;
  const { equal, rows, misfits } = JSON.parse(await runPython(code, JSON.stringify(integers)));
  if (!equal) console.error(`the outputs differ: ${rows} rows, ${misfits} misfits`);
  return equal === true;
}

async function measureQueries(): Promise<Row[]> {
  // Built anew when the form of lakes has changed.
  const lake = join(folder, `queries-${LAKE_FORM}-${QUERY_ROWS}`);
  if (!await isThere(join(lake, "records"))) {
    const csv = join(scratch, "records.csv");
    await runPython(`
import duckdb
duckdb.sql("""copy (select 'vj' || lpad(i::varchar, 12, '0') as "Registry Accession", 'Country ' || (hash(i) % 200) as Country,
  (2000 + hash(i + 1) % 25) || '-0' || (1 + hash(i + 2) % 9) || '-1' || (hash(i + 3) % 10) as Day,
  (200 + hash(i + 4) % 200000)::bigint as Length, ${
      Array.from({ length: 16 }, (_, n) => `'value ' || (hash(i + ${n + 5}) % ${10 ** (1 + n % 5)}) as "Field ${n}"`)
        .join(", ")
    } from range(${QUERY_ROWS}) t(i)) to '${csv}' (header)""")`);
    const definition = { alias: "", unit: "", description: "", example: "" };
    await buildLake(csv, lake, {
      definitions: [{ ...definition, name: "Length", type: "integer" }, { ...definition, name: "Day", type: "date" }],
    });
    await Deno.remove(csv);
  }
  const files = join(lake, "records", "part-*.parquet");
  const query =
    `select Country, Day[:4] as year, count(*) as n, avg(Length) as mean from '${files}' group by all order by all`;
  const figures = {
    ours: [] as number[],
    collected: [] as number[],
    duckdb: [] as number[],
    frame: [] as number[],
    alone: [] as number[],
  };
  let equal = true;
  for (let run = 0; run < RUNS; run++) {
    const ours = await child(["groupBy", lake]);
    figures.ours.push(ours.result.ms);
    const collected = await child(["groupByCollect", lake]);
    figures.collected.push(collected.result.ms);
    const { ms, result } = JSON.parse(
      await runPython(`
import duckdb, json, time
c = duckdb.connect(); c.execute("set threads=2"); c.execute("set enable_progress_bar = false"); best = 1e9
for _ in range(5):
    start = time.perf_counter(); result = c.execute("""${query}""").fetchall(); best = min(best, time.perf_counter() - start)
print(json.dumps({"ms": best * 1000, "result": result}))`),
    );
    figures.duckdb.push(ms);
    equal &&= sameGroups(ours.result.result, result) && sameGroups(collected.result.result, result);
    figures.frame.push((await child(["frame", lake])).result.ms);
    figures.alone.push((await child(["frameAlone", lake, "records"])).result.ms);
  }
  const sameFrames = (await child<boolean>(["sameFrames", lake, "records"])).result;
  return [
    {
      work: "lake.scan() group by Country × year, count and mean",
      ours: figures.ours,
      unit: "ms",
      peer: { name: "DuckDB, same files", figures: figures.duckdb },
      goal: { atMost: 1 },
      equal,
    },
    {
      work: "the same by collect(), held in memory",
      ours: figures.collected,
      unit: "ms",
      peer: { name: "DuckDB, same files", figures: figures.duckdb },
      equal,
    },
    {
      work: "a frame of two columns",
      ours: figures.frame,
      unit: "ms",
      peer: { name: "polars alone", figures: figures.alone },
      goal: { atMost: 1.1 },
      equal: sameFrames === true,
    },
  ];
}

/** The same groups and counts; means may differ in the last digits, since sums are taken in another order. */
function sameGroups(ours: unknown, theirs: unknown): boolean {
  if (!Array.isArray(ours) || !Array.isArray(theirs) || ours.length !== theirs.length) return false;
  const row = (group: Record<string, unknown>) => [group.Country, group.year, Number(group.n)].join();
  return ours.every((group, index) =>
    row(group) === theirs[index].slice(0, 3).join() && Math.abs(group.mean / theirs[index][3] - 1) < 1e-9
  );
}

async function measureLongSequence(): Promise<Row> {
  const source = join(scratch, "long.csv.gz");
  const letters = 300_000_000;
  await runPython(`
import gzip
with gzip.open('${source}', 'wb', compresslevel=1) as out:
    out.write(b'Registry Accession,Sequence\\nvj000000000001,ACGT\\nvj000000000002,')
    for _ in range(${letters / 1_000_000}): out.write(b'ACGTN' * 200_000)
    out.write(b'\\nvj000000000003,GG\\n')`);
  const peaks: number[] = [];
  let equal = true;
  for (let run = 0; run < 3; run++) {
    const lake = join(scratch, `long-${run}`);
    peaks.push((await child(["text", source, lake])).peakMb);
    const said = await runPython(`
import duckdb
duckdb.sql("set enable_progress_bar=false")
print(duckdb.sql("""select length, gc, ambiguous, strlen("Sequence") from '${lake}/long/*.parquet'""").fetchall())`);
    equal &&= said.trim() === `[(4, 0.5, 0, 4), (${letters}, 0.5, ${letters / 5}, ${letters}), (2, 1.0, 0, 2)]`;
  }
  return { work: "peak memory, one sequence of 300 MB", ours: peaks, unit: "MB", goal: { atMost: 1200 }, equal };
}

interface ChildResult<T> {
  readonly anonymousMb: number;
  readonly peakMb: number;
  readonly result: T;
}

async function child<T = { readonly ms: number; readonly result: unknown }>(
  args: readonly string[],
): Promise<ChildResult<T>> {
  const line = [...TWO_CORES, Deno.execPath(), "run", "--quiet", "--no-check", "--allow-all", CHILD, ...args];
  return JSON.parse(await output(line));
}

async function runPython(code: string, ...args: string[]): Promise<string> {
  return await output([...TWO_CORES, python, "-c", code, ...args]);
}

async function output([program, ...args]: readonly string[]): Promise<string> {
  const env = { POLARS_MAX_THREADS: "2" };
  const { success, stdout, stderr } = await new Deno.Command(program, { args, env }).output();
  if (!success) throw new Error(`${program} failed: ${new TextDecoder().decode(stderr).slice(-1000)}`);
  return new TextDecoder().decode(stdout);
}
