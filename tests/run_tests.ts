/**
 * Runs `deno test` within a limit: `run_tests.ts SECONDS ARGUMENT…`. When it has not ended by then, Deno prints which
 * tests are still running, and the run has failed.
 */

/** How long Deno may take to print what is running. */
const LAST_WORDS_MS = 10_000;

const [seconds, ...args] = Deno.args;
const limitMs = 1000 * Number(seconds);
if (!(limitMs > 0)) {
  console.error(`expected a limit in seconds and the arguments of deno test, got ${JSON.stringify(seconds)}`);
  Deno.exit(2);
}
const tests = new Deno.Command(Deno.execPath(), { args: ["test", ...args] }).spawn();
// A terminal's Ctrl-C reaches the tests too: their last words are waited for.
Deno.addSignalListener("SIGINT", () => {});
if (Deno.build.os !== "windows") Deno.addSignalListener("SIGTERM", () => end("SIGTERM"));
let isLate = false;
const timers = [setTimeout(() => {
  isLate = true;
  // Deno prints the tests that are still running when it is interrupted. Windows has no such signal.
  end(Deno.build.os === "windows" ? "SIGKILL" : "SIGINT");
  timers.push(setTimeout(() => end("SIGKILL"), LAST_WORDS_MS));
}, limitMs)];
const { code } = await tests.status;
for (const timer of timers) clearTimeout(timer);
if (isLate) console.error(`FAILED: the tests did not end within ${seconds} s; above is what was still running`);
Deno.exit(isLate ? 1 : code);

function end(signal: Deno.Signal): void {
  try {
    tests.kill(signal);
  } catch {
    // They ended before.
  }
}
