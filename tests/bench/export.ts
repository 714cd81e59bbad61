/**
 * Large results as polars frames and files: `deno task bench export [RECORDS] [FOLDER]`; two million by default.
 *
 * `registry.metadata()` and its frame, as a whole process, compared with curl and polars in Python on the same
 * registry, which runs in a process of its own. The memory of the other results is held against the size of their
 * frames, their content against what curl downloaded. FOLDER keeps archives and import for another run.
 */
import { join } from "node:path";
import { CLI_PERMISSIONS } from "../_cli.ts";
import { memoryOf } from "../_memory.ts";
import { installPeers } from "./_lake_data.ts";
import { report, type Row } from "./_report.ts";
import { writeScaledArchives } from "./_scale_archives.ts";

const RUNS = 3;
const FIELDS = ["Country", "Collection Date", "Host Species", "Sequence Length"];
const MAIN = new URL("../../src/cli/main.ts", import.meta.url).pathname;
const WORK = new URL("./_export_work.ts", import.meta.url).pathname;
const PEER = new URL("./_export_polars.py", import.meta.url).pathname;

const records = Number(Deno.args[0] ?? 2_000_000);
if (!Number.isSafeInteger(records) || records < 1000) throw new RangeError("expected at least 1000 records");
const root = Deno.args[1] ?? await Deno.makeTempDir();
const peers = await installPeers(root);
if (peers === undefined) {
  console.log("not run: export (polars for Python does not install)");
  if (Deno.args[1] === undefined) await Deno.remove(root, { recursive: true });
  Deno.exit(0);
}
const folder = join(root, `archives-${records}`);
const isThere = await Deno.stat(join(folder, "manifest.json")).then(() => true, () => false);
if (!isThere) {
  await Deno.mkdir(folder, { recursive: true });
  await writeScaledArchives(folder, records);
}
const { server, url } = await serve();
try {
  if (!report(`export of ${records} records × ${FIELDS.length + 1} fields`, await measure(), peers.versions)) {
    Deno.exitCode = 1;
  }
} finally {
  server.kill("SIGTERM");
  await server.status;
  if (Deno.args[1] === undefined) await Deno.remove(root, { recursive: true });
}

async function measure(): Promise<Row[]> {
  const theirs = join(root, "theirs.csv");
  const python = (mode: string, ours: string, path = theirs) =>
    shell(`${peers!.python} ${PEER} ${path} ${mode} ${ours}`);
  const metadata = { fileType: "csv", information: "metadata", metadata: ["Registry Accession", ...FIELDS] };
  await run("metadata-frame");
  const frames: { readonly ms: number; readonly megabytes: number }[] = [];
  const figures: number[] = [];
  for (let count = 0; count < RUNS; count++) {
    frames.push(await run("metadata-frame"));
    const begun = performance.now();
    await download(metadata, theirs);
    await python("read", "-");
    figures.push(performance.now() - begun);
  }
  const { size, equal } = await writtenAs("metadata", python, "equal");
  const rows: Row[] = [
    {
      work: "metadata() and its frame",
      ours: frames.map(({ ms }) => ms),
      unit: "ms",
      peer: { name: "curl, polars in Python", figures },
      goal: { atMost: 1.1 },
      equal,
    },
    memoryOfFrame(frames.map(({ megabytes }) => megabytes), size),
  ];
  const works = { accessions: "accessions()", xml: "metadata() as XML", search: "search() of all, 40 columns," };
  for (const [kind, work] of Object.entries(works)) {
    const written = await writtenAs(kind, python, "same");
    const { ms, megabytes } = await run(`${kind}-frame`);
    rows.push({ work: `${work} and its frame`, ours: [ms], unit: "ms", equal: written.equal });
    rows.push(memoryOfFrame([megabytes], written.size));
  }
  for (
    const [mode, work] of [["csv", "metadata().toCSV()"], ["parquet", "toParquet()"], ["rows", "rows, one by one"]]
  ) {
    const { ms, megabytes } = await run(`metadata-${mode}`, join(root, `written.${mode}`));
    rows.push({ work, ours: [ms], unit: "ms" });
    rows.push({ work: "  memory", ours: [megabytes], unit: "MB", goal: { atMost: 300 } });
  }
  const fasta = join(root, "theirs.fasta");
  await download({ fileType: "fasta", information: "sequences", metadata: ["Registry Accession"] }, fasta);
  for (const [mode, work] of [["fasta", "sequences().toFasta()"], ["archive-fasta", "toFasta() of an archive"]]) {
    const path = join(root, "ours.fasta");
    const { ms, megabytes } = await run(mode, path);
    const equal = (await python("fasta", path, fasta)).trim() === "equal";
    rows.push({ work, ours: [ms], unit: "ms", equal });
    rows.push({ work: "  memory", ours: [megabytes], unit: "MB", goal: { atMost: 300 } });
  }
  return rows;
}

function memoryOfFrame(megabytes: readonly number[], size: number): Row {
  return {
    work: `  memory, of which the frame is ${size.toFixed(0)} MB in polars`,
    ours: megabytes,
    unit: "MB",
    goal: { atMost: size + 250 },
  };
}

/** Has a result written as Parquet: the size of its frame, and whether it is what the peer read. */
async function writtenAs(
  kind: string,
  python: (mode: string, ours: string) => Promise<string>,
  mode: string,
): Promise<{ readonly size: number; readonly equal: boolean }> {
  const path = join(root, `${kind}.parquet`);
  await run(`${kind}-parquet`, path);
  return { size: Number(await python("size", path)) / 1e6, equal: (await python(mode, path)).trim() === "equal" };
}

async function download(request: Readonly<Record<string, unknown>>, path: string): Promise<void> {
  const body = JSON.stringify({ search: { query: "*" }, download: { scope: "max", ...request, selected_ids: [] } });
  await shell(`curl -sS -f -H 'content-type: application/json' -d '${body}' -o ${path} ${url}/v2/download`);
}

/** Runs our side in a process of its own: its time and its most anonymous memory. */
async function run(mode: string, path = ""): Promise<{ readonly ms: number; readonly megabytes: number }> {
  const begun = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", "--allow-all", WORK, url, mode, JSON.stringify(FIELDS), path],
    env: { SEQREG_CACHE: join(root, "cache-client") },
    stdout: "piped",
  }).spawn();
  let most = 0;
  const watch = setInterval(() => most = Math.max(most, memoryOf(child.pid) ?? 0), 20);
  const { success, stdout } = await child.output();
  clearInterval(watch);
  if (!success) throw new Error("our side failed");
  if (new TextDecoder().decode(stdout).trim() !== String(records)) throw new Error("records are missing");
  return { ms: performance.now() - begun, megabytes: most };
}

async function shell(command: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("sh", { args: ["-c", command] }).output();
  if (!success) throw new Error(`${command} failed: ${new TextDecoder().decode(stderr).slice(0, 500)}`);
  return new TextDecoder().decode(stdout);
}

async function serve(): Promise<{ readonly server: Deno.ChildProcess; readonly url: string }> {
  const server = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", ...CLI_PERMISSIONS, MAIN, "serve", folder, "--quiet"],
    env: { SEQREG_CACHE: join(root, "cache-server"), SEQREG_NAMING: "", SEQREG_CWD: "" },
    stdout: "piped",
  }).spawn();
  const reader = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value } = await reader.read();
  if (value === undefined) throw new Error("the registry did not start");
  reader.releaseLock();
  return { server, url: value.trim() };
}
