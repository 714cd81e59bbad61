/**
 * The embedded registry at scale, over the socket: `deno task bench service_scale [RECORDS] [FOLDER]`.
 *
 * RECORDS is a million unless given; the goals are those set for fifteen million. FOLDER keeps the archives and their
 * import for another run; without it everything is made in a temporary folder and removed.
 */
import { join } from "node:path";
import { archiveFiles } from "../../src/spec/datasets.ts";
import { formatAccession } from "../../src/spec/accession.ts";
import { CLI_PERMISSIONS } from "../_cli.ts";
import { median, report, type Row } from "./_report.ts";
import { type ScaledArchives, writeScaledArchives } from "./_scale_archives.ts";
import { SCALE_QUERIES, type SearchBody } from "./_scale_queries.ts";

const MAIN = new URL("../../src/cli/main.ts", import.meta.url).pathname;
const IMPORT = new URL("./_scale_import.ts", import.meta.url).pathname;
const RUNS = 20;
const WARMING = 3;
const CLIENTS = 64;

const records = Number(Deno.args[0] ?? 1_000_000);
if (!Number.isSafeInteger(records) || records < 1000) throw new RangeError("expected at least 1000 records");
const kept = Deno.args[1];
const root = kept ?? await Deno.makeTempDir();
const folder = join(root, `archives-${records}`);
const cache = join(root, `cache-${records}`);

async function now(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** Anonymous memory of a process in MB; `undefined` where the system does not tell. */
function memoryOf(pid: number): number | undefined {
  if (Deno.build.os !== "linux") return undefined;
  try {
    return Number(/^RssAnon:\s+(\d+)/m.exec(Deno.readTextFileSync(`/proc/${pid}/status`))?.[1]) / 1024;
  } catch {
    // The process has just ended.
    return undefined;
  }
}

async function makeArchives(): Promise<ScaledArchives> {
  const note = join(folder, "scale.json");
  try {
    const { metadataBytes, sequenceBytes } = JSON.parse(await Deno.readTextFile(note));
    return { metadataBytes: Number(metadataBytes), sequenceBytes: Number(sequenceBytes) };
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  await Deno.mkdir(folder, { recursive: true });
  let made: ScaledArchives | undefined;
  const took = await now(async () => made = await writeScaledArchives(folder, records));
  console.log(`archives of ${records} records were made in ${(took / 1000).toFixed(0)} s`);
  await Deno.writeTextFile(note, JSON.stringify(made));
  return made!;
}

async function sizeOf(path: string): Promise<number> {
  let bytes = 0;
  for await (const entry of Deno.readDir(path)) {
    const child = join(path, entry.name);
    bytes += entry.isDirectory ? await sizeOf(child) : (await Deno.stat(child)).size;
  }
  return bytes;
}

/** Imports once: reading the sequences is one rate, all the rest the other. */
async function measureImport({ metadataBytes, sequenceBytes }: ScaledArchives): Promise<Row[]> {
  if (kept !== undefined && (await Deno.stat(cache).catch(() => undefined)) !== undefined) return [];
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", "--allow-all", IMPORT, folder, cache],
    stdout: "piped",
  }).spawn();
  let most = 0;
  const watch = setInterval(() => most = Math.max(most, memoryOf(child.pid) ?? 0), 100);
  const { success, stdout } = await child.output();
  clearInterval(watch);
  if (!success) throw new Error("the import failed");
  const { totalMs, tasks } = JSON.parse(new TextDecoder().decode(stdout));
  const [first, last] = tasks[`importing ${archiveFiles("full_dataset_sequence").archive}`];
  const rate = (bytes: number, ms: number) => [bytes / 1000 / ms];
  const gigabytes = (await sizeOf(cache)) / 1e9;
  return [
    { work: "import, all indexes included", ours: [totalMs / 1000], unit: "s" },
    {
      work: "  metadata CSV and indexes",
      ours: rate(metadataBytes, totalMs - (last - first)),
      unit: "MB/s",
      goal: { atLeast: 25 },
    },
    { work: "  sequence CSV", ours: rate(sequenceBytes, last - first), unit: "MB/s", goal: { atLeast: 60 } },
    ...most === 0 ? [] : [{ work: "  memory", ours: [most], unit: "MB", goal: { atMost: 1000 } }],
    { work: "  on the disk", ours: [gigabytes], unit: "GB", goal: { atMost: 60 } },
  ];
}

interface Serving extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

async function serve(): Promise<Serving> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", ...CLI_PERMISSIONS, MAIN, "serve", folder, "--quiet"],
    env: { SEQREG_CACHE: cache, SEQREG_NAMING: "", SEQREG_CWD: "" },
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value } = await reader.read();
  if (value === undefined) throw new Error("the registry did not start");
  return {
    url: value.trim(),
    pid: child.pid,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await reader.cancel();
    },
  };
}

async function measureStarts(): Promise<Row> {
  const ours: number[] = [];
  for (let run = -1; run < 5; run++) {
    const begun = performance.now();
    await using _server = await serve();
    if (run >= 0) ours.push(performance.now() - begun);
  }
  return { work: "start of an imported registry", ours, unit: "ms", goal: { atMost: 1000 } };
}

const post = (url: string, body: unknown) =>
  fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

async function search(url: string, body: SearchBody): Promise<number> {
  const response = await post(`${url}/v2/search`, body);
  const { total, results, facets, detail } = await response.json();
  if (!response.ok) throw new Error(`${JSON.stringify(body)}: ${JSON.stringify(detail)}`);
  if (results.length === 0 || Object.keys(facets).length < 8) throw new Error(`no hits: ${JSON.stringify(body)}`);
  return total;
}

async function measureSearches(url: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { work, atMostMs, body } of SCALE_QUERIES) {
    let total = 0;
    for (let run = 1000; run < 1000 + WARMING; run++) total = await search(url, body(run, records));
    const ours: number[] = [];
    for (let run = 0; run < RUNS; run++) ours.push(await now(() => search(url, body(run, records))));
    rows.push({ work: `${work} (${total} hits)`, ours, unit: "ms", goal: { atMost: atMostMs } });
  }
  return rows;
}

async function measureSelection(url: string): Promise<Row> {
  const count = Math.min(10_000, records);
  const step = Math.max(1, Math.floor(records / count));
  const ours: number[] = [];
  for (let run = -WARMING; run < RUNS; run++) {
    const selected_ids = Array.from(
      { length: count },
      (_, at) => formatAccession(1 + (at * step + (run + WARMING)) % records),
    );
    const took = await now(async () => {
      const response = await post(`${url}/v2/download`, {
        search: { query: "" },
        download: { scope: "selection", information: "sequences", fileType: "fasta", selected_ids },
      });
      const text = await response.text();
      if (!response.ok || text.split("\n>").length !== count + 1) {
        throw new Error(`${response.status}: ${text.slice(0, 200)}`);
      }
    });
    if (run >= 0) ours.push(took);
  }
  return { work: `${count} selected ids as FASTA`, ours, unit: "ms", goal: { atMost: 1000 } };
}

/** The same work by one client and by many at once. */
async function measureClients(url: string): Promise<Row[]> {
  const body = (run: number) => ({ query: `registry_accession:${formatAccession(1 + run * 7919 % records)}` });
  let next = 0;
  const client = async (requests: number): Promise<number[]> => {
    const times: number[] = [];
    for (let request = 0; request < requests; request++) times.push(await now(() => search(url, body(next++))));
    return times;
  };
  await client(50);
  const alone: number[] = [];
  const aloneMs = await now(async () => void alone.push(...await client(400)));
  const together: number[] = [];
  const togetherMs = await now(async () => {
    const all = await Promise.all(Array.from({ length: CLIENTS }, () => client(25)));
    together.push(...all.flat());
  });
  const throughput = together.length / togetherMs / (alone.length / aloneMs);
  const p99 = together.sort((a, b) => a - b)[Math.floor(together.length * 0.99)];
  return [
    { work: `${CLIENTS} clients, throughput of one client's`, ours: [throughput], unit: "×", goal: { atLeast: 0.8 } },
    { work: "  p99 in medians of one client", ours: [p99 / median(alone)], unit: "×", goal: { atMost: 100 } },
  ];
}

/** A whole export: first byte, rate, and by how much the server's memory grows. */
async function measureExports({ url, pid }: Serving): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [information, fileType] of [["metadata", "csv"], ["sequences", "fasta"]]) {
    let most = 0;
    let bytes = 0;
    let first = 0;
    const begun = performance.now();
    const response = await post(`${url}/v2/download`, {
      search: { query: "*" },
      download: { scope: "max", information, fileType },
    });
    for await (const chunk of response.body ?? []) {
      if (bytes === 0) first = performance.now() - begun;
      bytes += chunk.length;
      most = Math.max(most, memoryOf(pid) ?? 0);
    }
    const rate = bytes / 1000 / (performance.now() - begun);
    rows.push({ work: `everything as ${fileType.toUpperCase()}`, ours: [rate], unit: "MB/s" });
    rows.push({ work: "  first byte", ours: [first], unit: "ms", goal: { atMost: 300 } });
    if (most > 0) rows.push({ work: "  memory of the server", ours: [most], unit: "MB", goal: { atMost: 300 } });
  }
  return rows;
}

try {
  const archives = await makeArchives();
  const rows = await measureImport(archives);
  rows.push(await measureStarts());
  {
    await using server = await serve();
    rows.push(...await measureExports(server));
  }
  await using server = await serve();
  rows.push(...await measureSearches(server.url), await measureSelection(server.url));
  rows.push(...await measureClients(server.url));
  const title = `the embedded registry at ${records} records, goals of 15,000,000, over a socket`;
  if (!report(title, rows)) Deno.exitCode = 1;
} finally {
  if (kept === undefined) await Deno.remove(root, { recursive: true });
}
