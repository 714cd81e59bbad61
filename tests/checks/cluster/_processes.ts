/**
 * Processes that outlive the command that starts them, and are found again by a variable of their environment.
 *
 * A process id says nothing after a crash, since the system gives it away again; the variable stays with a process, and
 * with every process that it starts, such as the executors of a worker. Needs Linux's `/proc`.
 */

/** Name of the variable; its value is the folder that the cluster runs in. */
const MARK = "SEQREG_CLUSTER";
/** How long processes have to end by themselves. */
const GRACE_MS = 10_000;
const POLL_MS = 50;

/** What to start, and where its output goes. */
export interface Program {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** File that both streams are appended to. */
  readonly log: string;
  /** Folder of the cluster, which the process is found by. */
  readonly folder: string;
}

export interface Started {
  readonly pid: number;
  /** Settles when it has ended. */
  readonly ended: Promise<unknown>;
}

/** Starts a program in a session of its own, so that it outlives this process and its terminal. */
export function startProgram({ command, env, log, folder }: Program): Started {
  const child = new Deno.Command("bash", {
    args: ["-c", 'exec "$@" >>"$0" 2>&1', log, ...command],
    env: { ...env, [MARK]: folder },
    cwd: folder,
    stdin: "null",
    stdout: "null",
    stderr: "null",
    detached: true,
  }).spawn();
  child.unref();
  return { pid: child.pid, ended: child.status };
}

/** Process ids of a cluster, in ascending order. */
export function findProcesses(folder: string): number[] {
  const found: number[] = [];
  for (const { name } of Deno.readDirSync("/proc")) {
    if (/^\d+$/.test(name) && isOf(Number(name), folder)) found.push(Number(name));
  }
  return found.sort((a, b) => a - b);
}

/** Process ids of the executors of a cluster. */
export function findExecutors(folder: string): number[] {
  return findProcesses(folder).filter((pid) => readProc(pid, "cmdline").includes("CoarseGrainedExecutorBackend"));
}

/** Memory of all processes of a cluster in MiB: what each shares with others is divided among them. */
export function memoryOfCluster(folder: string): number {
  return findProcesses(folder).reduce((sum, pid) => sum + (memoryOf(pid) ?? 0), 0);
}

/** Ends all processes of a cluster: asks them first, then does not ask. @throws {Error} If one does not end. */
export async function endProcesses(folder: string): Promise<void> {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    // A stopped process takes no other signal.
    for (const pid of findProcesses(folder)) if (signalProcess(pid, signal)) signalProcess(pid, "SIGCONT");
    const until = performance.now() + GRACE_MS;
    while (findProcesses(folder).length > 0 && performance.now() < until) await sleep(POLL_MS);
  }
  const left = findProcesses(folder);
  if (left.length > 0) throw new Error(`processes ${left.join(", ")} of ${folder} do not end`);
}

/** Ends one process of a cluster at once, and waits until it is gone; one that has its id by now is left alone. */
export async function killProcess(pid: number, folder: string): Promise<void> {
  if (isOf(pid, folder) && signalProcess(pid, "SIGKILL")) await waitForEnd([pid]);
}

/** Waits until processes have ended by themselves. @throws {Error} If one does not. */
export async function waitForEnd(pids: readonly number[]): Promise<void> {
  const until = performance.now() + 2 * GRACE_MS;
  while (pids.some(isAlive)) {
    if (performance.now() > until) throw new Error(`processes ${pids.filter(isAlive).join(", ")} do not end`);
    await sleep(POLL_MS);
  }
}

/** Sends a signal; `false` if the process has ended. */
export function signalProcess(pid: number, signal: Deno.Signal): boolean {
  try {
    Deno.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Whether a process runs; one that has ended and that nobody asked for its exit code does not. */
export function isAlive(pid: number): boolean {
  const status = readProc(pid, "status");
  return status !== "" && !/^State:\s+Z/m.test(status);
}

function isOf(pid: number, folder: string): boolean {
  return isAlive(pid) && readProc(pid, "environ").split("\0").includes(`${MARK}=${folder}`);
}

function memoryOf(pid: number): number | undefined {
  const kibibytes = /^Pss:\s+(\d+)/m.exec(readProc(pid, "smaps_rollup"))?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) / 1024;
}

/** A file of `/proc`; empty where the process has ended or is another user's. */
function readProc(pid: number, name: string): string {
  try {
    return Deno.readTextFileSync(`/proc/${pid}/${name}`);
  } catch {
    return "";
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
