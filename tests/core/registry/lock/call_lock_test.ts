import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { resolve } from "node:path";
import { acquireLock } from "../../../../src/core/io/files/lock.ts";
import { ParseError, RegistryError } from "../../../../src/core/errors.ts";
import { NoResultsError } from "../../../../src/core/client/mod.ts";
import { type OpenOptions, Registry } from "../../../../src/core/registry/mod.ts";
import { parseLock, readLock } from "../../../../src/core/registry/lock/lock_file.ts";
import { startSetDigest } from "../../../../src/core/registry/lock/set_digest.ts";
import { sampleFolder, serveFolder, type TestFolder } from "../_archives.ts";

/** Asks a registry for one answer of each kind; returns what came, as text. */
async function askAll(registry: Registry): Promise<string> {
  const hits = await registry.search("sequence_length:>500", { pageSize: 3 });
  const metadata = await registry.metadata({ ids: hits.accessions }, { fields: ["Country"] });
  const sequences = await registry.sequences({ ids: hits.accessions });
  const exported = await registry.sequences({ query: "sequence_length:>500" }, { fields: ["Country"] });
  const nothing = await registry.metadata({ query: "country:Atlantis" });
  const archive = await registry.dataset("unique_seqs_metadata");
  return JSON.stringify([
    hits.rows,
    metadata.rows,
    [...sequences.rows],
    [...exported.rows],
    nothing.ledger.received,
    archive.sha256,
  ]);
}

function never(): Promise<Response> {
  throw new Error("the network was used");
}

async function opened<T>(
  { cacheFolder }: Pick<TestFolder, "cacheFolder">,
  url: string,
  options: { readonly lock: string; readonly offline?: boolean; readonly headers?: Record<string, string> },
  work: (registry: Registry) => Promise<T>,
): Promise<T> {
  const fetch = options.offline ? { fetch: never } : {};
  await using registry = await Registry.open(url, { cacheFolder, ...fetch, ...options });
  return await work(registry);
}

Deno.test("a lock answers every kind of call without the network, with the same results", async () => {
  await using folder = await sampleFolder(60);
  const lock = `${folder.folder}/../seqreg.lock`;
  let url = "";
  let came = "";
  {
    await using server = await serveFolder(folder);
    ({ url } = server);
    came = await opened(folder, url, { lock, headers: { "X-Key": "open-sesame" } }, askAll);
  }
  const text = await Deno.readTextFile(lock);
  assertEquals(text.includes("open-sesame") || text.includes(folder.cacheFolder), false);
  assertEquals(await opened(folder, url, { lock, offline: true }, askAll), came);
  assertEquals(await Deno.readTextFile(lock), text);
  const calls = [...(await readLock(lock))!.values()];
  assertEquals(calls.some(({ archive }) => archive !== undefined && came.includes(archive)), true);
  const search = calls.find(({ operation, records }) => operation === "search" && records === 3)!;
  assertEquals(search.versions.polars, "0.25.2");
  const mark = await opened(folder, url, { lock, offline: true }, async ({ client }) => {
    const { receipt } = await client.search({ query: "sequence_length:>500", pageSize: 3 });
    return receipt.release;
  });
  assertEquals([mark?.length, mark], [16, search.release]);

  await assertRejects(
    () => opened(folder, url, { lock, offline: true }, (registry) => registry.search("country:Kenya")),
    RegistryError,
    'Cannot answer search {"query":"country:Kenya"}',
  );
  const body = `${folder.cacheFolder}/lock/${search.sha256}.gz`;
  const bytes = await Deno.readFile(body);
  await Deno.writeFile(body, bytes.with(bytes.length >> 1, bytes[bytes.length >> 1] ^ 1));
  await assertRejects(() => opened(folder, url, { lock, offline: true }, askAll), RegistryError, "is damaged");
  await Deno.remove(body);
  await assertRejects(() => opened(folder, url, { lock, offline: true }, askAll), RegistryError, "is not in the cache");
});

Deno.test("recorded again, a lock is the same; two registries that write one lock lose nothing", async () => {
  await using folder = await sampleFolder(30);
  const lock = `${folder.folder}/../seqreg.lock`;
  const ask = (query: string) =>
    opened(folder, folder.folder, { lock }, async (registry) => void await registry.searchPage(query));
  const queries = Array.from({ length: 12 }, (_, index) => `sequence_length:>${index}`);
  await Promise.all(queries.map(ask));
  const text = await Deno.readTextFile(lock);
  const requests = [...(await readLock(lock))!.values()].map(({ request }) => JSON.stringify(request));
  for (const query of queries) assertStringIncludes(requests.join(), JSON.stringify(query));
  await Promise.all(queries.reverse().map(ask));
  assertEquals(await Deno.readTextFile(lock), text);
});

Deno.test("a call is not lost with the program that is killed before it writes the lock", async () => {
  await using folder = await sampleFolder(10);
  const place = resolve(folder.folder, "..");
  const lock = `${place}/seqreg.lock`;
  const registry = await Registry.open(folder.folder, { cacheFolder: folder.cacheFolder, lock });
  const queries = ["sequence_length:>0", "sequence_length:>1"];
  {
    // Nobody can write the lock meanwhile.
    await using _ = await acquireLock(`${place}/.seqreg.lock.writing`);
    for (const query of queries) await registry.searchPage(query);
    const recorded = async () => (await readLock(lock))?.size ?? 0;
    for (const end = Date.now() + 20_000; await recorded() < queries.length && Date.now() < end;) {
      await Deno.stat(place);
    }
    assertEquals(await recorded(), queries.length);
    await assertRejects(() => Deno.stat(lock), Deno.errors.NotFound);
  }
  await registry[Symbol.asyncDispose]();
  assertEquals(parseLock(await Deno.readTextFile(lock), lock).size, queries.length);
  await assertRejects(() => Deno.stat(`${place}/.seqreg.lock.calls`), Deno.errors.NotFound);
});

Deno.test("a killed program loses no call that it had the answer of for a second", async () => {
  await using folder = await sampleFolder(10);
  await using server = await serveFolder(folder);
  const { cacheFolder } = folder;
  const lock = `${folder.folder}/../seqreg.lock`;
  const door = new URL("../../../../src/core/registry/mod.ts", import.meta.url).href;
  const script = `
    const { Registry } = await import(${JSON.stringify(door)});
    const registry = await Registry.open(...${JSON.stringify([server.url, { cacheFolder, lock }])});
    for (const pageSize of [1, 2, 3]) await registry.searchPage("", { pageSize });
    setTimeout(() => console.log("had them"), 1000);
    setInterval(() => {}, 1000);`;
  // Nobody can write the lock meanwhile.
  const writing = await acquireLock(`${resolve(folder.folder, "..")}/.seqreg.lock.writing`);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-check", script],
    env: { SEQREG_LOCK: "", SEQREG_OFFLINE: "" },
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  child.kill("SIGKILL");
  await child.status;
  await reader.cancel();
  writing.release();
  await assertRejects(() => Deno.stat(lock), Deno.errors.NotFound);
  const sizes = await opened(folder, server.url, { lock, offline: true }, async (registry) => {
    const pages = [1, 2, 3].map((pageSize) => registry.searchPage("", { pageSize }));
    return (await Promise.all(pages)).map(({ hits }) => hits.length);
  });
  assertEquals(sizes, [1, 2, 3]);
});

Deno.test("a lock that is damaged, newer or absent is an error before anything is asked", async () => {
  await using folder = await sampleFolder(10);
  const lock = `${folder.folder}/../seqreg.lock`;
  const open = (offline = false) => opened(folder, folder.folder, { lock, offline }, () => Promise.resolve());
  await assertRejects(() => open(true), RegistryError, "it does not exist");
  for (
    const [text, says] of [
      ["{", "invalid JSON"],
      ["<<<<<<< ours\n{}", "merge conflict"],
      ['{"seqreg-lock":2,"calls":{}}', "its version is 2"],
      ["{}", "expected a lock"],
      [`{"seqreg-lock":1,"calls":{"${"0".repeat(64)}":{}}}`, "is damaged"],
    ]
  ) {
    await Deno.writeTextFile(lock, text);
    await assertRejects(() => open(), ParseError, says);
    assertEquals(await Deno.readTextFile(lock), text);
  }
});

Deno.test("an empty text is no lock", async () => {
  await using registry = await Registry.open("http://127.0.0.1:1", { lock: "", fetch: never });
  assertEquals(registry.lock, null);
});

Deno.test("a lock whose folder is missing is an error before anything is asked", async () => {
  await using folder = await sampleFolder(20);
  const lock = `${folder.cacheFolder}/missing/seqreg.lock`;
  const error = await assertRejects(() => Registry.open(folder.folder, { cacheFolder: folder.cacheFolder, lock }));
  assertEquals(error instanceof RegistryError && error.code, "disk");
  assertStringIncludes(String(error), "Cannot write the lock");
});

Deno.test("a lock that can no longer be written is one error, of the next call or of closing", async () => {
  await using folder = await sampleFolder(20);
  const { cacheFolder } = folder;
  const path = `${cacheFolder}/locks`;
  const askUntilItFails = async (calls: number) => {
    await Deno.mkdir(path, { recursive: true });
    await using registry = await Registry.open(folder.folder, { cacheFolder, lock: `${path}/seqreg.lock` });
    await Deno.remove(path);
    for (let pageSize = 1; pageSize <= calls; pageSize++) {
      await registry.search("", { pageSize });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  for (const calls of [1, 9]) {
    const error = await assertRejects(() => askUntilItFails(calls));
    assertEquals(error instanceof RegistryError && error.code, "disk", String(error));
  }
});

Deno.test("an answer without a body is recorded, and so are those that follow", async () => {
  await using folder = await sampleFolder(10);
  const lock = `${folder.folder}/../seqreg.lock`;
  const fetch = ({ url }: Request) =>
    Promise.resolve(
      url.endsWith("/v2/search")
        ? Response.json({ total: 1, results: [{ id: "1", score: 1, source: {} }], facets: {}, query: "" })
        : new Response(null, { status: 404 }),
    );
  const request = {
    search: { query: "country:Atlantis" },
    download: { scope: "max", information: "metadata", fileType: "csv" },
  } as const;
  const ask = async (options: OpenOptions) => {
    const open = () => Registry.open("http://127.0.0.1:1", { cacheFolder: folder.cacheFolder, lock, ...options });
    {
      await using registry = await open();
      await assertRejects(() => registry.client.download(request), NoResultsError);
    }
    await using registry = await open();
    return (await registry.client.search({ query: "" })).body.total;
  };
  assertEquals(await ask({ fetch }), 1);
  assertEquals(await ask({ offline: true, fetch: never }), 1);
});

Deno.test("an answer that is cut off is not recorded", async () => {
  await using folder = await sampleFolder(10);
  const lock = `${folder.folder}/../seqreg.lock`;
  const fetch = () => Promise.resolve(new Response("{", { headers: { "content-length": "9" } }));
  await using registry = await Registry.open("http://127.0.0.1:1", {
    cacheFolder: folder.cacheFolder,
    lock,
    fetch,
    retry: { tries: 1 },
  });
  await assertRejects(() => registry.searchPage("x"), RegistryError);
  assertEquals(await readLock(lock), undefined);
});

Deno.test("a set digest is free of the order of records and of chunks, and of nothing else", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", "b", ",", "\n", '"', "é") })
    .map((text) => `"${text.replaceAll('"', '""')}"`);
  const rows = fc.uniqueArray(fc.tuple(cell, cell).map((cells) => cells.join(",")), { minLength: 1 });
  const digest = (form: string, text: string, size: number) => {
    const set = startSetDigest(form);
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length; at += size) set.update(bytes.subarray(at, at + size));
    return set.digest();
  };
  fc.assert(fc.property(rows, fc.integer({ min: 1, max: 9 }), (list, size) => {
    const one = digest("text/csv", ["x,y", ...list].join("\n"), 1000);
    assertEquals(
      digest("text/csv", ["x,y", ...list.toReversed(), ""].join("\r\n").replaceAll("\r\n", "\n"), size),
      one,
    );
    assertEquals(one.records, list.length);
    assertEquals(digest("text/csv", ["x,y", ...list.slice(1)].join("\n"), size).set === one.set, false);
    assertEquals(digest("text/csv", ["x,z", ...list].join("\n"), size).set === one.set, false);
  }));
  const hit = (source: string) => digest("application/json", `{"results":[{"id":"1","source":{${source}}}]}`, 50).set;
  assertEquals(hit('"b":[{"y":1,"x":9007199254740993}],"a":null'), hit('"a":null,"b":[{"x":9007199254740993,"y":1}]'));
  assertEquals(hit('"b":{"y":1,"score":2}'), hit('"b":{"score":2,"y":1}'));
  assertEquals(hit('"b":{"score":2}') === hit('"b":{"score":3}'), false);
  assertEquals(
    digest("text/x-fasta", ">a\nAC\nGT\n>b\nA\n", 3),
    digest("text/x-fasta", ">b\nA\n>a\nACGT", 100),
  );
  assertEquals(
    digest("application/json", '{"results":[{"id":1,"score":1},{"id":2}],"took":5}', 100),
    digest("application/json", '{"took":7,"results":[{"id":2,"score":3},{"id":1}]}', 7),
  );
});
