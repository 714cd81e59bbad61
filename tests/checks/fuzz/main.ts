/**
 * `deno task fuzz ROOM MINUTES [SEED]`: random inputs of a room against independent readers.
 *
 * Each case has a seed of its own, counted up from SEED (1 by default). A case that fails prints its seed, a smaller
 * input that fails as well, and the command that repeats it: MINUTES 0 runs one case. ROOM `all` runs every room for
 * its share of MINUTES, two at a time. `PYTHON` names the Python of the oracles.
 */
import { memoryOf } from "../../_memory.ts";

const FOLDER = new URL("./", import.meta.url);
/** A case that is silent for so long never ends. */
const MOST_SILENT_MS = 30_000;
/** Anonymous memory that a process may take beyond what it has after its first cases. */
const MOST_MEMORY_MB = 512;
/**
 * After so many cases memory may be that of earlier ones, not yet collected: a new process goes on at the same seed.
 */
const CASES_OF_A_PROCESS = 1000;
const AT_ONCE = 2;

async function roomNames(): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(FOLDER)) {
    if (name.endsWith(".ts") && !name.startsWith("_") && name !== "main.ts") names.push(name.slice(0, -3));
  }
  return names.sort();
}

/** Runs one room, in one process after the other; tells whether no case failed. */
async function fuzz(room: string, minutes: number, firstSeed: number): Promise<boolean> {
  const end = performance.now() + minutes * 60_000;
  for (let seed = firstSeed;;) {
    const left = Math.max(0, end - performance.now()) / 60_000;
    const outcome = await fuzzFrom(room, left, seed);
    if (typeof outcome === "boolean") return outcome;
    console.log(`${room}: a new process goes on at seed ${outcome.seed}`);
    seed = outcome.seed;
  }
}

/** Runs one room in one process; tells whether no case failed, or where another process has to go on. */
async function fuzzFrom(
  room: string,
  minutes: number,
  firstSeed: number,
): Promise<boolean | { readonly seed: number }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--allow-all",
      "--no-check",
      new URL("./_cases.ts", FOLDER).pathname,
      room,
      `${minutes}`,
      `${firstSeed}`,
    ],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let seed = firstSeed;
  let fault: string | undefined;
  let smallest: string | undefined;
  let cases = 0;
  let done = false;
  let heard = performance.now();
  let least: number | undefined;
  let isFull = false;
  const watch = setInterval(() => {
    const memory = memoryOf(child.pid);
    if (memory !== undefined && seed > firstSeed + 20) least = Math.min(least ?? memory, memory);
    const grown = memory === undefined || least === undefined ? 0 : memory - least;
    const isSilent = performance.now() - heard > MOST_SILENT_MS;
    if (!isSilent && grown <= MOST_MEMORY_MB) return;
    isFull = !isSilent && cases > CASES_OF_A_PROCESS;
    if (!isFull) fault ??= isSilent ? `no end within ${MOST_SILENT_MS} ms` : `took ${grown.toFixed(0)} MB of memory`;
    child.kill("SIGKILL");
  }, 200);
  let rest = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    heard = performance.now();
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const [word, more] = [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)];
      if (word === "case") [seed, cases] = [Number(more), cases + 1];
      else if (word === "fault") fault = JSON.parse(more).fault;
      else if (word === "smallest") {
        const found = JSON.parse(more);
        smallest = `${found.bytes} bytes that fail as well: ${found.shown}\n  ${found.fault}`;
      } else if (word === "done") done = true;
    }
  }
  clearInterval(watch);
  const { code } = await child.status;
  if (isFull && fault === undefined && !done) return { seed };
  if (done && fault === undefined && code === 0) {
    console.log(`${room}: ${cases} cases from seed ${firstSeed}, none failed`);
    return true;
  }
  console.log(`${room}: FAILED at seed ${seed}: ${fault ?? `the process ended with exit code ${code}`}`);
  if (smallest !== undefined) console.log(`  ${smallest}`);
  console.log(`  again: deno task fuzz ${room} 0 ${seed}`);
  return false;
}

const [asked, minutesText, seedText = "1"] = Deno.args;
const names = await roomNames();
const [minutes, seed] = [Number(minutesText), Number(seedText)];
const isKnown = asked === "all" || names.includes(asked);
if (!isKnown || minutesText === undefined || !(minutes >= 0) || !Number.isSafeInteger(seed) || seed < 0) {
  console.error(`expected deno task fuzz ROOM MINUTES [SEED], ROOM one of: all, ${names.join(", ")}`);
  Deno.exit(2);
}
const rooms = asked === "all" ? names : [asked];
const share = asked === "all" ? minutes * AT_ONCE / rooms.length : minutes;
const waiting = [...rooms];
let good = true;
await Promise.all(Array.from({ length: AT_ONCE }, async () => {
  for (let room = waiting.shift(); room !== undefined; room = waiting.shift()) {
    good = await fuzz(room, share, seed) && good;
  }
}));
Deno.exit(good ? 0 : 1);
