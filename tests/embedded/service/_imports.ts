/** Imports of small archive folders: opened, stopped, and looked at in the cache. */
import { assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { openStore } from "../../../src/embedded/service/registry/open_store.ts";
import type { ProgressEvent } from "../../../src/core/io/tasks/progress.ts";
import type { RegistryStore } from "../../../src/embedded/service/store/store.ts";
import { ARCHIVE_IDS, archiveFiles } from "../../../src/core/contract/datasets.ts";
import type { ArchiveContent, ArchiveWorld } from "./_archives.ts";

export const ROWS: ArchiveContent = {
  columns: ["Country", "Length"],
  rows: [["Kenya", "4"], ["Peru", "8"], ["Kenya", ""]],
};

export const open = ({ folder, cacheFolder }: ArchiveWorld) => openStore(folder, { cacheFolder });

export async function allValues(store: RegistryStore): Promise<string[][]> {
  const values: string[][] = [];
  for await (const batch of store.matching({ query: "", filter: [] })) values.push(...batch.map((r) => [...r.values]));
  return values;
}

/** Names of whole or unfinished imports in a cache, without the locks' own files. */
export async function importsIn(cacheFolder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of Deno.readDir(join(cacheFolder, "service"))) {
      if (!name.endsWith(".lock")) names.push(name);
    }
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
  }
  return names;
}

export async function runProgram(
  code: string,
  through: readonly string[] = [],
): Promise<{ code: number; stdout: string; stderr: string }> {
  const config = new URL("../../../deno.json", import.meta.url).pathname;
  const module = new URL("../../../src/embedded/service/registry/open_store.ts", import.meta.url).href;
  const [command, ...args] = [...through, Deno.execPath()];
  const { code: exit, stdout, stderr } = await new Deno.Command(command, {
    args: [...args, "eval", "--config", config, `import { openStore } from ${JSON.stringify(module)};\n${code}`],
    stdout: "piped",
    stderr: "piped",
  }).output();
  const decoder = new TextDecoder();
  return { code: exit, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Stops an import when the last archive is read; gives the folder that is left. */
export async function stopImport({ folder, cacheFolder }: ArchiveWorld): Promise<string> {
  const last = archiveFiles(ARCHIVE_IDS[7]).archive;
  const stop = new AbortController();
  const onProgress = ({ task }: ProgressEvent) => task.endsWith(last) && stop.abort(new Error("stopped by a test"));
  await assertRejects(
    () => openStore(folder, { cacheFolder, signal: stop.signal, onProgress }),
    Error,
    "stopped by a test",
  );
  const left = await importsIn(cacheFolder);
  assertEquals(left.map((name) => name.endsWith(".part")), [true], "nothing has a final name");
  return join(cacheFolder, "service", left[0]);
}

/** Opens the archives, and gives the names of those that are read for it, with what is in them. */
export async function readAgain({ folder, cacheFolder }: ArchiveWorld) {
  const read = new Set<string>();
  const events: ProgressEvent[] = [];
  const onProgress = (event: ProgressEvent) => {
    events.push(event);
    if (event.task.endsWith(".csv.gz")) read.add(event.task.replace("importing ", ""));
  };
  await using store = await openStore(folder, { cacheFolder, onProgress });
  const sequences: (string | undefined)[] = [];
  for await (const batch of store.matchingSequences({ query: "", filter: [] })) {
    sequences.push(...batch.map(({ sequence }) => sequence));
  }
  const { total } = await store.search({ query: "kenya", filter: [] }, { offset: 0, limit: 9 });
  const { warnings } = store;
  return { read, events, values: await allValues(store), sequences, total, warnings };
}
