/**
 * Runs `deno test` within a limit: `run_tests.ts SECONDS OPTION… PATH…`. When it has not ended by then, Deno prints
 * which tests are still running, and the run has failed.
 */
import { writeGroups } from "./_test_groups.ts";

/** How long Deno may take to print what is running. */
const LAST_WORDS_MS = 10_000;

const [seconds, ...args] = Deno.args;
const limitMs = 1000 * Number(seconds);
if (!(limitMs > 0)) {
  console.error(`expected a limit in seconds and the arguments of deno test, got ${JSON.stringify(seconds)}`);
  Deno.exit(2);
}
const jobs = Number(Deno.env.get("DENO_JOBS")) || navigator.hardwareConcurrency;
const folder = await Deno.makeTempDir();
const isPath = (arg: string) => !arg.startsWith("-");
// Examples of the documentation are no modules.
const paths = args.includes("--doc") ? args.filter(isPath) : await writeGroups(args.filter(isPath), folder, jobs);
const options = args.filter((arg) => !isPath(arg));
const tests = new Deno.Command(Deno.execPath(), { args: ["test", ...options, ...paths] }).spawn();
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
await Deno.remove(folder, { recursive: true });
if (isLate) console.error(`FAILED: the tests did not end within ${seconds} s; above is what was still running`);
Deno.exit(isLate ? 1 : code);

function end(signal: Deno.Signal): void {
  try {
    tests.kill(signal);
  } catch {
    // They ended before.
  }
}
