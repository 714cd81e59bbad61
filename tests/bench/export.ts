/**
 * A large metadata export as a polars frame: `deno task bench export [RECORDS] [FOLDER]`; two million by default.
 *
 * `registry.metadata()` and its frame, as a whole process, beside curl and polars in Python on the same registry, which
 * runs in a process of its own. FOLDER keeps archives and import for another run.
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
  const [mine, theirs] = [join(root, "ours.parquet"), join(root, "theirs.csv")];
  const body = JSON.stringify({
    search: { query: "*" },
    download: {
      scope: "max",
      information: "metadata",
      fileType: "csv",
      metadata: ["Registry Accession", ...FIELDS],
      selected_ids: [],
    },
  });
  const curl = `curl -sS -f -H 'content-type: application/json' -d '${body}' -o ${theirs} ${url}/v2/download`;
  const python = (mode: string) => `${peers!.python} ${PEER} ${theirs} ${mode} ${mine}`;
  await run("frame");
  const frames: { readonly ms: number; readonly megabytes: number }[] = [];
  const figures: number[] = [];
  for (let count = 0; count < RUNS; count++) {
    frames.push(await run("frame"));
    const begun = performance.now();
    await shell(`${curl} && ${python("read")}`);
    figures.push(performance.now() - begun);
  }
  await run("parquet", mine);
  const equal = (await shell(python("equal"))).trim() === "equal";
  const size = Number(await shell(python("size"))) / 1e6;
  const rows: Row[] = [
    {
      work: "metadata() and its frame",
      ours: frames.map(({ ms }) => ms),
      unit: "ms",
      peer: { name: "curl, polars in Python", figures },
      goal: { atMost: 1.1 },
      equal,
    },
    {
      work: `  memory, of which the frame is ${size.toFixed(0)} MB`,
      ours: frames.map(({ megabytes }) => megabytes),
      unit: "MB",
      goal: { atMost: size + 250 },
    },
  ];
  for (const mode of ["csv", "parquet"]) {
    const { megabytes } = await run(mode, join(root, `written.${mode}`));
    rows.push({
      work: `to${mode === "csv" ? "CSV" : "Parquet"}(), memory`,
      ours: [megabytes],
      unit: "MB",
      goal: { atMost: 300 },
    });
  }
  return rows;
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
