/** Runs cases of one room in a process of its own, which the supervisor in `main.ts` watches. */
import { drawFrom, type FuzzRoom, type OpenRoom } from "./_room.ts";

/** Milliseconds of computing that an input of 100 kB may take. */
const MOST_MS = 2000;
/** Attempts at making a failing input smaller. */
const MOST_ATTEMPTS = 400;

const [name, minutes, firstSeed] = Deno.args;
const { default: open }: { default: OpenRoom } = await import(`./${name}.ts`);
await using room: FuzzRoom = await open();

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function faultOf(input: Uint8Array<ArrayBuffer>): Promise<string | undefined> {
  const before = cpuMs();
  const result = await room.run(input);
  const took = cpuMs() - before;
  if (took > MOST_MS) return `took ${took.toFixed(0)} ms of computing, at most ${MOST_MS} are right`;
  return await room.judge(input, result);
}

/** Leaves out what is not needed for a fault: halves, quarters, and so on. */
async function minimise(input: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  let smallest = input;
  let attempts = 0;
  for (let size = Math.ceil(input.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < smallest.length && attempts < MOST_ATTEMPTS;) {
      attempts++;
      const without = new Uint8Array(smallest.length - Math.min(size, smallest.length - at));
      without.set(smallest.subarray(0, at));
      without.set(smallest.subarray(at + size), at);
      if (await faultOf(without) !== undefined) smallest = without;
      else at += size;
    }
  }
  return smallest;
}

const end = performance.now() + Number(minutes) * 60_000;
let cases = 0;
for (let seed = Number(firstSeed); cases === 0 || performance.now() < end; seed++) {
  console.log(`case ${seed}`);
  const input = room.make(drawFrom(seed));
  const fault = await faultOf(input);
  cases++;
  if (fault === undefined) continue;
  console.log(`fault ${JSON.stringify({ seed, fault })}`);
  const smallest = await minimise(input);
  const shown = JSON.stringify(new TextDecoder("latin1").decode(smallest.subarray(0, 1000)));
  const last = await faultOf(smallest);
  console.log(`smallest ${JSON.stringify({ bytes: smallest.length, shown, fault: last ?? fault })}`);
  Deno.exit(1);
}
console.log(`done ${cases}`);
