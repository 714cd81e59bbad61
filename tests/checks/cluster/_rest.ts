/** What Spark's REST interface reports of its executors. */
import type { Cluster } from "./_cluster.ts";

/** What one executor has done so far. */
export interface ExecutorFigures {
  /** Its number; `driver` is left out. */
  readonly id: string;
  readonly isActive: boolean;
  readonly completedTasks: number;
  readonly failedTasks: number;
  readonly inputBytes: number;
  /** Bytes that other tasks wrote for this one. */
  readonly shuffleReadBytes: number;
  readonly shuffleWriteBytes: number;
}

/** How often a state is asked for while it is waited for. */
const POLL_MS = 50;

/** Executors of the cluster's application, those that were lost too. */
export async function executors(cluster: Pick<Cluster, "ui">): Promise<ExecutorFigures[]> {
  const all = await getJson<Record<string, string & number & boolean>[]>(
    `${await applicationOf(cluster)}/allexecutors`,
  );
  return all.filter(({ id }) => id !== "driver").map((executor) => ({
    id: executor.id,
    isActive: executor.isActive,
    completedTasks: executor.completedTasks,
    failedTasks: executor.failedTasks,
    inputBytes: executor.totalInputBytes,
    shuffleReadBytes: executor.totalShuffleRead,
    shuffleWriteBytes: executor.totalShuffleWrite,
  }));
}

/**
 * Waits until no job runs and no executor has a thread with a task. Its count of active tasks is not asked: it stays
 * above 0 after a result that was too large, and after an executor was lost.
 *
 * @returns Milliseconds that it took; `undefined` if longer than allowed.
 */
export async function waitUntilIdle(cluster: Pick<Cluster, "ui">, timeoutMs: number): Promise<number | undefined> {
  return await waitFor(timeoutMs, async () => {
    const application = await applicationOf(cluster);
    if ((await getJson<unknown[]>(`${application}/jobs?status=running`)).length > 0) return false;
    for (const { id } of (await executors(cluster)).filter(({ isActive }) => isActive)) {
      const threads = await getJson<{ threadName: string }[]>(`${application}/executors/${id}/threads`);
      if (threads.some(({ threadName }) => threadName.includes("task launch worker"))) return false;
    }
    return true;
  });
}

/**
 * Waits until so many executors are there, leaving out earlier ones: Spark may count one that has ended for half a
 * minute.
 *
 * @returns Milliseconds that it took; `undefined` if longer than allowed.
 */
export async function waitForExecutors(
  cluster: Pick<Cluster, "ui">,
  number: number,
  timeoutMs: number,
  earlier: readonly ExecutorFigures[] = [],
): Promise<number | undefined> {
  const left = new Set(earlier.map(({ id }) => id));
  return await waitFor(
    timeoutMs,
    async () => (await executors(cluster)).filter(({ id, isActive }) => isActive && !left.has(id)).length === number,
  );
}

async function waitFor(timeoutMs: number, isReached: () => Promise<boolean>): Promise<number | undefined> {
  const begun = performance.now();
  for (;;) {
    const reached = await isReached();
    const took = performance.now() - begun;
    if (reached) return took;
    if (took > timeoutMs) return undefined;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function applicationOf({ ui }: Pick<Cluster, "ui">): Promise<string> {
  const [{ id }] = await getJson<{ id: string }[]>(`${ui}/api/v1/applications`);
  return `${ui}/api/v1/applications/${id}`;
}

async function getJson<T>(url: string): Promise<T> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return await response.json();
}
