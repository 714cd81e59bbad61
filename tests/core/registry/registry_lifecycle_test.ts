/** A registry that is offline, closed, damaged or stopped. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { RegistryError } from "../../../src/core/errors.ts";
import { type Records, Registry } from "../../../src/core/registry/mod.ts";
import { sampleFolder } from "./_archives.ts";

Deno.test("Registry offline asks nothing of a live registry, and still serves folders", async () => {
  await using folder = await sampleFolder(20);
  const { cacheFolder } = folder;
  let requests = 0;
  await using live = await Registry.open("https://registry.test", {
    fetch: () => Promise.reject(new Error(`request ${++requests}`)),
    offline: true,
    cacheFolder,
  });
  const dataset = "full_dataset_metadata";
  for (
    const run of [
      () => live.search("x"),
      () => live.dataset(dataset),
      () => live.dataset(dataset, { mode: undefined }),
    ]
  ) {
    assertEquals((await assertRejects(run, RegistryError)).code, "offline");
  }
  assertEquals(requests, 0);
  await using embedded = await Registry.open(folder.folder, { offline: true, cacheFolder });
  assertEquals((await embedded.search("")).total, 20);
});

Deno.test("Registry that is closed reports it, and can be closed twice", async () => {
  await using folder = await sampleFolder(20);
  const registry = await Registry.open(folder.folder, { cacheFolder: folder.cacheFolder });
  await registry.close();
  await registry.close();
  await assertRejects(() => registry.search(""), RegistryError, "it was closed");
});

Deno.test("Registry that is closed while it answers reports that, not damage", async () => {
  await using folder = await sampleFolder(20);
  for (let turns = 0; turns < 200; turns += 10) {
    const registry = await Registry.open(folder.folder, { cacheFolder: folder.cacheFolder });
    const asked = Promise.allSettled([registry.metadata({ query: "*" }), registry.search(""), registry.definitions()]);
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    await registry.close();
    for (const answer of await asked) {
      if (answer.status === "rejected") assertStringIncludes(String(answer.reason), "it was closed; open it again");
    }
  }
});

Deno.test("Registry that answers in this process lets timers and signals through between its answers", async () => {
  await using folder = await sampleFolder(20);
  await using registry = await Registry.open(folder.folder, { cacheFolder: folder.cacheFolder });
  const signal = AbortSignal.timeout(50);
  let searches = 0;
  const searchOn = async () => {
    for (; searches < 20_000; searches++) await registry.search("", { pageSize: 1, signal });
  };
  assertEquals((await assertRejects(searchOn, DOMException)).name, "TimeoutError");
  assertEquals(searches < 20_000, true);
});

async function damageImports(cacheFolder: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(join(cacheFolder, "service"))) {
    if (!isDirectory) continue;
    const path = join(cacheFolder, "service", name, "records.rows");
    const { size } = await Deno.stat(path);
    using file = await Deno.open(path, { write: true });
    await file.write(new Uint8Array(size).fill(0xff));
  }
}

Deno.test("Registry that is embedded makes a damaged import again, and reports it", async () => {
  await using folder = await sampleFolder(300);
  const { cacheFolder } = folder;
  const warnings: string[] = [];
  const onWarning = (warning: string) => void warnings.push(warning);
  await using registry = await Registry.open(folder.folder, { cacheFolder, onWarning });
  await damageImports(cacheFolder);

  assertEquals((await registry.metadata({ query: "*" })).rows.length, 300);
  assertEquals([warnings.length, warnings[0].includes("records.rows is not as it was written")], [1, true]);
});

Deno.test("Registry that is embedded tells the cause of its own faults, at once", async () => {
  await using folder = await sampleFolder(300);
  const { cacheFolder } = folder;
  await using registry = await Registry.open(folder.folder, { cacheFolder, onWarning: () => {} });
  await damageImports(cacheFolder);
  const archive = join(folder.folder, "registryv1_full_dataset_metadata.csv.gz");
  await Deno.truncate(archive, 100);
  for (const run of [() => registry.metadata({ query: "*" }), () => registry.sequences({ ids: ["vj000000000001"] })]) {
    await assertRejects(run, RegistryError, "registryv1_full_dataset_metadata.csv.gz: its SHA-256 is");
  }
});

Deno.test("Registry ends its work with the signal's reason", async () => {
  await using folder = await sampleFolder(20);
  await using registry = await Registry.open(folder.folder, { cacheFolder: folder.cacheFolder });
  const signal = AbortSignal.abort(new DOMException("enough", "AbortError"));
  const { cacheFolder } = folder;
  for (
    const run of [
      () => registry.search("", { signal }),
      () => registry.searchAll("*", { signal }).result(),
      () => registry.metadata({ query: "*" }, { signal }),
      () => registry.sequences({ query: "*" }, { signal }),
      () => registry.accessions({ query: "*" }, { signal }),
      () => registry.definitions(["Country"], { signal }),
      () => registry.dataset("full_dataset_metadata", { signal }),
      () => Registry.open(folder.folder, { signal, cacheFolder }),
    ]
  ) await assertRejects(run, DOMException, "enough");
});

Deno.test("Registry takes what is undefined in the records asked for as absent", async () => {
  await using folder = await sampleFolder(20);
  await using registry = await Registry.open(folder.folder, { cacheFolder: folder.cacheFolder });
  const ask = async (ids?: readonly string[], query?: string) => {
    const records: unknown = { ids, query, filter: undefined };
    return (await registry.accessions(records as Records)).accessions.length;
  };
  assertEquals([await ask(["vj000000000001"]), await ask(undefined, "*")], [1, 20]);
});
