/** A Spark cluster on loopback: one master, two workers with an executor each, and the Connect server. */
import { join } from "node:path";
import { freePorts } from "../../_free_ports.ts";
import { isGateway, startGateway } from "./_gateway.ts";
import { findJava } from "./_java.ts";
import { install } from "./_install.ts";
import { waitForLine } from "./_log.ts";
import {
  endProcesses,
  findExecutors,
  findProcesses,
  isAlive,
  killProcess,
  signalProcess,
  startProgram,
  waitForEnd,
} from "./_processes.ts";
import {
  type ClusterOptions,
  daemonEnvironmentOf,
  environmentOf,
  MASTER_ARGS,
  settingsOf,
  workerArgs,
  WORKERS,
} from "./_settings.ts";

/** How long each process has until it says that it is ready: machines of two cores are slow when they are busy. */
const READY_MS = 180_000;
const STATE = "cluster.json";

/** A running cluster, as its state file has it. */
export interface Cluster {
  /** Folder of everything that the cluster writes. */
  readonly folder: string;
  /** Address for clients: `sc://127.0.0.1:…`. */
  readonly url: string;
  /** Address of Spark's own pages and of its REST interface. */
  readonly ui: string;
  /** Address of the master for workers: `spark://127.0.0.1:…`. */
  readonly master: string;
  /** Process of the Connect server. */
  readonly connect: number;
  readonly workers: readonly number[];
  readonly options: ClusterOptions;
  /** Variables of an object store that was started with it. */
  readonly s3Env?: Readonly<Record<string, string>>;
}

/** The folder of this checkout's cluster, unless `SEQREG_CLUSTER_FOLDER` names another. */
export function clusterFolder(): string {
  return Deno.env.get("SEQREG_CLUSTER_FOLDER") ??
    new URL("../../../.ci/out/cluster", import.meta.url).pathname;
}

/**
 * Installs what is absent and starts a cluster.
 *
 * @throws {Error} If one already runs in the folder, or something does not start; nothing is left of it then.
 */
export async function startCluster(
  folder: string,
  options: ClusterOptions,
  say: (line: string) => void,
): Promise<Cluster> {
  const running = await readCluster(folder);
  if (running !== undefined && isAlive(running.connect)) {
    throw new Error(`a cluster runs at ${running.url}; end it by deno task cluster down`);
  }
  await stopCluster(folder);
  const java = await findJava();
  const programs = { java, ...await install(say) };
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of ["conf", "local", "tmp"]) await Deno.mkdir(join(folder, name));
  try {
    const isOwn = options.s3 !== undefined && isGateway(options.s3);
    const gateway = isOwn ? await startGateway(options.s3, folder, say) : undefined;
    const env = { ...environmentOf(folder, programs), ...gateway?.env };
    await Deno.writeTextFile(join(folder, "environment.json"), JSON.stringify(env), { mode: 0o600 });
    const master = await startMaster(folder);
    const workers: number[] = [];
    for (let index = 0; index < WORKERS; index++) workers.push(startWorker({ folder, master }, { index }));
    const s3 = gateway?.endpoint ?? options.s3;
    return await startConnect({
      ...{ folder, master, workers },
      options: { ...options, ...s3 !== undefined && { s3 } },
      ...gateway && { s3Env: gateway.env },
    });
  } catch (error) {
    await stopCluster(folder);
    throw error;
  }
}

/** Ends every process of a cluster, also of one whose start was killed, and removes its folder. */
export async function stopCluster(folder: string): Promise<void> {
  await endProcesses(folder);
  await Deno.remove(folder, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
}

/** The cluster of a folder; `undefined` if none was started there, or it has not come to be ready. */
export async function readCluster(folder: string): Promise<Cluster | undefined> {
  const text = await Deno.readTextFile(join(folder, STATE)).catch(() => undefined);
  return text === undefined || findProcesses(folder).length === 0 ? undefined : JSON.parse(text);
}

async function startMaster(folder: string): Promise<string> {
  const env = { ...readEnvironment(folder), ...daemonEnvironmentOf(folder) };
  const command = [join(env.SPARK_HOME, "bin/spark-class"), ...MASTER_ARGS];
  const log = join(folder, "master.log");
  const { ended } = startProgram({ command, env, log, folder });
  const [, master] = await waitForLine(log, /Starting Spark master at (spark:\/\/\S+)/, { timeoutMs: READY_MS, ended });
  return master;
}

/** Starts a worker; what its executors write goes to `localFolder`. */
export function startWorker(
  { folder, master }: Pick<Cluster, "folder" | "master">,
  { index, localFolder }: { readonly index: number; readonly localFolder?: string },
): number {
  const env: Record<string, string> = {
    ...readEnvironment(folder),
    ...daemonEnvironmentOf(folder),
    SPARK_LOCAL_DIRS: localFolder ?? join(folder, "local", `worker${index}`),
  };
  return startProgram({
    command: [join(env.SPARK_HOME, "bin/spark-class"), ...workerArgs(master, join(folder, `worker${index}`))],
    env,
    log: join(folder, `worker${index}.log`),
    folder,
  }).pid;
}

/**
 * Starts the Connect server and waits until it serves and both executors have come to it.
 *
 * @param at The ports of a server that was before; ports that the system chooses without.
 */
export async function startConnect(
  parts: Pick<Cluster, "folder" | "master" | "workers" | "options" | "s3Env">,
  at: { readonly port: number; readonly ui: number } = chooseAddresses(),
): Promise<Cluster> {
  const { folder, master, options } = parts;
  const env = readEnvironment(folder);
  const log = join(folder, "connect.log");
  // The log of the server before it must not be taken for its own.
  await Deno.rename(log, `${log}.before`).catch(() => {});
  const settings = settingsOf(folder, { master, ...at, options });
  const file = join(folder, "connect.conf");
  await Deno.writeTextFile(file, Object.entries(settings).map(([name, value]) => `${name} ${value}\n`).join(""));
  const { pid, ended } = startProgram({
    command: [
      join(env.SPARK_HOME, "bin/spark-submit"),
      ...["--properties-file", file, "--class", "org.apache.spark.sql.connect.service.SparkConnectServer"],
      "spark-internal",
    ],
    env,
    log,
    folder,
  });
  const wait = (pattern: RegExp, lines = 1) => waitForLine(log, pattern, { timeoutMs: READY_MS, ended, lines });
  const [, ui] = await wait(/Successfully started service 'SparkUI' on port (\d+)/);
  const [, port] = await wait(/Spark Connect server started at: \S*?:(\d+)/);
  await wait(/Registered executor .* with ID \d+/, options.executors ?? WORKERS);
  const cluster = { ...parts, url: `sc://127.0.0.1:${port}`, ui: `http://127.0.0.1:${ui}`, connect: pid };
  await writeState(cluster);
  return cluster;
}

async function writeState(cluster: Cluster): Promise<void> {
  const path = join(cluster.folder, STATE);
  await Deno.writeTextFile(`${path}.part`, JSON.stringify(cluster, null, 1) + "\n", { mode: 0o600 });
  await Deno.rename(`${path}.part`, path);
}

/** The cluster as its state file has it: what a caller holds may be older, and name a process that was replaced. */
async function currentOf(cluster: Cluster): Promise<Cluster> {
  return await readCluster(cluster.folder) ?? cluster;
}

/** Ends the Connect server as a crash would, and starts another at the same address. */
export async function restartConnect(cluster: Cluster, options: ClusterOptions = cluster.options): Promise<Cluster> {
  const current = await currentOf(cluster);
  await killProcess(current.connect, current.folder);
  return await startConnect({ ...current, options }, { port: portOf(cluster.url), ui: portOf(cluster.ui) });
}

/** Ends the workers with their executors, and starts others; the Connect server gets executors from them. */
export async function restartWorkers(
  cluster: Cluster,
  { localFolder }: { readonly localFolder?: string } = {},
): Promise<Cluster> {
  const current = await currentOf(cluster);
  const { folder, workers: before } = current;
  const ending = findProcesses(folder).filter((pid) => before.includes(pid));
  for (const pid of ending) signalProcess(pid, "SIGTERM");
  const all = [...ending, ...findExecutors(folder)];
  // An executor whose disk is full may not end by itself.
  await waitForEnd(all).catch(async () => {
    for (const pid of all) signalProcess(pid, "SIGKILL");
    await waitForEnd(all);
  });
  // A worker may start executors while it ends, and they outlive it.
  for (let late = findExecutors(folder); late.length > 0; late = findExecutors(folder)) {
    for (const pid of late) signalProcess(pid, "SIGKILL");
    await waitForEnd(late);
  }
  const workers = before.map((_, index) => startWorker(current, { index, localFolder }));
  const restarted = { ...current, workers };
  await writeState(restarted);
  return restarted;
}

/**
 * Where the Connect server and its pages stand: ports that the system gives to no outgoing connection, which would take
 * that of a server that is about to be started again.
 */
function chooseAddresses(): { readonly port: number; readonly ui: number } {
  const [port, ui] = freePorts(2);
  return { port, ui };
}

function portOf(url: string): number {
  return Number(/:(\d+)$/.exec(url)?.[1]);
}

function readEnvironment(folder: string): Record<string, string> {
  return JSON.parse(Deno.readTextFileSync(join(folder, "environment.json")));
}
