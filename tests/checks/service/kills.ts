/**
 * Kills an import at random moments: `deno run -A tests/checks/service/kills.ts [KILLS] [SEED] [RECORDS]`.
 *
 * The archives have a version that is imported already and a new one whose import is killed. After each kill the old
 * import must open as it is, whatever else has a final name must be whole, and the next process after the last kill
 * must get every record and sequence of the new version. Ends with 1 when one of these does not hold.
 */
import { join } from "node:path";
import { readManifest } from "../../../src/embedded/service/import/import_manifest.ts";
import { openStore } from "../../../src/embedded/service/registry/open_store.ts";
import { randomsOf } from "../../_randoms.ts";
import { writeArchives } from "../../embedded/service/_archives.ts";

const [kills = 40, seed = Date.now() % 1_000_000, records = 30_000] = Deno.args.map(Number);
const CONFIG = new URL("../../../deno.json", import.meta.url).pathname;
const MODULE = new URL("../../../src/embedded/service/registry/open_store.ts", import.meta.url).href;

const random = randomsOf(seed);

const root = await Deno.makeTempDir();
const cacheFolder = join(root, "cache");
let killed = 0;
let resumed = 0;
let faults = 0;
try {
  const old = await writeVersion("old", 100);
  await check(old, 100, false);
  for (let round = 0; killed < kills; round++) {
    const count = records + round;
    const fresh = await writeVersion(`fresh${round}`, count);
    const wholeMs = (300 + random() * 1500) * Math.max(1, records / 30_000);
    // A few kills of one import: what a kill leaves behind is what the next import finds.
    for (let turn = 0; turn < 4 && killed < kills; turn++) {
      if (await importAndKill(fresh, random() * wholeMs)) killed++;
      await check(old, 100, true);
      await checkFinal(`round ${round}, turn ${turn}`);
    }
    await check(fresh, count, false);
    await Deno.remove(fresh, { recursive: true });
    await removeAllBut(1);
  }
} finally {
  await Deno.remove(root, { recursive: true });
}
console.log(`seed ${seed}: ${killed} imports were killed, ${resumed} went on with a part; ${faults} faults`);
if (faults > 0) Deno.exitCode = 1;

async function writeVersion(name: string, count: number): Promise<string> {
  const folder = join(root, name);
  await Deno.mkdir(folder);
  const rows = Array.from({ length: count }, (_, row) => [`isolate ${row}`, String(row % 1000), countryOf(row)]);
  await writeArchives(folder, {
    columns: ["Isolate", "Length", "Country"],
    types: { Length: "integer" },
    rows,
    sequences: rows.map((_, row) => sequenceOf(row)),
  });
  return folder;
}

function countryOf(row: number): string {
  return row % 3 === 0 ? "Kenya" : "Peru";
}

function sequenceOf(row: number): string {
  return "ACGT".repeat(1 + row % 60);
}

/** Starts an import and kills it; gives whether it was not over before. */
async function importAndKill(folder: string, afterMs: number): Promise<boolean> {
  const code = `import { openStore } from ${JSON.stringify(MODULE)};
    console.log("begun");
    await openStore(${JSON.stringify(folder)}, { cacheFolder: ${JSON.stringify(cacheFolder)} });`;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", "--config", CONFIG, code],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  const timer = setTimeout(() => {
    try {
      child.kill("SIGKILL");
    } catch {
      // It ended by itself a moment before.
    }
  }, afterMs);
  const { signal } = await child.status;
  clearTimeout(timer);
  await reader.cancel();
  return signal === "SIGKILL";
}

/** Opens archives and reads all that they hold. */
async function check(folder: string, count: number, imported: boolean): Promise<void> {
  let first: string | undefined;
  const onProgress = ({ task }: { readonly task: string }) => void (first ??= task);
  await using store = await openStore(folder, { cacheFolder, onProgress });
  if (imported && first !== undefined) fault(`${folder} was imported again`);
  if (!imported && first !== undefined && !first.includes("full_dataset_metadata")) resumed++;
  let row = 0;
  for await (const batch of store.matchingSequences({ query: "", filter: [] })) {
    for (const { values, sequence } of batch) {
      const whole = values[1] === `isolate ${row}` && values[3] === countryOf(row) && sequence === sequenceOf(row);
      if (!whole) fault(`${folder}: record ${row} is ${values.join(",")}, ${sequence}`);
      row++;
    }
  }
  const { total } = await store.search({ query: "country:Kenya isolate", filter: [] }, { offset: 0, limit: 1 });
  if (row !== count || total !== Math.ceil(count / 3)) fault(`${folder}: ${row} of ${count} records, ${total} found`);
}

/** What has a final name is whole. */
async function checkFinal(when: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(join(cacheFolder, "service"))) {
    if (!isDirectory || name.startsWith(".")) continue;
    if (await readManifest(join(cacheFolder, "service", name)) === undefined) fault(`${when}: ${name} is not whole`);
  }
}

/** Removes all but the oldest imports, so that the disk is not filled. */
async function removeAllBut(count: number): Promise<void> {
  const folder = join(cacheFolder, "service");
  const imports: { path: string; time: number }[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) imports.push({ path, time: (await Deno.stat(join(path, "import.json"))).mtime?.getTime() ?? 0 });
  }
  imports.sort((a, b) => a.time - b.time);
  for (const { path } of imports.slice(count)) await Deno.remove(path, { recursive: true });
}

function fault(what: string): void {
  faults++;
  console.error(what);
}
