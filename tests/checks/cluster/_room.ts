/** What the checks of a cluster share: the running cluster, how much is asked of it, how long things take. */
import { type Cluster, clusterFolder, readCluster } from "./_cluster.ts";

/** Whether the long form is asked for: more of everything, by hand. */
export const IS_LONG = Deno.env.get("SEQREG_CLUSTER_LONG") === "1";

/** The running cluster. @throws {Error} If none runs. */
export async function runningCluster(): Promise<Cluster> {
  const cluster = await readCluster(clusterFolder());
  if (cluster === undefined) throw new Error("no cluster runs; start one by deno task cluster up");
  return cluster;
}

/** A time in words. */
export function inSeconds(seconds: number): string {
  return `${seconds.toFixed(1)} s`;
}

/** The machine's load, which every time in a report is measured under. */
export function load(): string {
  return `load ${Deno.loadavg()[0].toFixed(1)}`;
}

/** Fails the long form where a time goal is missed. The short form prints times alone: its machine is shared. */
export function assertInTime(isInTime: boolean, what: string): void {
  if (isInTime) return;
  if (IS_LONG) throw new Error(`a time goal is missed: ${what}`);
  console.log(`not within the goal that the long form holds it to: ${what}`);
}
