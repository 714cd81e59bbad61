/**
 * Two versions of the data compared: `deno task bench diff [MILLIONS]`.
 *
 * One record in a hundred changed; a few were added and removed. Figures compared with peers are of 1 million records
 * in 80 columns: of lakes with DuckDB's full outer join and a comparison of each field, of CSV with a program on the
 * crate csv-diff that does what `qsv diff` does. `MILLIONS` (1 by default, 15 for the goals of size) is the
 * size of the versions that have limits of their own.
 */
import { join } from "node:path";
import { cacheFolder } from "../../src/core/io/files/cache_folder.ts";
import { makeCsv, makeVersions, plantedChanges } from "./_diff_data.ts";
import { report, type Row } from "./_report.ts";
import { TWO_CORES } from "./_two_cores.ts";

const MILLIONS = Number(Deno.args[0] ?? 1);
if (!(Number.isInteger(MILLIONS) && MILLIONS > 0)) throw new RangeError("expected a number of millions of records");
const ROWS = 1_000_000;
const RUNS = 3;
const CHILD = new URL("_diff_work.ts", import.meta.url).pathname;
const CRATE = "csv_diff";

const folder = join(cacheFolder(), "bench", "diff");
await Deno.mkdir(folder, { recursive: true });
const { archives, lakes } = await makeVersions(folder, ROWS, 1);
const rows = [await compareWithJoin(), ...await compareWithCsvDiff(), ...await ofSize()];
const versions = { "DuckDB (Node.js)": "as locked", "csv-diff": "0.1.2" };
if (!report(`Two versions, ${ROWS} rows × 80 columns`, rows, versions)) Deno.exitCode = 1;

async function compareWithJoin(): Promise<Row> {
  const [ours, theirs] = [[] as number[], [] as number[]];
  let equal = true;
  for (let run = 0; run < RUNS; run++) {
    const [diff, peer] = [await child("diff", ...lakes), await child("join", ...lakes)];
    ours.push(diff.ms);
    theirs.push(peer.ms);
    equal &&= JSON.stringify(sorted(diff.counts)) === JSON.stringify(sorted(peer.counts)) && isPlanted(diff.counts, 1);
  }
  const peer = { name: "DuckDB, full outer join", figures: theirs };
  return { work: "diff of two lakes", ours, unit: "ms", peer, goal: { atMost: 0.5 }, equal };
}

/** Both as whole processes. */
async function compareWithCsvDiff(): Promise<Row[]> {
  const program = await buildPeer();
  if (program === undefined) {
    console.log(`not run: csv-diff; install Rust (https://rustup.rs), which builds tests/bench/${CRATE}`);
    return [];
  }
  const files = await makeCsv(archives);
  const [ours, theirs] = [[] as number[], [] as number[]];
  let equal = true;
  for (let run = 0; run < RUNS; run++) {
    const diff = await child("diff", ...files);
    const peer = await timed([program, ...files, join(folder, "differences.csv")]);
    ours.push(diff.wallMs);
    theirs.push(peer.wallMs);
    const { added, removed, "Field 62": changed } = diff.counts;
    equal &&= peer.stdout === JSON.stringify({ added, removed, changed }) && isPlanted(diff.counts, 1);
  }
  const peer = { name: "csv-diff, as qsv diff", figures: theirs };
  return [{ work: "diff of two CSV", ours, unit: "ms", peer, goal: { atMost: 0.6 }, equal }];
}

/** Time and memory of versions of the size that is requested, with the goals of 15 million records in proportion. */
async function ofSize(): Promise<Row[]> {
  const large = await makeVersions(folder, ROWS, MILLIONS);
  const [diff, csv] = [await child("diff", ...large.lakes), await child("diff", ...large.archives)];
  for (const { counts } of [diff, csv]) {
    if (!isPlanted(counts, MILLIONS)) throw new Error(`other changes than planted: ${JSON.stringify(counts)}`);
  }
  const schema = await child("schema", large.lakes[0]);
  const size = `${MILLIONS} million records`;
  const part = MILLIONS / 15;
  return [
    { work: `diff of lakes, ${size}`, ours: [diff.ms / 1e3], unit: "s", goal: { atMost: 60 * part } },
    { work: `diff of lakes, ${size}, greatest memory`, ours: [diff.peakMb], unit: "MB", goal: { atMost: 700 } },
    { work: `diff of .csv.gz, ${size}`, ours: [csv.ms / 1e3], unit: "s", goal: { atMost: 150 * part } },
    { work: `diff of .csv.gz, ${size}, greatest memory`, ours: [csv.peakMb], unit: "MB" },
    { work: `schema view, ${size}`, ours: [schema.ms / 1e3], unit: "s", goal: { atMost: 30 * part } },
  ];
}

async function buildPeer(): Promise<string | undefined> {
  const target = join(folder, CRATE);
  const manifest = new URL(`${CRATE}/Cargo.toml`, import.meta.url).pathname;
  const args = ["build", "--release", "--quiet", "--manifest-path", manifest, "--target-dir", target];
  const built = await new Deno.Command("cargo", { args, env: { RUSTFLAGS: "-C target-cpu=native" } }).output()
    .then(({ success }) => success, () => false);
  return built ? join(target, "release", "compare") : undefined;
}

function isPlanted({ added, removed, "Field 62": changed }: Readonly<Record<string, number>>, copies: number): boolean {
  const planted = plantedChanges(ROWS * copies);
  return added === planted.added && removed === planted.removed && changed === planted.changed;
}

function sorted(counts: Readonly<Record<string, number>>) {
  return Object.entries(counts).sort(([a], [b]) => a < b ? -1 : 1);
}

interface Measured {
  readonly ms: number;
  readonly peakMb: number;
  readonly counts: Readonly<Record<string, number>>;
}

async function child(work: string, ...places: readonly string[]): Promise<Measured & { readonly wallMs: number }> {
  const program = [Deno.execPath(), "run", "--quiet", "--no-check", "--allow-all", CHILD, work, ...places];
  const { stdout, wallMs } = await timed(program);
  return { ...JSON.parse(stdout), wallMs };
}

/** Runs a program on two cores. */
async function timed(command: readonly string[]): Promise<{ readonly stdout: string; readonly wallMs: number }> {
  const [program, ...args] = [...TWO_CORES, ...command];
  const started = performance.now();
  const { success, stdout, stderr } = await new Deno.Command(program, { args }).output();
  const wallMs = performance.now() - started;
  if (!success) throw new Error(`${command.join(" ")} failed: ${new TextDecoder().decode(stderr).slice(-1000)}`);
  return { stdout: new TextDecoder().decode(stdout).trim(), wallMs };
}
