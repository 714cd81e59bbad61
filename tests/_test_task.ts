/** The tests as `deno task test` runs them: its limit of time, permissions and threads. */
import config from "../deno.json" with { type: "json" };
import { ROOT } from "./_files.ts";

/** Words of a task that runs the tests: variables, `deno run`, and what the runner gets before the folder `tests`. */
const TASK = /^DENO_JOBS=(\d+) deno (run .*tests\/run_tests\.ts .+) tests$/;

/** Command line of Deno that runs some tests, and its environment. @throws {Error} If the task is written otherwise. */
export function testCommand(
  ...args: readonly string[]
): { readonly args: string[]; readonly env: { DENO_JOBS: string } } {
  const [, jobs, words] = TASK.exec(config.tasks.test.command) ?? [];
  if (words === undefined) throw new Error(`deno.json: the task test is not of the form ${TASK}`);
  return { args: [...words.split(" "), ...args], env: { DENO_JOBS: jobs } };
}

/** Runs some tests; returns the exit code. */
export async function runTests(...args: readonly string[]): Promise<number> {
  // A terminal's Ctrl-C reaches the tests too: their last words are waited for.
  Deno.addSignalListener("SIGINT", () => {});
  return (await new Deno.Command(Deno.execPath(), { ...testCommand(...args), cwd: ROOT }).spawn().status).code;
}
