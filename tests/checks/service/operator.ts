/**
 * An operator's day: the archives of a registry are exchanged, mirrored, overwritten, cut off and taken away while
 * hundreds of connections ask, each answer held by `_operator_checker.py` against the archives as that program reads
 * them; and once more what is done in place, to a registry with copies.
 *
 * `deno run -A tests/checks/service/operator.ts [--seconds N] [--connections N] [--flood N] [--records N] [--seed N]`;
 * ten minutes with a thousand connections are `--seconds 600 --connections 1000 --flood 256 --records 100000`.
 */
import { request } from "node:http";
import { parseArgs } from "node:util";
import { makeSample } from "../../../src/embedded/sample/mod.ts";
import { RELEASE_HEADER } from "../../../src/core/contract/answers/release_mark.ts";
import { runCli } from "../../_cli.ts";
import { PYTHON } from "../../_python.ts";
import { crowding } from "../_crowding.ts";
import { serve, type Served } from "./_served.ts";
import { copyFolder } from "../../_files.ts";

const CHECKER = new URL("_operator_checker.py", import.meta.url).pathname;
/** What the registry is for: a machine with little memory. */
const HEAP_MB = 512;
const MOST_MB = 700;
/** Of a machine whose cores have nothing else to do. */
const OTHERS_MOST_MS = 1000;
/** Time in which a release must have taken over, of a machine whose cores have nothing else to do. */
const TAKE_OVER_MS = 120_000;

interface Event {
  /** Seconds since 1970, begin and end. */
  readonly at: number;
  readonly until: number;
  readonly what: string;
}

/** What the independent checker found. */
interface Found {
  readonly answers: Readonly<Record<string, number>>;
  readonly wrong: readonly string[];
  readonly wrongs: number;
  readonly refused: readonly Event[];
  readonly broken: readonly Event[];
  readonly longest: Readonly<Record<string, number>>;
}

const faults: string[] = [];
const expect = (isRight: boolean, fault: string) => void (isRight || faults.push(fault));

/** Mark of the release that answers. */
async function markOf(port: number): Promise<string> {
  const address = `http://127.0.0.1:${port}/v2/datasets_download?filename=reftax1_to_reftax2_map.sha256`;
  const response = await fetch(address, { method: "HEAD" });
  return response.headers.get(RELEASE_HEADER) ?? "";
}

/** Waits until something holds. */
async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  for (let [usedMs, before] = [0, performance.now()]; !await holds();) {
    if (usedMs > TAKE_OVER_MS) throw new Error(`${what} took longer than ${TAKE_OVER_MS / 1000} s`);
    await pause(200);
    const now = performance.now();
    usedMs += (now - before) / crowding();
    before = now;
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Folders of two releases, the link that is served, and who serves the other release. */
interface World {
  /** Folder with the link, `served`. */
  readonly root: string;
  readonly port: number;
  readonly releases: readonly [string, string];
  /** Ports of servers of each release, to mirror from. */
  readonly sources: readonly [number, number];
}

/** What an operator does, and what it does to downloads of the files. */
interface Change {
  readonly name: string;
  /** Whether bytes are overwritten that a download may be of: those may be refused or break. */
  readonly inPlace: boolean;
  /** Brings the other release, or the same one again if `stays`. */
  readonly stays?: boolean;
  make(world: World, next: number, current: string): Promise<void>;
}

let made = 0;
const CHANGES: readonly Change[] = [
  {
    name: "a link is switched",
    inPlace: false,
    async make({ root, releases }, next) {
      const folder = `${root}/release${made++}`;
      await copyFolder(releases[next], folder);
      await Deno.symlink(folder, `${root}/next`);
      await Deno.rename(`${root}/next`, `${root}/served`);
    },
  },
  {
    name: "the folder is exchanged",
    inPlace: false,
    async make({ root, releases }, next, current) {
      const folder = `${root}/release${made++}`;
      await copyFolder(releases[next], folder);
      await Deno.rename(current, `${root}/old${made}`);
      await Deno.rename(folder, current);
    },
  },
  {
    name: "seqreg mirror -o",
    inPlace: false,
    async make({ sources }, next, current) {
      const { code, stderr } = await runCli(
        ["mirror", "-o", current, "--registry", `http://127.0.0.1:${sources[next]}`, "--quiet"],
        { limitMs: 10 * TAKE_OVER_MS },
      );
      expect(code === 0, `mirror: ${stderr}`);
    },
  },
  {
    name: "files are overwritten in place",
    inPlace: true,
    make: ({ releases }, next, current) => copyFolder(releases[next], current),
  },
  {
    name: "an archive is cut off, and restored",
    inPlace: true,
    stays: true,
    async make(_world, _next, current) {
      const path = `${current}/registryv1_full_dataset_metadata.csv.gz`;
      const whole = await Deno.readFile(path);
      await Deno.truncate(path, 1000);
      await pause(7000);
      await Deno.writeFile(path, whole);
    },
  },
  {
    name: "the folder is taken away, and comes back",
    inPlace: false,
    stays: true,
    async make(_world, _next, current) {
      await Deno.rename(current, `${current}.away`);
      await pause(7000);
      await Deno.rename(`${current}.away`, current);
    },
  },
];

/**
 * Makes one change after the other, each at least once, until the time is over. Returns the times in which files were
 * overwritten.
 */
async function operate(world: World, changes: readonly Change[], seconds: number): Promise<Event[]> {
  const windows: Event[] = [];
  const { port, root } = world;
  const end = performance.now() + 1000 * seconds;
  let release = 0;
  for (let index = 0; performance.now() < end || index < changes.length; index++) {
    const change = changes[index % changes.length];
    const at = Date.now() / 1000;
    const before = await markOf(port);
    const next = change.stays ? release : 1 - release;
    await change.make(world, next, await Deno.realPath(`${root}/served`));
    if (!change.stays) await until(async () => await markOf(port) !== before, change.name);
    release = next;
    await until(() => allThere(port), `${change.name}: all files`);
    const until_ = Date.now() / 1000;
    if (change.inPlace) windows.push({ at, until: until_, what: change.name });
    console.log(`  ${change.name}: ${(until_ - at).toFixed(1)} s`);
    await pause(1000);
  }
  return windows;
}

/** Whether the archives can be had, which were overwritten before. */
async function allThere(port: number): Promise<boolean> {
  for (const stem of ["registryv1_full_dataset_metadata", "registryv1_unique_seqs_sequence"]) {
    const address = `http://127.0.0.1:${port}/v2/datasets_download?filename=${stem}.csv.gz`;
    if ((await fetch(address, { method: "HEAD" })).status !== 200) return false;
  }
  return true;
}

/** What a registry is served with, and what happens to it. */
interface Day {
  readonly root: string;
  readonly releases: World["releases"];
  readonly sources: World["sources"];
  readonly changes: readonly Change[];
  readonly seconds: number;
  /** Whether the registry has copies: files that are overwritten are no excuse then. */
  readonly copies: boolean;
}

/** Lets the independent checker ask a registry while changes are made, and holds what it found. */
async function underLoad({ root, releases, sources, changes, seconds, copies }: Day): Promise<void> {
  await copyFolder(releases[0], `${root}/first`);
  await Deno.symlink(`${root}/first`, `${root}/served`);
  const more = ["--watch", "1", ...copies ? ["--copies"] : []];
  const served = await serve(`${root}/served`, `${root}/cache`, more, HEAP_MB);
  const stop = `${root}/stop`;
  const checker = new Deno.Command(PYTHON, {
    args: [CHECKER, String(served.port), ...releases, values.connections, stop, values.seed],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const output = new Response(checker.stdout).text();
  const peakOf = watchMemory(served);
  let windows: Event[] = [];
  let [peak, isEnded] = [0, false];
  try {
    const ended = checker.status.then(() => {
      throw new Error("the checker ended before the day did; its words are above");
    });
    windows = await Promise.race([operate({ root, port: served.port, releases, sources }, changes, seconds), ended]);
  } finally {
    await Deno.writeTextFile(stop, "");
    await checker.status;
    peak = peakOf();
    isEnded = await served.end();
  }
  const { answers, wrong, wrongs, refused, broken, longest } = JSON.parse(await output) as Found;
  const isExplained = ({ at, until, what }: Event) =>
    !copies && what.startsWith("dataset") && windows.some((window) => until >= window.at && at <= window.until);
  const unexplained = [...refused, ...broken].filter((event) => !isExplained(event));
  const excuse = copies ? "" : `, ${unexplained.length} of them not while files were overwritten`;
  console.log(
    `  ${Object.values(answers).reduce((sum, count) => sum + count, 0)} right answers ${JSON.stringify(answers)}, ` +
      `${wrongs} wrong, ${refused.length} refused and ${broken.length} broken${excuse}; longest, in seconds: ` +
      `${JSON.stringify(longest)}; peak ${peak.toFixed(0)} MB`,
  );
  for (const fault of wrong) faults.push(fault);
  for (const { what } of unexplained.slice(0, 10)) faults.push(`refused or broken: ${what}`);
  expect(peak <= MOST_MB, `memory of ${peak.toFixed(0)} MB`);
  expect(isEnded, "the registry's exit code was not 0");
}

/** Watches the memory of a server; ends with its peak. */
function watchMemory(served: Served): () => number {
  let peak = 0;
  const timer = setInterval(() => peak = Math.max(peak, served.state()?.megabytes ?? 0), 200);
  return () => {
    clearInterval(timer);
    return peak;
  };
}

/** Asks for the largest page on many connections at once, and for a small one from another address meanwhile. */
async function flood(port: number, connections: number): Promise<void> {
  const ask = (pageSize: number, localAddress: string) =>
    new Promise<number>((resolve) => {
      const body = JSON.stringify({ query: "*", pageSize });
      const sent = request({
        host: "127.0.0.1",
        port,
        localAddress,
        agent: false,
        method: "POST",
        path: "/v2/search",
        headers: { "content-type": "application/json", "content-length": body.length },
      }, (answer) => {
        answer.resume().once("close", () => resolve(answer.complete ? answer.statusCode ?? 0 : 0));
      });
      sent.once("error", () => resolve(0));
      sent.end(body);
    });
  const begun = performance.now();
  let isOver = false;
  const waits: number[] = [];
  const other = (async () => {
    while (!isOver) {
      const asked = performance.now();
      expect(await ask(10, "127.0.0.2") === 200, "another address got no answer");
      waits.push(performance.now() - asked);
      await pause(100);
    }
  })();
  const statuses = await Promise.all(Array.from({ length: connections }, () => ask(10_000, "127.0.0.1")));
  isOver = true;
  await other;
  const right = statuses.filter((status) => status === 200).length;
  waits.sort((a, b) => a - b);
  const slow = waits[Math.floor(waits.length * 0.99)];
  const seconds = (performance.now() - begun) / 1000;
  console.log(
    `  ${right} of ${connections} pages of 10,000 in ${seconds.toFixed(0)} s; another address: p99 ${
      slow.toFixed(0)
    } ms`,
  );
  expect(right === connections, `${connections - right} pages of 10,000 were not answered`);
  expect(slow <= OTHERS_MOST_MS * crowding(), `another address waited ${slow.toFixed(0)} ms (p99)`);
}

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "90" },
    connections: { type: "string", default: "200" },
    flood: { type: "string", default: "64" },
    records: { type: "string", default: "12000" },
    seed: { type: "string", default: "1" },
  },
});
const root = await Deno.makeTempDir();
const servers: Served[] = [];
try {
  const releases = [`${root}/a`, `${root}/b`] as const;
  for (const [index, folder] of releases.entries()) await makeSample(folder, { records: 2000, seed: index + 1 });
  const sources = [await serve(releases[0], `${root}/cacheA`), await serve(releases[1], `${root}/cacheB`)];
  servers.push(...sources);
  const ports = [sources[0].port, sources[1].port] as const;
  const seconds = Number(values.seconds);
  for (const copies of [false, true]) {
    const world = `${root}/${copies ? "copies" : "archives"}`;
    await Deno.mkdir(world);
    console.log(copies ? "  with --copies:" : "  without --copies:");
    // A third of the changes is made in place.
    const day = copies
      ? { changes: CHANGES.filter(({ inPlace }) => inPlace), seconds: seconds / 3 }
      : { changes: CHANGES, seconds };
    await underLoad({ root: world, releases, sources: ports, copies, ...day });
  }

  const large = `${root}/large`;
  await makeSample(large, { records: Number(values.records), seed: 3 });
  const flooded = await serve(large, `${root}/cacheL`, [], HEAP_MB);
  servers.push(flooded);
  const floodPeakOf = watchMemory(flooded);
  await flood(flooded.port, Number(values.flood));
  console.log(`  peak ${floodPeakOf().toFixed(0)} MB`);
  expect(floodPeakOf() <= MOST_MB, `memory of ${floodPeakOf().toFixed(0)} MB in the flood`);
} finally {
  for (const server of servers) await server.end();
  await Deno.remove(root, { recursive: true });
}
for (const fault of faults) console.error(`FAILED: ${fault}`);
Deno.exit(faults.length === 0 ? 0 : 1);
