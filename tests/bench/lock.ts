/**
 * Recording in a lock: `deno task bench lock [RECORDS]`, compared with the same calls without a lock, in pairs that
 * take turns; and the size of a lock of calls that returned a million records. The registry runs in a process of its
 * own.
 */
import { join } from "node:path";
import { makeSample } from "../../src/embedded/sample/mod.ts";
import { readLock } from "../../src/core/registry/lock/lock_file.ts";
import { Registry } from "../../src/core/registry/mod.ts";
import { report, type Row } from "./_report.ts";

const PAIRS = 7;
const MOST_OF_TIME = 1.03;
const MILLION = 1_000_000;
const MOST_BYTES = 1_000_000;

const records = Number(Deno.args[0] ?? 10_000);
if (!Number.isSafeInteger(records) || records < 1000) throw new RangeError("expected at least 1000 records");

/** What is asked: small answers, a large one of rows, a large one of sequences. */
const WORKS: Readonly<Record<string, (registry: Registry) => Promise<number>>> = {
  "40 searches, 50 records each": async (registry) => {
    let count = 0;
    for (let page = 1; page <= 40; page++) {
      count += (await registry.searchPage("sequence_length:>0", { pageNumber: page })).hits.length;
    }
    return count;
  },
  "metadata of every record": async (registry) =>
    (await registry.metadata({ query: "sequence_length:>0" })).ledger.received,
  "sequences of every record": async (registry) =>
    (await registry.sequences({ query: "sequence_length:>0" })).ledger.received,
};

const root = await Deno.makeTempDir();
const folder = join(root, "archives");
await makeSample(folder, { records, seed: 1 });
const main = new URL("../../src/cli/main.ts", import.meta.url).pathname;
const server = new Deno.Command(Deno.execPath(), {
  args: ["run", "--allow-all", "--no-check", main, "serve", folder],
  env: { SEQREG_CACHE: join(root, "served") },
  stdout: "piped",
}).spawn();
try {
  const url = await firstLine(server.stdout);
  const rows: Row[] = [];
  for (const [work, ask] of Object.entries(WORKS)) rows.push(await compare(url, work, ask));
  rows.push(await measureSize(url));
  if (!report(`recording, ${records} records`, rows)) Deno.exitCode = 1;
} finally {
  server.kill("SIGTERM");
  await server.status;
  await Deno.remove(root, { recursive: true });
}

async function compare(url: string, work: string, ask: (registry: Registry) => Promise<number>): Promise<Row> {
  const ours: number[] = [];
  const figures: number[] = [];
  let equal = true;
  for (let pair = -1; pair < PAIRS; pair++) {
    const lock = join(root, `${crypto.randomUUID()}.lock`);
    const isFirst = pair % 2 === 0;
    const one = await time(url, ask, isFirst ? lock : "");
    const other = await time(url, ask, isFirst ? "" : lock);
    equal &&= one.count === other.count && one.count > 0 && (await readLock(lock))!.size > 0;
    // The first pair compiles.
    if (pair < 0) continue;
    ours.push(isFirst ? one.ms : other.ms);
    figures.push(isFirst ? other.ms : one.ms);
  }
  return { work, unit: "ms", ours, peer: { name: "without a lock", figures }, equal, goal: { atMost: MOST_OF_TIME } };
}

async function time(url: string, ask: (registry: Registry) => Promise<number>, lock: string) {
  const cacheFolder = join(root, crypto.randomUUID());
  const begun = performance.now();
  let count = 0;
  {
    await using registry = await Registry.open(url, { cacheFolder, lock });
    count = await ask(registry);
  }
  return { ms: performance.now() - begun, count };
}

/** Size of a lock of exports that returned a million records, each by a query of its own. */
async function measureSize(url: string): Promise<Row> {
  const lock = join(root, "million.lock");
  let received = 0;
  {
    await using registry = await Registry.open(url, { cacheFolder: join(root, "million"), lock });
    for (let least = 0; received < MILLION; least++) {
      received += (await registry.accessions({ query: `sequence_length:>${least}` })).ledger.received;
    }
  }
  const { size } = await Deno.stat(lock);
  const found = [...(await readLock(lock))!.values()].reduce((sum, { records }) => sum + (records ?? 0), 0);
  return { work: `lock of ${found} records`, unit: "bytes", ours: [size], goal: { atMost: MOST_BYTES } };
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of stream.values({ preventCancel: true })) {
    text += new TextDecoder().decode(chunk);
    if (text.includes("\n")) break;
  }
  return text.split("\n", 1)[0];
}
