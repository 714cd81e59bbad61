/**
 * The embedded registry with 300 connections (`--readers`) of one address that ask for exports and pages and read
 * almost nothing, then with 1,100 that send a request's body a byte at a time: another address is served as if they
 * were not there, memory stays bounded, and comes back when they leave.
 *
 * `deno run -A tests/checks/service/slow_readers.ts [--seconds N] [--records N] [--readers N]`.
 */
import { request } from "node:http";
import { parseArgs } from "node:util";
import { makeSample } from "../../../src/embedded/sample/mod.ts";
import { crowding } from "../_crowding.ts";
import { serve, type Served } from "./_served.ts";
import { inFolder } from "../../_files.ts";

const READER_BYTES_A_SECOND = 1024;
const OTHER_ADDRESS = "127.0.0.2";
/** Searches of the other address that are under way at once. */
const SEARCHERS = 4;
const LEAST_SERVED = 0.95;
/** Of a machine whose cores have nothing else to do. */
const MOST_P99_MS = 250;
const MOST_MEGABYTES = 450;
const MOST_MEGABYTES_LEFT = 50;
const SETTLING_MS = 30_000;

const SLOW_SENDERS = 1100;

/** What slow readers ask for, in turn. */
const EXPORTS = [["metadata", "csv"], ["metadata", "xml"], ["registry_accessions", "tsv"], ["sequences", "fasta"]];
const ASKED: readonly { readonly path: string; readonly body: string }[] = [
  ...EXPORTS.map(([information, fileType]) => ({
    path: "/v2/download",
    body: JSON.stringify({ search: { query: "*" }, download: { information, fileType, scope: "max" } }),
  })),
  { path: "/v2/search", body: JSON.stringify({ query: "*", pageSize: 10_000 }) },
];

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Holds a connection and opens it again when the registry has closed it. */
async function hold(port: number, signal: AbortSignal, use: (socket: Deno.TcpConn) => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    try {
      using socket = await Deno.connect({ hostname: "127.0.0.1", port });
      await use(socket);
    } catch (error) {
      const isClosed = error instanceof Deno.errors.BrokenPipe || error instanceof Deno.errors.ConnectionReset;
      if (!isClosed) throw error;
    }
    await pause(1000);
  }
}

function headOf(port: number, path: string, length: number): string {
  return `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n` +
    `content-length: ${length}\r\n\r\n`;
}

/** Asks for much, again and again, and reads a little of each answer. */
function readSlowly(port: number, reader: number, signal: AbortSignal): Promise<void> {
  const { path, body } = ASKED[reader % ASKED.length];
  const buffer = new Uint8Array(READER_BYTES_A_SECOND);
  return hold(port, signal, async (socket) => {
    await socket.write(new TextEncoder().encode(headOf(port, path, body.length) + body));
    while (!signal.aborted && await socket.read(buffer) !== null) await pause(1000);
  });
}

/** Sends the body of a request a byte a second. */
function sendSlowly(port: number, signal: AbortSignal): Promise<void> {
  return hold(port, signal, async (socket) => {
    await socket.write(new TextEncoder().encode(headOf(port, "/v2/search", 1000)));
    while (!signal.aborted) {
      await socket.write(new TextEncoder().encode(" "));
      await pause(1000);
    }
  });
}

/** Asks for a short search from the other address; returns the answer's status, or 0 for a connection that broke. */
function searchOnce(port: number): Promise<number> {
  const body = JSON.stringify({ query: "country:Germany", pageSize: 10 });
  const headers = { "content-type": "application/json", "content-length": body.length };
  return new Promise((resolve) => {
    const options = { host: "127.0.0.1", port, path: "/v2/search", method: "POST", localAddress: OTHER_ADDRESS };
    const sent = request({ ...options, headers, agent: false }, (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode ?? 0)).once("error", () => resolve(0));
    });
    sent.once("error", () => resolve(0));
    sent.end(body);
  });
}

/** Searches in turn until the end, and writes down statuses and times. */
async function searchOn(port: number, signal: AbortSignal, asked: { status: number; ms: number }[]): Promise<void> {
  while (!signal.aborted) {
    const begun = performance.now();
    const status = await searchOnce(port);
    asked.push({ status, ms: performance.now() - begun });
    await pause(20);
  }
}

/** Follows the memory of the registry. */
async function watch(served: Served, signal: AbortSignal): Promise<number> {
  let most = 0;
  while (!signal.aborted) {
    most = Math.max(most, served.state()?.megabytes ?? NaN);
    await pause(100);
  }
  return most;
}

/** Has another address search while connections of one are held; returns whether it was served, and the most memory. */
async function besides(
  served: Served,
  { what, seconds, start }: {
    readonly what: string;
    readonly seconds: number;
    readonly start: (signal: AbortSignal) => Promise<void>[];
  },
): Promise<{ readonly isServed: boolean; readonly p99: number; readonly most: number }> {
  const stop = new AbortController();
  const most = watch(served, stop.signal);
  const held = start(stop.signal);
  // The first seconds count as well: this is when all of them come.
  const asked: { status: number; ms: number }[] = [];
  const searchers = Array.from({ length: SEARCHERS }, () => searchOn(served.port, stop.signal, asked));
  await pause(seconds * 1000);
  stop.abort();
  await Promise.all([...searchers, ...held]);
  const answered = asked.filter(({ status }) => status === 200);
  const times = answered.map(({ ms }) => ms).sort((a, b) => a - b);
  const share = answered.length / asked.length;
  const p99 = times[Math.ceil(times.length * 0.99) - 1] ?? Infinity;
  console.log(
    `${what} of one address: ${asked.length} searches of another, ${(share * 100).toFixed(1)} % with 200 ` +
      `(at least ${LEAST_SERVED * 100} %), median ${(times[times.length >> 1] ?? NaN).toFixed(0)} ms, ` +
      `p99 ${p99.toFixed(0)} ms`,
  );
  return { isServed: share >= LEAST_SERVED, p99, most: await most };
}

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "20" },
    records: { type: "string", default: "60000" },
    readers: { type: "string", default: "300" },
  },
});
const [seconds, records] = [Number(values.seconds), Number(values.records)];

await inFolder(async (root) => {
  await makeSample(`${root}/archives`, { records, seed: 1 });
  const served = await serve(`${root}/archives`, `${root}/cache`);
  const { port } = served;
  for (let search = 0; search < 50; search++) await searchOnce(port);
  const before = served.state()?.megabytes;
  if (before === undefined) console.log("not run: memory");
  const readers = await besides(served, {
    what: `${values.readers} slow readers`,
    seconds,
    start: (signal) => Array.from({ length: Number(values.readers) }, (_, reader) => readSlowly(port, reader, signal)),
  });
  const senders = await besides(served, {
    what: `${SLOW_SENDERS} slow senders`,
    seconds: seconds / 2,
    start: (signal) => Array.from({ length: SLOW_SENDERS }, () => sendSlowly(port, signal)),
  });
  const mostMs = MOST_P99_MS * crowding();
  const isQuick = readers.p99 <= mostMs;
  if (!isQuick) console.log(`WRONG: beside slow readers p99 must be at most ${mostMs.toFixed(0)} ms`);
  let good = readers.isServed && isQuick && senders.isServed;
  if (before !== undefined) {
    const peak = Math.max(readers.most, senders.most);
    let after = Infinity;
    for (const begun = performance.now(); performance.now() - begun < SETTLING_MS; await pause(500)) {
      after = served.state()?.megabytes ?? Infinity;
      if (after <= before + MOST_MEGABYTES_LEFT) break;
    }
    console.log(
      `memory ${before.toFixed(0)} MB before, ${peak.toFixed(0)} MB at most (at most ${MOST_MEGABYTES}), ` +
        `${after.toFixed(0)} MB after (at most ${MOST_MEGABYTES_LEFT} more than before)`,
    );
    good &&= peak <= MOST_MEGABYTES && after <= before + MOST_MEGABYTES_LEFT;
  }
  if (!await served.end()) {
    console.log("WRONG: the registry did not end with exit code 0");
    good = false;
  }
  if (!good) Deno.exitCode = 1;
});
