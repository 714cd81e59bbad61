/** Runs one check: its commands, its log, what came of it. */
import { type Check, commandsOf, limitOf } from "./check.ts";
import type { Environment } from "./install.ts";
import { endMarked, runProcess } from "./run_process.ts";

const NOT_RUN = /^not run: .*\(absent: (.+)\)$/gm;
/** The public genomes are not part of the project: a test that needs them may be left out. */
const OPTIONAL = "../shared/real";

export interface Outcome {
  readonly passed: boolean;
  readonly reason?: string;
  readonly seconds: number;
  readonly log: string;
}

export interface RunCheckOptions extends Environment {
  readonly root: string;
  readonly seed: number;
  readonly log: string;
  /** Time after which it is ended, in milliseconds; by default that of the table. */
  readonly limitMs?: number;
  /** How long it may then take to end, in milliseconds. */
  readonly lastWordsMs?: number;
  readonly signal?: AbortSignal;
}

/** Runs a check. Whatever it started has ended when this returns. */
export async function runCheck(check: Check, options: RunCheckOptions): Promise<Outcome> {
  const { root, seed, log, limitMs = limitOf(check), lastWordsMs, signal } = options;
  const begun = performance.now();
  const mark = `${check.name} ${Deno.pid} ${crypto.randomUUID()}`;
  const env = { ...options.envOf(check), ...check.seed && { SEQREG_SEED: String(seed) }, ...check.env };
  const run = (args: readonly string[], limitMs: number, signal?: AbortSignal) =>
    runProcess({ command: [Deno.execPath(), ...args], cwd: root, env, log, mark, limitMs, lastWordsMs, signal });
  await Deno.writeTextFile(log, check.seed ? `SEQREG_SEED=${seed}\n` : "");
  let reason: string | undefined;
  let leftMs = limitMs;
  for (const args of commandsOf(check, seed)) {
    const { code, isLate, usedMs } = await run(args, Math.max(1, leftMs), signal);
    leftMs -= usedMs;
    if (signal?.aborted) reason = "interrupted";
    else if (isLate) reason = `not ended after ${Math.round(limitMs / 1000)} s, counted longer on a busy machine`;
    else if (code !== 0) reason = `exit code ${code} of deno ${args.join(" ")}`;
    if (reason !== undefined) break;
  }
  if (check.after !== undefined) {
    const { code } = await run(check.after, limitMs);
    if (code !== 0) reason ??= `exit code ${code} of deno ${check.after.join(" ")}`;
  }
  await endMarked(mark);
  reason ??= leftOut(await Deno.readTextFile(log));
  const seconds = (performance.now() - begun) / 1000;
  return { passed: reason === undefined, ...reason && { reason }, seconds, log };
}

/** Says which tests were left out because something is absent; with what the table installs none is. */
function leftOut(text: string): string | undefined {
  const absent = [...text.matchAll(NOT_RUN)].flatMap(([, names]) => names.split(", "));
  const names = [...new Set(absent.filter((name) => name !== OPTIONAL))];
  return names.length === 0 ? undefined : `tests were left out, absent: ${names.join(", ")}`;
}
