/**
 * How fast the embedded registry is ready, answers a search and exports, from outside its process, over a socket.
 *
 * Cold is `sample --records 12000` and then `serve` up to its first line; warm is `serve` alone, of archives that were
 * imported before. The data are the synthetic sample. `deno task bench service 15000000 [FOLDER]` measures at that
 * scale instead: see `_service_scale.ts`.
 */
import { CLI_PERMISSIONS } from "../_cli.ts";
import { memoryOf } from "../_memory.ts";
import { report, type Row } from "./_report.ts";
import { measureUnderLoad } from "./_service_load.ts";

if (Deno.args.length > 0) {
  await import("./_service_scale.ts");
  Deno.exit();
}

const MAIN = new URL("../../src/cli/main.ts", import.meta.url).pathname;
const SEARCHES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "everything": { query: "" },
  "one country": { query: "country:Kenya" },
  "three clauses, sorted": {
    query: "country:Kenya sequence_length:>1000 genome_completeness:complete",
    sortColumn: "sequence_length",
    sortOrder: "desc",
  },
  "everything, sorted, page 199": { query: "", sortColumn: "Collection Date", pageNumber: 199 },
  "a free word": { query: "virus" },
};
const EXPORTS = {
  "metadata as CSV": { information: "metadata", fileType: "csv" },
  "metadata as XML": { information: "metadata", fileType: "xml" },
  "sequences as FASTA": { information: "sequences", fileType: "fasta" },
} as const;

const scratch = await Deno.makeTempDir();

function start(args: readonly string[], cache: string): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", ...CLI_PERMISSIONS, MAIN, ...args],
    env: { SEQREG_CACHE: cache, SEQREG_NAMING: "", SEQREG_CWD: "" },
    stdout: "piped",
    stderr: "null",
  }).spawn();
}

async function makeSample(folder: string, records: number): Promise<void> {
  const child = start(["sample", "-o", folder, "--records", String(records)], scratch);
  await child.stdout.cancel();
  if (!(await child.status).success) throw new Error(`the sample of ${records} records was not made`);
}

interface Serving extends AsyncDisposable {
  readonly url: string;
  /** Anonymous memory of the server now, in MB; `undefined` where the system does not tell. */
  memory(): number | undefined;
}

async function serve(folder: string, cache: string): Promise<Serving> {
  const child = start(["serve", folder], cache);
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const { value } = await reader.read();
  if (value === undefined) throw new Error("the server did not start");
  return {
    url: value.trim(),
    memory: () => memoryOf(child.pid),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await reader.cancel();
    },
  };
}

const post = (url: string, body: unknown) =>
  fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function measureReadiness(): Promise<Row[]> {
  const cold: number[] = [];
  const warm: number[] = [];
  for (let run = 0; run < 3; run++) {
    const [folder, cache] = [`${scratch}/cold${run}`, `${scratch}/cache${run}`];
    cold.push(
      await timed(async () => {
        await makeSample(folder, 12_000);
        await (await serve(folder, cache))[Symbol.asyncDispose]();
      }),
    );
    let ready = 0;
    await using server = await (async () => {
      const started = performance.now();
      const server = await serve(folder, cache);
      ready = performance.now() - started;
      return server;
    })();
    await (await fetch(server.url)).body?.cancel();
    warm.push(ready);
  }
  return [
    { work: "sample of 12,000 and serve, cold", ours: cold, unit: "ms", goal: { atMost: 10_000 } },
    { work: "serve the same again", ours: warm, unit: "ms", goal: { atMost: 1000 } },
  ];
}

async function measureSearches({ url }: Serving): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, body] of Object.entries(SEARCHES)) {
    const ours: number[] = [];
    for (let run = -5; run < 40; run++) {
      const took = await timed(async () => {
        const response = await post(`${url}/v2/search`, body);
        const { results, facets } = await response.json();
        if (!response.ok || !Array.isArray(results) || Object.keys(facets).length === 0) throw new Error(name);
      });
      if (run >= 0) ours.push(took);
    }
    rows.push({ work: `search: ${name}`, ours, unit: "ms", goal: { atMost: 15 } });
  }
  return rows;
}

/** Throughput, first byte, and by how much the server's memory grows meanwhile. */
async function measureExports(server: Serving, records: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, what] of Object.entries(EXPORTS)) {
    const rates: number[] = [];
    const firsts: number[] = [];
    const growths: number[] = [];
    for (let run = -1; run < 5; run++) {
      const before = server.memory();
      let most = before ?? 0;
      let bytes = 0;
      let first = 0;
      const started = performance.now();
      const response = await post(`${server.url}/v2/download`, {
        search: { query: "*" },
        download: { scope: "max", ...what },
      });
      if (!response.ok || response.body === null) throw new Error(`${name}: ${response.status}`);
      for await (const chunk of response.body) {
        if (bytes === 0) first = performance.now() - started;
        bytes += chunk.length;
        most = Math.max(most, server.memory() ?? 0);
      }
      const seconds = (performance.now() - started) / 1000;
      if (run < 0) continue;
      rates.push(bytes / 1e6 / seconds);
      firsts.push(first);
      if (before !== undefined) growths.push(most - before);
    }
    const goal = what.fileType === "csv" ? { goal: { atLeast: 20 } } : {};
    rows.push({ work: `${name}, ${records} records`, ours: rates, unit: "MB/s", ...goal });
    rows.push({ work: "  first byte", ours: firsts, unit: "ms", goal: { atMost: 300 } });
    if (growths.length === 0) console.log("not run: growth of memory");
    else rows.push({ work: "  growth of memory", ours: growths, unit: "MB", goal: { atMost: 32 } });
  }
  return rows;
}

try {
  const rows = await measureReadiness();
  {
    await using server = await serve(`${scratch}/cold0`, `${scratch}/cache0`);
    rows.push(...await measureSearches(server), ...await measureExports(server, 12_000));
  }
  await makeSample(`${scratch}/large`, 60_000);
  {
    await using server = await serve(`${scratch}/large`, scratch);
    rows.push(...await measureExports(server, 60_000), ...await measureUnderLoad(server.url));
  }
  if (!report("the embedded registry over a socket", rows)) Deno.exitCode = 1;
} finally {
  await Deno.remove(scratch, { recursive: true });
}
