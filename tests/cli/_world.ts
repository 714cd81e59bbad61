/** What the commands that ask a registry are tested with: a folder, its cache, and the program. */
import { type ProgramRun, runInProcess } from "../_program.ts";
import type { TestFolder } from "../core/registry/_archives.ts";

/** Runs the program on a registry. */
export type Run = (args: readonly string[], stdin?: string) => Promise<ProgramRun>;

/** Runs the program in this process on a folder of archives or an address, with the folder's cache. */
export function runnerOf({ cacheFolder }: TestFolder, target: string, env: Record<string, string> = {}): Run {
  return (args, stdin) =>
    runInProcess([...args, "--registry", target], {
      env: { SEQREG_CACHE: cacheFolder, ...env },
      ...stdin !== undefined && { stdin },
    });
}

/** Rows of a wrong command line: what is typed, and what the message must say. */
export type Wrong = Readonly<Record<string, readonly [args: readonly string[], says: string]>>;

/** Checks that each line is wrong usage: exit code 2, nothing on standard output, one clear line. */
export async function refuseAll(t: Deno.TestContext, wrong: Wrong): Promise<void> {
  const cases = Object.entries(wrong);
  // A registry that nobody can reach: usage is judged before any request.
  const results = await Promise.all(
    cases.map(([, [args]]) => runInProcess([...args, "--registry", "http://127.0.0.1:1"])),
  );
  for (const [index, [name, [, says]]] of cases.entries()) {
    await t.step(name, () => {
      const { code, stdout, stderr } = results[index];
      if (code !== 2 || stdout !== "" || !stderr.includes(says) || stderr.trim().split("\n").length !== 1) {
        throw new Error(`expected exit code 2 and ${JSON.stringify(says)}, got ${code}: ${stderr}${stdout}`);
      }
    });
  }
}
