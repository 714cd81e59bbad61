import { assertEquals } from "@std/assert";

/** A program that has polars, and what it says. */
async function run(program: string): Promise<unknown> {
  const modules = new URL("../../../../src/", import.meta.url).href;
  const code = `await import("nodejs-polars");
const modules = ${JSON.stringify(modules)};
function work(ms) { for (const end = performance.now() + ms; performance.now() < end;); }
${program}`;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--quiet", "--no-check", code],
    signal: AbortSignal.timeout(30_000),
  }).output();
  assertEquals(new TextDecoder().decode(stderr), "");
  return JSON.parse(new TextDecoder().decode(stdout));
}

Deno.test("a turn lets timers and signals through where polars is loaded, too", async () => {
  const late = await run(`
const { yieldToEventLoop } = await import(modules + "core/io/tasks/yield_to_event_loop.ts");
/** Whether one of so many turns, each after so much work, is enough for something to come. */
async function comes(isHere) {
  for (let turn = 0; turn < 4 && !isHere(); turn++) {
    work(10);
    await yieldToEventLoop();
  }
  return isHere();
}
const late = [];
for (let time = 0; time < 4; time++) {
  const stop = AbortSignal.timeout(5);
  if (!await comes(() => stop.aborted)) late.push("a timer");
}
let signals = 0;
Deno.addSignalListener("SIGINT", () => signals++);
for (let time = 1; time < 5; time++) {
  Deno.kill(Deno.pid, "SIGINT");
  if (!await comes(() => signals === time)) late.push("a signal");
}
console.log(JSON.stringify(late));
Deno.exit();
`);
  assertEquals(late, []);
});

Deno.test("a reading of a large file notices an abort and an interrupt where polars is loaded, too", async () => {
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(path, (">a\n" + "ACGTACGTAC\n".repeat(900)).repeat(1000));
    const ends = await run(`
const { readFasta } = await import(modules + "core/fasta/mod.ts");
const { fastaFrames } = await import(modules + "core/tables/mod.ts");
const path = ${JSON.stringify(path)};
/** How a reading ends whose every item is worked on for a while: a second in all. */
async function endOf(read, ms, signal, options = {}) {
  try {
    for await (const _ of read(path, { signal, ...options })) work(ms);
    return "not aborted";
  } catch (error) {
    return error === signal.reason ? "aborted" : String(error);
  }
}
const ends = [
  await endOf(readFasta, 1, AbortSignal.timeout(5)),
  await endOf(fastaFrames, 10, AbortSignal.timeout(5), { batchBytes: 100_000 }),
];
const stop = new AbortController();
Deno.addSignalListener("SIGINT", () => stop.abort());
let frames = 0;
try {
  for await (const _ of fastaFrames(path, { signal: stop.signal, batchBytes: 10_000 })) {
    if (++frames === 10) Deno.kill(Deno.pid, "SIGINT");
    work(10);
  }
} catch (error) {
  ends.push(error === stop.signal.reason && frames < 18 ? "interrupted" : frames + " frames, " + error);
}
console.log(JSON.stringify(ends));
Deno.exit();
`);
    assertEquals(ends, ["aborted", "aborted", "interrupted"]);
  } finally {
    await Deno.remove(path);
  }
});
