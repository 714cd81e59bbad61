import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { RegistryError } from "../../../../src/core/errors.ts";
import { openRegistry, type RenewableRegistry } from "../../../../src/embedded/service/registry/open_registry.ts";
import { serveRegistry } from "../../../../src/embedded/service/registry/server.ts";
import { archiveFiles, MIRROR_LOCK_FILE } from "../../../../src/core/contract/datasets.ts";
import { acquireLock } from "../../../../src/core/io/files/lock.ts";
import { type ArchiveContent, type ArchiveWorld, makeArchives, writeArchives } from "../_archives.ts";

function records(country: string, count: number): ArchiveContent {
  return { columns: ["Country"], rows: Array.from({ length: count }, () => [country]) };
}

const openWorld = ({ folder, cacheFolder }: ArchiveWorld) => openRegistry(folder, { cacheFolder });

function ask({ service }: RenewableRegistry, path: string, body: unknown): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return service(new Request(`http://embedded${path}`, { method: "POST", headers, body: JSON.stringify(body) }));
}

const totalOf = async (registry: RenewableRegistry) =>
  (await (await ask(registry, "/v2/search", { query: "" })).json()).total;

const exportAll = (registry: RenewableRegistry) =>
  ask(registry, "/v2/download", {
    search: { query: "*" },
    download: { scope: "max", information: "sequences", fileType: "fasta", metadata: ["Country"] },
  });

async function importCount(cacheFolder: string): Promise<number> {
  let count = 0;
  for await (const { isDirectory } of Deno.readDir(join(cacheFolder, "service"))) if (isDirectory) count++;
  return count;
}

/** Waits until something holds; `task test` has a time limit. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!await holds()) await new Promise((resolve) => setTimeout(resolve, 1));
}

Deno.test("renew() takes over other archives, and answers under way finish over those they began with", async () => {
  await using world = await makeArchives(records("Kenya", 3000));
  await using registry = await openWorld(world);
  assertEquals(await registry.renew(), false);
  // Read by hand: a pipe would read ahead, perhaps to the end.
  const answers = await Promise.all([
    exportAll(registry),
    ask(registry, "/v2/search", { query: "*", pageSize: 3000 }),
  ].map(async (response) => {
    const reader = (await response).body!.getReader();
    return { reader, parts: [(await reader.read()).value!] };
  }));

  await writeArchives(world.folder, records("Peru", 2));
  assertEquals(await totalOf(registry), 3000, "nothing changes before it is asked for");
  assertEquals(await registry.renew(), true);
  assertEquals([registry.store.recordCount, await totalOf(registry)], [2, 2]);
  assertEquals(await importCount(world.cacheFolder), 2, "the old import is in use");

  const texts = [];
  for (const { reader, parts } of answers) {
    for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value);
    texts.push(await new Blob(parts).text());
  }
  const [fasta, page] = texts;
  assertEquals([fasta.split(">").length - 1, fasta.includes("Peru")], [3000, false]);
  assertEquals(JSON.parse(page).results.length, 3000);
  await until(async () => await importCount(world.cacheFolder) === 1);
  assertEquals(await totalOf(registry), 2);
});

Deno.test("archives are closed that others took over from, though answers over them were never read", async () => {
  // A page of so many characters is sent in parts.
  await using world = await makeArchives(records("Kenya".repeat(100), 1000));
  await using registry = await openWorld(world);
  const { archive } = archiveFiles("full_dataset_metadata");
  const answers = await Promise.all([
    ask(registry, "/v2/search", { query: "*", pageSize: 1000 }),
    exportAll(registry),
    registry.service(new Request(`http://embedded/v2/datasets_download?filename=${archive}`)),
  ]);
  await writeArchives(world.folder, records("Peru", 2));
  assertEquals(await registry.renew(), true);
  assertEquals(await importCount(world.cacheFolder), 2, "the old import is in use");
  for (const { body } of answers) await body!.cancel();
  await until(async () => await importCount(world.cacheFolder) === 1);
});

Deno.test("every answer states the release: the same of the same archives, another when others took over", async () => {
  await using world = await makeArchives(records("Kenya", 3));
  await using twin = await makeArchives(records("Kenya", 3));
  await using registry = await openWorld(world);
  const get = (path: string, method = "GET") => new Request(`http://embedded${path}`, { method });
  const marks = async (service: RenewableRegistry["service"]) => {
    const answers = await Promise.all([
      service(get("/v2/datasets_download?filename=registryv1_full_dataset_metadata.sha256")),
      service(get("/v2/datasets_download?filename=registryv1_full_dataset_metadata.sha256", "HEAD")),
      service(get("/v2/search")),
      service(get("/nowhere")),
      ask(registry, "/v2/search", { query: "Country:Kenya" }),
      ask(registry, "/v2/search", { query: 1 }),
      exportAll(registry),
    ]);
    for (const { body } of answers) await body?.cancel();
    return [...new Set(answers.map(({ headers }) => headers.get("registry-release")))];
  };
  const first = await marks(registry.service);
  assertEquals(first.length, 1);
  assertMatch(String(first[0]), /^[0-9a-f]{16}$/);
  {
    await using other = await openWorld(twin);
    const { headers, body } = await ask(other, "/v2/search", { query: "" });
    await body?.cancel();
    assertEquals(headers.get("registry-release"), first[0]);
  }

  await writeArchives(world.folder, records("Peru", 3));
  assertEquals(await marks(registry.service), first, "as long as the old archives answer");
  await registry.renew();
  const second = await marks(registry.service);
  assertEquals([second.length, second[0] === first[0]], [1, false]);
});

Deno.test("a running server drops no request while its registry is renewed", async () => {
  await using world = await makeArchives(records("Kenya", 40));
  await using registry = await openWorld(world);
  const server = await serveRegistry(registry.service);
  let asking = true;
  const clients = Array.from({ length: 4 }, async () => {
    const totals: number[] = [];
    while (asking) {
      const body = JSON.stringify({ query: "" });
      const response = await fetch(`${server.url}/v2/search`, { method: "POST", body: new TextEncoder().encode(body) });
      assertEquals(response.status, 200);
      totals.push((await response.json()).total);
    }
    return totals;
  });
  for (let count = 41; count < 44; count++) {
    await writeArchives(world.folder, records("Kenya", count));
    assertEquals(await registry.renew(), true);
  }
  asking = false;
  for (const totals of await Promise.all(clients)) {
    assertEquals(totals, totals.toSorted((a, b) => a - b), "nobody is answered from older archives than before");
    assertEquals(totals[0], 40);
  }
  await server.shutdown();
  assertEquals(await totalOf(registry), 43);
});

Deno.test("renew() leaves the registry as it was when the new archives are at fault, and reads these once", async () => {
  await using world = await makeArchives(records("Kenya", 3));
  await using registry = await openWorld(world);
  const path = join(world.folder, archiveFiles("full_dataset_metadata").archive);
  // A fault that shows only when all has been read: the same rows, compressed in another way.
  const bytes = await Deno.readFile(path);
  await Deno.writeFile(path, gzipSync(gunzipSync(bytes), { level: 0 }));
  let told = 0;
  const renew = () => registry.renew({ onProgress: () => told++ });
  const error = await assertRejects(renew, RegistryError, "Cannot import");
  assertEquals(error.code, "checksum");
  const before = told;
  assert(before > 0);
  await assertRejects(renew, RegistryError, "Cannot import");
  assertEquals([told, await totalOf(registry)], [before, 3]);

  await Deno.remove(path);
  await assertRejects(renew, RegistryError, "1 of the sixteen files are missing");
  assertEquals(await totalOf(registry), 3);

  await writeArchives(world.folder, records("Kenya", 4));
  assertEquals([await renew(), await totalOf(registry)], [true, 4]);
});

Deno.test("renew() ends with its signal, and the registry answers on", async () => {
  await using world = await makeArchives(records("Kenya", 3));
  await using registry = await openWorld(world);
  await writeArchives(world.folder, records("Kenya", 4));
  const stop = new AbortController();
  const onProgress = () => stop.abort(new Error("enough"));
  await assertRejects(() => registry.renew({ signal: stop.signal, onProgress }), Error, "enough");
  assertEquals(await totalOf(registry), 3);
  const looks = await Promise.all([registry.renew(), registry.renew()]);
  assertEquals([looks, await totalOf(registry)], [[true, true], 4]);
});

Deno.test("renew() of a caller that is stopped does not end that of another", async () => {
  await using world = await makeArchives(records("Kenya", 3));
  await using registry = await openWorld(world);
  await writeArchives(world.folder, records("Kenya", 4));
  const stop = new AbortController();
  const onProgress = () => stop.abort(new Error("enough"));
  const stopped = assertRejects(() => registry.renew({ signal: stop.signal, onProgress }), Error, "enough");
  assertEquals([await registry.renew(), await totalOf(registry)], [true, 4]);
  await stopped;
});

Deno.test("renew() waits until archives look the same twice when it is asked to", async () => {
  await using world = await makeArchives(records("Kenya", 3));
  await using registry = await openWorld(world);
  await writeArchives(world.folder, records("Kenya", 4));
  assertEquals(await registry.renew({ settled: true }), false);
  await writeArchives(world.folder, records("Kenya", 5));
  assertEquals(await registry.renew({ settled: true }), false);
  assertEquals(await registry.renew({ settled: true }), true);
  assertEquals([await totalOf(registry), await registry.renew({ settled: true })], [5, false]);
});

Deno.test("renew() takes no folder of which a part is still to come, when it is to have settled", async () => {
  await using world = await makeArchives(records("Kenya", 3));
  await using registry = await openWorld(world);
  await writeArchives(world.folder, records("Kenya", 4));
  const settled = () => registry.renew({ settled: true });
  const { archive, checksum } = archiveFiles("votu_clusters_sequence");
  const unfinished = join(world.folder, `.${archive}.Xy12Zw`);
  for (const text of ["a", "ab"]) {
    await Deno.writeTextFile(unfinished, text);
    assertEquals(await settled(), false, "rsync writes an archive next to the old one");
  }
  await Deno.remove(unfinished);
  assertEquals(await settled(), false);

  {
    await using _mirror = await acquireLock(join(world.folder, MIRROR_LOCK_FILE));
    await assertRejects(settled, RegistryError, "a mirror writes to it");
  }
  // The rest of a version comes during the import of what was there.
  const rest = join(world.folder, checksum);
  const onProgress = () => Deno.writeTextFileSync(rest, `${Deno.readTextFileSync(rest).trimEnd()}\r\n`);
  assertEquals(await registry.renew({ settled: true, onProgress }), false);
  assertEquals(await totalOf(registry), 3);
  assertEquals([await settled(), await totalOf(registry)], [true, 4]);
});

Deno.test("a folder that is a link is followed when it is led elsewhere, and old files are sent to their end", async () => {
  await using first = await makeArchives(records("Kenya", 3));
  await using second = await makeArchives(records("Kenya", 4));
  const link = `${first.folder}-link`;
  await Deno.symlink(first.folder, link);
  await using registry = await openRegistry(link, { cacheFolder: first.cacheFolder });
  const { archive } = archiveFiles("full_dataset_metadata");
  const fetchFile = () => registry.service(new Request(`http://embedded/v2/datasets_download?filename=${archive}`));
  const old = await fetchFile();
  await Deno.remove(link);
  await Deno.symlink(second.folder, link);
  assertEquals(await registry.renew(), true);
  assertEquals(new Uint8Array(await old.arrayBuffer()), await Deno.readFile(join(first.folder, archive)));
  const fresh = await fetchFile();
  assertEquals(new Uint8Array(await fresh.arrayBuffer()), await Deno.readFile(join(second.folder, archive)));
});

Deno.test("a registry that is closed is not renewed", async () => {
  await using world = await makeArchives(records("Kenya", 3));
  const registry = await openWorld(world);
  await writeArchives(world.folder, records("Kenya", 4));
  await registry[Symbol.asyncDispose]();
  await assertRejects(() => registry.renew(), TypeError, "it is closed");
  assertEquals(await importCount(world.cacheFolder), 1);
});
