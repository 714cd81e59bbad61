/** `deno task cluster COMMAND`: a real Spark cluster on this machine, reachable on loopback alone, and its checks. */
import { clusterFolder, readCluster, startCluster, stopCluster } from "./_cluster.ts";
import { cacheFolder, install } from "./_install.ts";
import { memoryOfCluster } from "./_processes.ts";

const USAGE = `deno task cluster COMMAND
  install             downloads Spark and the jars of s3a into the cache, and checks them
  up [--token TOKEN] [--s3 moto|versitygw|URL]
                      installs what is absent, starts master, two workers and Connect, prints sc://…;
                      --s3: with an object store at this address, moto_server of the path, or a
                      gateway that go builds
  status              prints the address of the running cluster and its memory
  test [long]         SQL of docs/engines.md, and every analysis here and on the cluster: 20,000 rows; long: 1,000,000;
                      with a store also a lake in it
  generated [long]    queries over 200 generated frames of hostile values here and on the cluster; long: 1,000
  faults [long]       kills, stops, damages, fills and overloads what is part of a query; long: more of each
  down                ends all of it and removes what it wrote, also after a kill
Java 17 or later is needed. The cache is ${cacheFolder()} (SEQREG_CLUSTER_CACHE).`;

/** Checks of the faults, in the order in which they run. */
const FAULTS = ["faults_data", "faults_client", "faults_spill", "faults_processes"];
/** Memory in MiB that all processes of the cluster may take together. */
const MOST_MEMORY = 4096;
const WATCH_MS = 1000;
/** Warnings of a log that are shown after a failure. */
const MOST_WARNINGS = 15;

const folder = clusterFolder();
const say = (line: string) => console.error(line);

/** Options that stand behind a command: `--name value`. */
function readOptions(args: readonly string[], names: readonly string[]): Partial<Record<string, string>> {
  const options: Partial<Record<string, string>> = {};
  for (let at = 0; at < args.length; at += 2) {
    const name = args[at].replace(/^--/, "");
    if (!names.includes(name) || args[at + 1] === undefined) throw new TypeError(`${args[at]}: see\n${USAGE}`);
    options[name] = args[at + 1];
  }
  return options;
}

async function up(args: readonly string[]): Promise<void> {
  const { token, s3 } = readOptions(args, ["token", "s3"]);
  const begun = performance.now();
  const { url, ui, s3Env } = await startCluster(folder, { ...token && { token }, ...s3 && { s3 } }, say);
  if (s3Env !== undefined) {
    const file = `${folder}/s3.env`;
    const lines = Object.entries(s3Env).map(([name, value]) => `export ${name}=${value}\n`);
    await Deno.writeTextFile(file, lines.join(""), { mode: 0o600 });
    say(`object store at ${s3Env.AWS_ENDPOINT_URL}; its keys: source ${file}`);
  }
  say(`ready in ${seconds(begun)} s with ${memory()}; pages: ${ui}`);
  console.log(url);
}

async function status(): Promise<void> {
  const cluster = await readCluster(folder);
  if (cluster === undefined) throw new Error("no cluster runs; start one by deno task cluster up");
  say(`pages: ${cluster.ui}; ${memory()}`);
  console.log(cluster.url);
}

/** Runs files of tests against the running cluster, and watches its memory meanwhile. */
async function runTests(files: readonly string[], [form]: readonly string[]): Promise<void> {
  if (form !== undefined && form !== "long") throw new TypeError(`${form}: see\n${USAGE}`);
  if (await readCluster(folder) === undefined) throw new Error("no cluster runs; start one by deno task cluster up");
  let most = 0;
  const watch = setInterval(() => most = Math.max(most, memoryOfCluster(folder)), WATCH_MS);
  const paths = files.map((file) => new URL(`./${file}.ts`, import.meta.url).pathname);
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "--allow-all", "--no-check", ...paths],
    env: { SEQREG_CLUSTER_LONG: form === "long" ? "1" : "" },
  }).spawn().status;
  clearInterval(watch);
  say(`most memory of the cluster: ${most.toFixed(0)} MB, ${MOST_MEMORY} MB allowed`);
  if (success && most <= MOST_MEMORY) return;
  for (const log of ["master.log", "connect.log"]) await sayFaults(`${folder}/${log}`);
  Deno.exit(1);
}

/** Says the last warnings of a log, which goes with the cluster. */
async function sayFaults(log: string): Promise<void> {
  const lines = (await Deno.readTextFile(log)).split("\n").filter((line) => / (?:WARN|ERROR|FATAL) /.test(line));
  say([`the last of ${lines.length} warnings in ${log}:`, ...lines.slice(-MOST_WARNINGS)].join("\n"));
}

async function down(): Promise<void> {
  const begun = performance.now();
  await stopCluster(folder);
  say(`ended in ${seconds(begun)} s; nothing is left in ${folder}`);
}

function memory(): string {
  return `${memoryOfCluster(folder).toFixed(0)} MB of memory`;
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}

const [command, ...args] = Deno.args;
const commands: Readonly<Record<string, () => Promise<unknown>>> = {
  install: () => install(say),
  up: () => up(args),
  status,
  test: () => runTests(["engines_page", "recipes", "objects"], args),
  generated: () => runTests(["generated"], args),
  faults: () => runTests(FAULTS, args),
  down,
};
if (command === undefined || !(command in commands)) {
  console.error(USAGE);
  Deno.exit(2);
}
try {
  await commands[command]();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  Deno.exit(1);
}
// Processes that were started outlive this one.
Deno.exit(0);
