/** Runs the chosen checks: light ones beside each other, heavy ones alone, and what failed once more. */
import { join } from "node:path";
import { type Check, repeatCommand } from "./check.ts";
import type { Installation } from "./install.ts";
import { type Outcome, runCheck } from "./run_check.ts";

/** Lines of a log that are shown of a check that failed. */
const LAST_LINES = 40;
const SEEDS = 2 ** 31;

export type Verdict = "passed" | "failed" | "unsteady";

export interface CheckResult {
  readonly check: Check;
  readonly verdict: Verdict;
  readonly seconds: number;
  readonly seed: number;
  /** Logs, that of the first run first. */
  readonly logs: readonly string[];
  readonly reason?: string;
}

export interface RunChecksOptions extends Installation {
  readonly root: string;
  readonly out: string;
  readonly say: (line: string) => void;
  /** Seed of every check that draws one; by default each has its own. */
  readonly seed?: number;
  /** Light checks that run at a time. */
  readonly cores?: number;
  readonly limitMs?: number;
  readonly lastWordsMs?: number;
  readonly signal?: AbortSignal;
}

/** Runs checks; prints a line as each ends, and what is needed to find out why one failed. */
export async function runChecks(checks: readonly Check[], options: RunChecksOptions): Promise<CheckResult[]> {
  const { out, say, signal, cores = navigator.hardwareConcurrency } = options;
  const results = new Map<Check, CheckResult>();
  const again: CheckResult[] = [];

  const run = async (check: Check): Promise<void> => {
    if (signal?.aborted) return;
    const seed = options.seed ?? Math.floor(Math.random() * SEEDS) + 1;
    const lack = options.lackOf(check);
    if (lack !== undefined) {
      results.set(check, { check, verdict: "failed", seconds: 0, seed, logs: [], reason: lack });
      say(`failed ${check.name}: ${lack}`);
      return;
    }
    const outcome = await runCheck(check, { ...options, seed, log: join(out, `${check.name}.log`) });
    const result: CheckResult = { check, verdict: "failed", seed, logs: [outcome.log], ...outcome };
    if (outcome.passed) say(`passed ${check.name} ${seconds(outcome)}`);
    else {
      await report(result, options);
      again.push(result);
    }
    results.set(check, outcome.passed ? { ...result, verdict: "passed" } : result);
  };

  const runAgain = async (first: CheckResult): Promise<void> => {
    if (signal?.aborted) return;
    const { check, seed } = first;
    const [firstLog, log] = [join(out, `${check.name}.first.log`), join(out, `${check.name}.log`)];
    await Deno.rename(first.logs[0], firstLog);
    say(`once more, alone: ${check.name}`);
    const outcome = await runCheck(check, { ...options, seed, log });
    const verdict = outcome.passed ? "unsteady" : "failed";
    results.set(check, { ...first, verdict, seconds: outcome.seconds, logs: [firstLog, log] });
    say(`${verdict} ${check.name} ${seconds(outcome)}: ${outcome.passed ? "it passed now" : outcome.reason}`);
  };

  for (const check of checks.filter(({ alone }) => alone)) await run(check);
  const light = checks.filter(({ alone }) => !alone).sort((a, b) => b.minutes - a.minutes);
  const shared = new Set<string | undefined>();
  /** The longest whose turn it is; what is left then waits for one that runs elsewhere. */
  const next = () => {
    const index = light.findIndex(({ inTurn }) => inTurn === undefined || !shared.has(inTurn));
    return index === -1 ? undefined : light.splice(index, 1)[0];
  };
  await Promise.all(Array.from({ length: cores }, async () => {
    for (let check = next(); check !== undefined; check = next()) {
      shared.add(check.inTurn);
      await run(check);
      shared.delete(check.inTurn);
    }
  }));
  for (const result of again) await runAgain(result);
  return checks.flatMap((check) => results.get(check) ?? []);
}

async function report(result: CheckResult, { root, say }: RunChecksOptions): Promise<void> {
  const { check, seed, reason, logs: [log] } = result;
  const lines = (await Deno.readTextFile(log)).trimEnd().split("\n").slice(-LAST_LINES);
  say(`failed ${check.name} ${seconds(result)}: ${reason}`);
  for (const line of lines) say(`  | ${line}`);
  if (check.seed) say(`  seed: ${seed}`);
  say(`  again: ${repeatCommand(check, seed)}`);
  say(`  log: ${log.replace(root, "")}`);
}

function seconds({ seconds }: Pick<Outcome, "seconds">): string {
  return `${seconds.toFixed(0)} s`;
}
