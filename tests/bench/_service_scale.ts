/**
 * The embedded registry at scale, over the socket: `deno task bench service RECORDS [FOLDER]`.
 *
 * The goals are those set for fifteen million records. FOLDER keeps the archives and their import for another run;
 * without it everything is made in a temporary folder and removed.
 */
import { join } from "node:path";
import { archiveFiles, type ArchiveId } from "../../src/core/contract/datasets.ts";
import { formatAccession } from "../../src/core/contract/accession.ts";
import { CLI_PERMISSIONS } from "../_cli.ts";
import { memoryOf } from "../_memory.ts";
import { median, report, type Row } from "./_report.ts";
import { measureUnderLoad } from "./_service_load.ts";
import { type ScaledArchives, writeScaledArchives } from "./_scale_archives.ts";
import { SCALE_QUERIES, type SearchBody } from "./_scale_queries.ts";

const MAIN = new URL("../../src/cli/main.ts", import.meta.url).pathname;
const IMPORT = new URL("./_scale_import.ts", import.meta.url).pathname;
const RUNS = 20;
const WARMING = 3;
const CLIENTS = 64;
const CLIENT_RUNS = 7;

const records = Number(Deno.args[0]);
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

interface ImportFigures {
  /** Until the registry was open. */
  readonly totalMs: number;
  /** Until the metadata were kept and every index was built. */
  readonly metadataMs: number;
  /** From the first to the last byte of the sequences, and until they were lasting. */
  readonly sequenceMs: number;
  /** Most anonymous memory; 0 where the system does not tell. */
  readonly megabytes: number;
  readonly gigabytesOnDisk: number;
}

/** Imports in a process of its own; a whole import of before is used as it is, with the figures of then. */
async function importOnce(): Promise<{ readonly figures: ImportFigures; readonly before: boolean }> {
  const note = join(cache, "figures.json");
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
  if (Object.keys(tasks).length === 0) return { figures: JSON.parse(await Deno.readTextFile(note)), before: true };
  const importing = (id: ArchiveId): [first: number, last: number] => {
    const times = tasks[`importing ${archiveFiles(id).archive}`];
    if (times === undefined) {
      throw new Error(`a part of the import is of before, so that it has no figures: remove ${cache}`);
    }
    return times;
  };
  importing("full_dataset_metadata");
  const [sequencesBegun] = importing("full_dataset_sequence");
  // The next archive is begun when the sequences are lasting.
  const [sequencesEnded] = importing("reftax1_to_reftax2_map");
  const [, metadataMs] = tasks["indexing the records"];
  const figures = {
    totalMs,
    metadataMs,
    sequenceMs: sequencesEnded - sequencesBegun,
    megabytes: most,
    gigabytesOnDisk: (await sizeOf(cache)) / 1e9,
  };
  await Deno.writeTextFile(note, JSON.stringify(figures));
  return { figures, before: false };
}

/** Sequences are read while the index is built: each rate is of its own time, though they share the machine. */
async function measureImport({ metadataBytes, sequenceBytes }: ScaledArchives): Promise<Row[]> {
  const { figures, before } = await importOnce();
  const { totalMs, metadataMs, sequenceMs, megabytes, gigabytesOnDisk } = figures;
  const rate = (bytes: number, ms: number) => [bytes / 1000 / ms];
  const when = before ? ", measured when it was made" : "";
  return [
    { work: `import, all indexes included${when}`, ours: [totalMs / 1000], unit: "s" },
    {
      work: "  metadata CSV and indexes",
      ours: rate(metadataBytes, metadataMs),
      unit: "MB/s",
      goal: { atLeast: 25 },
    },
    { work: "  sequence CSV", ours: rate(sequenceBytes, sequenceMs), unit: "MB/s", goal: { atLeast: 60 } },
    ...megabytes === 0 ? [] : [{ work: "  memory", ours: [megabytes], unit: "MB", goal: { atMost: 1000 } }],
    { work: "  on the disk", ours: [gigabytesOnDisk], unit: "GB", goal: { atMost: 60 } },
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
      const found = text.split("\n>").slice(1).map((record) => record.split("|", 1)[0].split("\n", 1)[0]);
      if (!response.ok || found.length !== count || found.some((accession, at) => accession !== selected_ids[at])) {
        throw new Error(`${response.status}: ${text.slice(0, 200)}`);
      }
    });
    if (run >= 0) ours.push(took);
  }
  return { work: `${count} selected ids as FASTA`, ours, unit: "ms", goal: { atMost: 1000 } };
}

/** The same work by one client and by many at once; each must get the record that it asked for. */
async function measureClients(url: string): Promise<Row[]> {
  const find = async (run: number): Promise<void> => {
    const accession = formatAccession(1 + run * 7919 % records);
    const response = await post(`${url}/v2/search`, { query: `registry_accession:${accession}` });
    const { total, results } = await response.json();
    if (total !== 1 || results[0].source["Registry Accession"] !== accession) throw new Error(`not ${accession}`);
  };
  let next = 0;
  const client = async (requests: number): Promise<number[]> => {
    const times: number[] = [];
    for (let request = 0; request < requests; request++) times.push(await now(() => find(next++)));
    return times;
  };
  await client(50);
  const throughputs: number[] = [];
  const tails: number[] = [];
  for (let run = 0; run < CLIENT_RUNS; run++) {
    const alone: number[] = [];
    const aloneMs = await now(async () => void alone.push(...await client(400)));
    const together: number[] = [];
    const togetherMs = await now(async () => {
      const all = await Promise.all(Array.from({ length: CLIENTS }, () => client(25)));
      together.push(...all.flat());
    });
    throughputs.push(together.length / togetherMs / (alone.length / aloneMs));
    tails.push(together.sort((a, b) => a - b)[Math.floor(together.length * 0.99)] / median(alone));
  }
  return [
    { work: `${CLIENTS} clients, throughput of one client's`, ours: throughputs, unit: "×", goal: { atLeast: 0.8 } },
    { work: "  p99 in medians of one client", ours: tails, unit: "×", goal: { atMost: 100 } },
  ];
}

/** A whole export: every record is there; first byte, rate, and the server's memory. */
async function measureExports({ url, pid }: Serving): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [information, fileType] of [["metadata", "csv"], ["sequences", "fasta"]]) {
    let most = 0;
    let bytes = 0;
    let first = 0;
    let found = 0;
    const sign = fileType === "csv" ? 10 : 62;
    const begun = performance.now();
    const response = await post(`${url}/v2/download`, {
      search: { query: "*" },
      download: { scope: "max", information, fileType },
    });
    for await (const chunk of response.body ?? []) {
      if (bytes === 0) first = performance.now() - begun;
      bytes += chunk.length;
      most = Math.max(most, memoryOf(pid) ?? 0);
      for (let at = chunk.indexOf(sign); at !== -1; at = chunk.indexOf(sign, at + 1)) found++;
    }
    const rate = bytes / 1000 / (performance.now() - begun);
    const expected = fileType === "csv" ? records + 1 : records;
    if (found !== expected) throw new Error(`${fileType}: ${found} lines or records, expected ${expected}`);
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
  rows.push(...await measureClients(server.url), ...await measureUnderLoad(server.url));
  const title = `the embedded registry at ${records} records, goals of 15,000,000, over a socket`;
  if (!report(title, rows)) Deno.exitCode = 1;
} finally {
  if (kept === undefined) await Deno.remove(root, { recursive: true });
}
