/** Runs a program in a process group of its own, which ends with it, or when its time is over. */

import { crowding } from "../_crowding.ts";

/** Variable by which processes are found that left the group, such as the kernels of a JupyterLab. */
const MARK = "SEQREG_CHECK";
/** How long a program may take to print what it was doing, and to end what it started. */
const LAST_WORDS_MS = 5_000;
/** How often time is counted. */
const TICK_MS = 100;

export interface RunOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** File that both streams are appended to. */
  readonly log: string;
  /** Time after which it is ended, in milliseconds of a machine whose cores have nothing else to do. */
  readonly limitMs: number;
  /** How long it may take to end once it is interrupted, in milliseconds; 5,000 by default. */
  readonly lastWordsMs?: number;
  /** Value that its processes, and those that they start, are marked with. */
  readonly mark: string;
  /** Ends it as the limit does. */
  readonly signal?: AbortSignal;
}

export interface RunResult {
  readonly code: number;
  readonly isLate: boolean;
  /** What it took of the limit, in milliseconds. */
  readonly usedMs: number;
}

/** Runs a program. What it started and did not end stays: {@linkcode endMarked} ends it. */
export async function runProcess(
  { command, cwd, env, log, limitMs, lastWordsMs = LAST_WORDS_MS, mark, signal }: RunOptions,
): Promise<RunResult> {
  const child = new Deno.Command("sh", {
    args: ["-c", 'exec "$@" >>"$0" 2>&1', log, ...command],
    cwd,
    env: { ...env, [MARK]: mark },
    stdin: "null",
    detached: true,
  }).spawn();
  let isLate = false;
  const timers: ReturnType<typeof setTimeout>[] = [];
  const end = () => {
    // Deno prints the tests that are still running when it is interrupted.
    signalProcess(child.pid, "SIGINT");
    timers.push(setTimeout(() => signalProcess(-child.pid, "SIGKILL"), lastWordsMs));
  };
  let usedMs = 0;
  let before = performance.now();
  const clock = setInterval(() => {
    const now = performance.now();
    usedMs += (now - before) / crowding();
    before = now;
    if (usedMs < limitMs || isLate) return;
    isLate = true;
    end();
  }, TICK_MS);
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted) end();
  const { code } = await child.status;
  clearInterval(clock);
  for (const timer of timers) clearTimeout(timer);
  signal?.removeEventListener("abort", end);
  if (isLate || signal?.aborted) signalProcess(-child.pid, "SIGKILL");
  return { code, isLate, usedMs };
}

/** Ends all processes with a mark, wherever their group and session are. Needs Linux's `/proc`. */
export async function endMarked(mark: string): Promise<void> {
  // One that starts another one meanwhile is found in the next round.
  for (let pids = await findMarked(mark); pids.length > 0; pids = await findMarked(mark)) {
    for (const pid of pids) signalProcess(pid, "SIGKILL");
  }
}

/** Process ids with a mark; `grep` reads what Deno lets only processes with all permissions read. */
async function findMarked(mark: string): Promise<number[]> {
  const args = ["-c", 'exec grep -lsF -- "$0" /proc/[0-9]*/environ', `${MARK}=${mark}`];
  const { stdout } = await new Deno.Command("sh", { args, stderr: "null" }).output();
  return [...new TextDecoder().decode(stdout).matchAll(/^\/proc\/(\d+)/gm)].map(([, pid]) => Number(pid));
}

/** Sends a signal to a process, or to a group by its negative number, unless it has ended. */
function signalProcess(pid: number, signal: Deno.Signal): void {
  try {
    Deno.kill(pid, signal);
  } catch {
    // It has ended.
  }
}
