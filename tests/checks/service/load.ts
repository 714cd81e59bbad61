/**
 * The embedded registry under many clients: every answer is held against the archives, some clients leave in the
 * middle, some are hostile, and in the end memory and file descriptors are back.
 *
 * `deno run -A tests/checks/service/load.ts [--requests N] [--minutes N] [--seed N]`; `deno task soak` is the same for
 * 30 minutes. Whichever of requests and minutes is given ends it; 100,000 requests by default.
 */
import { parseArgs } from "node:util";
import { makeSample } from "../../../src/embedded/sample/mod.ts";
import { type Draw, drawFrom } from "../../_randoms.ts";
import { ask, type Asked } from "./_asked.ts";
import { hostileBytes, requestBytes } from "./_hostile.ts";
import { serve, type Served } from "./_served.ts";
import { readTruth, type Truth } from "./_truth.ts";
import { inFolder } from "../../_files.ts";

const CLIENTS = 64;
const RECORDS = 2000;
const CUT_PERCENT = 10;
const HOSTILE_PERCENT = 5;
/**
 * Requests before memory is looked at first: by then code is compiled, caches are filled and the allocator holds its
 * share.
 */
const WARMING = 6000;
const MOST_MEMORY_GROWTH_MB = 50;
const SETTLING_MS = 60_000;

interface Counts {
  right: number;
  refused: number;
  /** Requests that were sent again, since the server had just closed the idle connection. */
  reconnected: number;
  cut: number;
  hostile: number;
  readonly wrong: string[];
}

/** The registry, and the connections to it. */
interface Server {
  readonly port: number;
  readonly client: Deno.HttpClient;
}

/** Asks, and holds the answer against the truth. */
async function askOnce(to: Server, asked: Asked, counts: Counts): Promise<void> {
  const headers = asked.body === undefined ? undefined : { "content-type": "application/json" };
  const send = () =>
    fetch(`http://127.0.0.1:${to.port}${asked.path}`, {
      method: asked.method,
      headers,
      body: asked.body,
      client: to.client,
    });
  const first = await send().catch((error) => {
    if (!isClosedIdle(error)) throw error;
  });
  // 408 comes where a connection was opened and not used for too long: RFC 9110, 15.5.9 has the client ask again.
  const isLost = first === undefined || first.status === 408;
  if (isLost) counts.reconnected++;
  await (isLost ? first?.body?.cancel() : undefined);
  const response = isLost ? await send() : first;
  const text = await response.text();
  if (response.status === 503 && response.headers.has("retry-after")) {
    counts.refused++;
    return;
  }
  const fault = response.status === 200 ? asked.check(text) : `status ${response.status}: ${text.slice(0, 200)}`;
  if (fault === undefined) counts.right++;
  else counts.wrong.push(`${asked.path} ${asked.body?.slice(0, 200) ?? ""}: ${fault}`);
}

async function sendAndLeave(port: number, message: Uint8Array, chunks: number): Promise<void> {
  using socket = await Deno.connect({ hostname: "127.0.0.1", port });
  // The server may have answered and closed before it has read everything.
  try {
    for (let sent = 0; sent < message.length;) sent += await socket.write(message.subarray(sent));
    const buffer = new Uint8Array(1024);
    for (let chunk = 0; chunk < chunks && await socket.read(buffer) !== null; chunk++);
  } catch (error) {
    if (!isClosed(error)) throw error;
  }
}

/**
 * Whether the server closed an idle connection at the moment at which the client took it for its next request: a client
 * that waits for longer than the server keeps connections asks again (RFC 9112, 9.3.1).
 */
function isClosedIdle(error: unknown): boolean {
  return error instanceof TypeError && error.cause instanceof Error &&
    error.cause.message.includes("connection closed before message completed");
}

function isClosed(error: unknown): boolean {
  return error instanceof Deno.errors.BrokenPipe || error instanceof Deno.errors.ConnectionReset;
}

async function step(to: Server, truth: Truth, draw: Draw, counts: Counts): Promise<void> {
  const { port } = to;
  const kind = draw(100);
  if (kind < HOSTILE_PERCENT) {
    counts.hostile++;
    await sendAndLeave(port, hostileBytes(port, draw), 0);
  } else if (kind < HOSTILE_PERCENT + CUT_PERCENT) {
    counts.cut++;
    const { method, path, body } = ask(truth, draw);
    const message = new TextEncoder().encode(requestBytes(port, method, path, body));
    const isCutInRequest = draw(3) === 0;
    await sendAndLeave(
      port,
      isCutInRequest ? message.subarray(0, draw(message.length)) : message,
      isCutInRequest ? 0 : 1,
    );
  } else await askOnce(to, ask(truth, draw), counts);
}

/** Runs clients until so many requests are made, or the time is over; their idle connections are closed in the end. */
async function run(
  port: number,
  truth: Truth,
  { requests, untilMs, seed, counts }: { requests: number; untilMs: number; seed: number; counts: Counts },
): Promise<number> {
  let made = 0;
  using client = Deno.createHttpClient({});
  await Promise.all(Array.from({ length: CLIENTS }, async (_, index) => {
    const draw = drawFrom(seed * CLIENTS + index);
    while (made < requests && performance.now() < untilMs && counts.wrong.length < 20) {
      made++;
      await step({ port, client }, truth, draw, counts);
    }
  }));
  return made;
}

/** Waits until memory and files are back, or the patience ends; reports the last state. */
async function settle(server: Served, before: { megabytes: number; files: number }) {
  for (const begun = performance.now();;) {
    const state = server.state()!;
    const isBack = state.megabytes <= before.megabytes + MOST_MEMORY_GROWTH_MB && state.files <= before.files;
    if (isBack || performance.now() - begun > SETTLING_MS) return { ...state, isBack };
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

const { values } = parseArgs({
  options: { requests: { type: "string" }, minutes: { type: "string" }, seed: { type: "string", default: "1" } },
});
const seed = Number(values.seed);
const minutes = values.minutes === undefined ? Infinity : Number(values.minutes);
const requests = Number(values.requests ?? (minutes === Infinity ? 100_000 : Infinity));
if (![seed, minutes, requests].every((number) => number > 0)) throw new RangeError("expected numbers above 0");

await inFolder(async (root) => {
  await makeSample(`${root}/archives`, { records: RECORDS, seed: 1 });
  const truth = await readTruth(`${root}/archives`);
  const server = await serve(`${root}/archives`, `${root}/cache`);
  const { port } = server;
  const counts: Counts = { right: 0, refused: 0, reconnected: 0, cut: 0, hostile: 0, wrong: [] };
  await run(port, truth, { requests: WARMING, untilMs: Infinity, seed: seed + 1, counts });
  const idle = server.state();
  const before = idle === undefined ? undefined : { megabytes: idle.megabytes, files: 0 };
  if (before !== undefined) {
    // What the warming-up left half open is closed when it has waited for long enough.
    before.files = (await settle(server, { megabytes: Infinity, files: 40 })).files;
  }
  const begun = performance.now();
  const made = await run(port, truth, { requests, untilMs: begun + minutes * 60_000, seed, counts });
  const seconds = (performance.now() - begun) / 1000;
  const { right, refused, reconnected, cut, hostile, wrong } = counts;
  console.log(
    `${made} requests of ${CLIENTS} clients in ${seconds.toFixed(0)} s, seed ${seed}, with those of the warming-up: ` +
      `${right} right, ${refused} refused by the queue, ${cut} cut off, ${hostile} hostile, ${wrong.length} wrong; ` +
      `${reconnected} sent again over a new connection (at most one in a thousand)`,
  );
  for (const fault of wrong) console.log(`WRONG: ${fault}`);
  let good = wrong.length === 0 && right > 0 && reconnected <= right / 1000;
  if (before === undefined) console.log("not run: memory and file descriptors");
  else {
    const after = await settle(server, before);
    console.log(
      `memory ${before.megabytes.toFixed(0)} MB before, ${after.megabytes.toFixed(0)} MB after (at most ` +
        `${MOST_MEMORY_GROWTH_MB} MB more); file descriptors ${before.files} before, ${after.files} after`,
    );
    good &&= after.isBack;
  }
  const ended = await server.end();
  if (!ended) console.log("WRONG: the registry did not end with exit code 0");
  if (!good || !ended) {
    console.log(`again: deno run -A tests/checks/service/load.ts --requests ${made} --seed ${seed}`);
    Deno.exitCode = 1;
  }
});
