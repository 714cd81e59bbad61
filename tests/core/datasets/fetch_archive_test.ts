import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { fetchArchive, placeArchive, verifyArchive } from "../../../src/core/datasets/mod.ts";
import { RegistryError } from "../../../src/core/errors.ts";
import type { ProgressEvent } from "../../../src/core/io/tasks/progress.ts";
import { namingOf } from "../../../src/core/contract/naming.ts";
import { boundByModes, testNeeding } from "../../_needs.ts";
import { needsSmallDisk, onSmallDisk } from "../../_small_disk.ts";
import {
  archiveBytes,
  CHECKSUM,
  checksumOf,
  filesBelow,
  finalFiles,
  ID,
  impatientClient,
  NAME,
  serveWell,
  withFolder,
} from "./_archive.ts";
import { head, type RawServer, startRawServer } from "./_raw_server.ts";

const BYTES = archiveBytes(11);
const TEXT = await checksumOf(BYTES);
const NEWER = archiveBytes(12);
const NEWER_TEXT = await checksumOf(NEWER);

/** A registry whose archive can be replaced. */
async function startRegistry(): Promise<RawServer & { replace(): void }> {
  let file = { bytes: BYTES, checksum: TEXT, etag: '"1"' };
  const server = await startRawServer(serveWell(() => file));
  return Object.assign(server, { replace: () => void (file = { bytes: NEWER, checksum: NEWER_TEXT, etag: '"2"' }) });
}

Deno.test("fetchArchive() asks for the checksum file alone when nothing changed, and fetches what did", async () => {
  await using registry = await startRegistry();
  const client = impatientClient(registry.url);
  await withFolder(async (cache) => {
    const first = await fetchArchive(client, ID, { cache });
    assertEquals([first.id, first.name, first.bytes, first.reused], [ID, NAME, BYTES.length, false]);
    assertEquals(first.origin, registry.url);
    assertEquals([first.provenance.bytes, first.provenance.sha256], [BYTES.length, first.sha256]);
    assertEquals(first.ledger.complete, true);
    const second = await fetchArchive(client, NAME, { cache });
    assertEquals([second.reused, second.path, second.sha256], [true, first.path, first.sha256]);
    assertEquals(registry.requests.map(({ fileName }) => fileName), [CHECKSUM, NAME, CHECKSUM]);
    registry.replace();
    const third = await fetchArchive(client, ID, { cache });
    assertEquals(third.reused, false);
    assertEquals(await Deno.readFile(third.path), NEWER);
    assertEquals(await Deno.readFile(first.path), BYTES, "what others still use stays");
  });
});

Deno.test("fetchArchive() refuses another format, even if its checksum fits", async () => {
  const encoder = new TextEncoder();
  const formats: Record<string, Uint8Array> = {
    "a ZIP archive": encoder.encode("PK\x03\x04 and a file"),
    "a PDF document": encoder.encode("%PDF-1.7"),
    "JSON": encoder.encode('{"detail":"busy"}'),
  };
  for (const [format, bytes] of Object.entries(formats)) {
    const file = { bytes, checksum: await checksumOf(bytes), etag: '"1"' };
    await using registry = await startRawServer(serveWell(() => file));
    await withFolder(async (cache) => {
      const error = await assertRejects(
        () => fetchArchive(impatientClient(registry.url), ID, { cache }),
        RegistryError,
      );
      assertEquals(error.code, "unexpected-response");
      assertStringIncludes(error.message, `they are ${format}`);
      assertEquals(await finalFiles(cache), []);
    });
  }
});

Deno.test("fetchArchive() asks for bytes as they are", async () => {
  await using registry = await startRegistry();
  await withFolder((cache) => fetchArchive(impatientClient(registry.url), ID, { cache }));
  for (const { headers } of registry.requests) assertEquals(headers.get("accept-encoding"), "identity");
});

Deno.test("prefer-cache asks nothing when the cache holds a copy, offline never asks", async () => {
  await using registry = await startRegistry();
  const client = impatientClient(registry.url);
  await withFolder(async (cache) => {
    const missing = await assertRejects(() => fetchArchive(client, ID, { cache, mode: "offline" }), RegistryError);
    assertEquals(missing.code, "offline");
    assertStringIncludes(missing.message, "has none from");
    assertEquals(registry.requests.length, 0);
    assertEquals((await fetchArchive(client, ID, { cache, mode: "prefer-cache" })).reused, false);
    registry.replace();
    const asked = registry.requests.length;
    for (const mode of ["prefer-cache", "offline"] as const) {
      const kept = await fetchArchive(client, ID, { cache, mode });
      assertEquals([kept.reused, await Deno.readFile(kept.path)], [true, BYTES]);
    }
    assertEquals(registry.requests.length, asked);
    // A copy of another registry is not one of this.
    const other = impatientClient("http://127.0.0.1:9");
    await assertRejects(() => fetchArchive(other, ID, { cache, mode: "offline" }), RegistryError, "has none");
    await Deno.remove((await fetchArchive(client, ID, { cache, mode: "offline" })).path);
    const gone = await assertRejects(() => fetchArchive(client, ID, { cache, mode: "offline" }), RegistryError);
    assertStringIncludes(gone.message, "gone");
  });
});

Deno.test("fetchArchive() never gives out a cached copy whose bytes changed", async () => {
  await using registry = await startRegistry();
  const client = impatientClient(registry.url);
  await withFolder(async (cache) => {
    const { path } = await fetchArchive(client, ID, { cache });
    const spoil = async () => {
      const bytes = await Deno.readFile(path);
      bytes[100] ^= 1;
      await Deno.writeFile(path, bytes);
    };
    await spoil();
    const damaged = await assertRejects(() => fetchArchive(client, ID, { cache, mode: "offline" }), RegistryError);
    assertStringIncludes(damaged.message, "damaged");
    const again = await fetchArchive(client, ID, { cache });
    assertEquals([again.reused, await Deno.readFile(again.path)], [false, BYTES]);
    await spoil();
    const mended = await fetchArchive(client, ID, { cache });
    assertStringIncludes(mended.ledger.warnings.join(), "damaged and was removed");
    assertEquals(await Deno.readFile(mended.path), BYTES);
    await Deno.truncate(path, 10);
    assertEquals(await Deno.readFile((await fetchArchive(client, ID, { cache })).path), BYTES);
  });
});

Deno.test("fetchArchive() hashes a cached copy again when its times changed, and keeps it when it is whole", async () => {
  await using registry = await startRegistry();
  const client = impatientClient(registry.url);
  await withFolder(async (cache) => {
    const { path } = await fetchArchive(client, ID, { cache });
    await Deno.utime(path, 1, 1);
    await Deno.remove(`${path}.proof.json`);
    assertEquals((await fetchArchive(client, ID, { cache })).reused, true);
    await Deno.lstat(`${path}.proof.json`);
  });
});

Deno.test("a registry that cannot be reached leads to the copy that the cache holds", async () => {
  await withFolder(async (cache) => {
    let answers = serveWell(() => ({ bytes: BYTES, checksum: TEXT }));
    await using server = await startRawServer((request, send) => answers(request, send));
    await fetchArchive(impatientClient(server.url), ID, { cache });
    answers = (request) => Promise.resolve(request.reset());
    const error = await assertRejects(() => fetchArchive(impatientClient(server.url), ID, { cache }), RegistryError);
    assertEquals(error.code, "network");
    assertStringIncludes(error.message, "--offline");
  });
});

Deno.test("fetchArchive() refuses wrong names and modes before any I/O", async () => {
  await using registry = await startRegistry();
  const client = impatientClient(registry.url);
  const cache = "no/such/folder";
  await assertRejects(() => fetchArchive(client, "unique_seq", { cache }), RangeError, "did you mean");
  await assertRejects(() => fetchArchive(client, CHECKSUM, { cache }), RangeError, "it is a checksum file");
  // deno-lint-ignore no-explicit-any
  await assertRejects(() => fetchArchive(client, ID, { cache, mode: "sometimes" as any }), RangeError, "prefer-cache");
  assertEquals(registry.requests.length, 0);
});

Deno.test("fetchArchive() calls files what the deployment calls them", async () => {
  const naming = namingOf({ registry: "genomebank" });
  const name = naming.archiveStems[ID] + ".csv.gz";
  const checksum = await checksumOf(BYTES, name);
  const fetch = (request: Request) => Promise.resolve(new Response(request.url.includes(".sha256") ? checksum : BYTES));
  const client = impatientClient("http://127.0.0.1:8080", { fetch, naming });
  await withFolder(async (cache) => assertEquals((await fetchArchive(client, name, { cache })).name, name));
});

Deno.test("fetchArchive() tells how far it has come, to the last byte", async () => {
  await using registry = await startRegistry();
  await withFolder(async (cache) => {
    const events: ProgressEvent[] = [];
    await fetchArchive(impatientClient(registry.url), ID, { cache, onProgress: (event) => events.push(event) });
    const last = events.at(-1);
    assertEquals([last?.done, last?.total, last?.finished], [BYTES.length, BYTES.length, true]);
    assertMatch(last?.task ?? "", /^downloading registryv1_/);
  });
});

Deno.test("an abort before, during and after the checksum file leaves nothing under a final name", async () => {
  await using hanging = await startRawServer(async (_, send) => {
    await send(head("200 OK", { "Content-Length": 1000 }));
    await new Promise<void>(() => {});
  });
  const client = impatientClient(hanging.url);
  await withFolder(async (cache) => {
    const reason = new Error("enough");
    await assertRejects(() => fetchArchive(client, ID, { cache, signal: AbortSignal.abort(reason) }), Error, "enough");
    assertEquals(hanging.requests.length, 0);
    const stop = new AbortController();
    const running = fetchArchive(client, ID, { cache, signal: stop.signal });
    while (hanging.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    stop.abort(reason);
    assertEquals(await assertRejects(() => running), reason);
    assertEquals(await filesBelow(cache), []);
  });
});

Deno.test("calls at once in one process cause one download", async () => {
  await using registry = await startRegistry();
  const client = impatientClient(registry.url);
  await withFolder(async (cache) => {
    const archives = await Promise.all(Array.from({ length: 12 }, () => fetchArchive(client, ID, { cache })));
    assertEquals(archives.filter(({ reused }) => !reused).length, 1);
    assertEquals(registry.archives.length, 1);
  });
});

Deno.test("six processes that ask at once cause one download", async () => {
  await using registry = await startRegistry();
  await withFolder(async (cache) => {
    const children = Array.from({ length: 6 }, () => spawnFetch(registry.url, cache));
    const results = await Promise.all(children.map((child) => child.output()));
    const paths = results.map(({ stdout }) => new TextDecoder().decode(stdout).trim());
    assertEquals(results.map(({ code }) => code), new Array(6).fill(0));
    assertEquals(new Set(paths).size, 1);
    assertEquals(registry.archives.length, 1);
    assertEquals(await Deno.readFile(paths[0]), BYTES);
  });
});

function spawnFetch(url: string, cache: string, wrapper: readonly string[] = []): Deno.ChildProcess {
  const script = new URL("./_fetch_child.ts", import.meta.url).pathname;
  const config = new URL("../../../deno.json", import.meta.url).pathname;
  const args = ["run", "--quiet", "--no-check", "--config", config, "-A", script, url, cache];
  const [program, ...rest] = [...wrapper, Deno.execPath(), ...args];
  return new Deno.Command(program, { args: rest, stdout: "piped", stderr: "piped" }).spawn();
}

Deno.test("a process that is killed leaves no partial file under a final name, and the next one resumes", async () => {
  const bytes = archiveBytes(13, 300_000);
  const checksum = await checksumOf(bytes);
  const random = (seed: number) => ((seed * 2654435761) >>> 0) / 2 ** 32;
  for (let round = 1; round <= 3; round++) {
    const reached = Promise.withResolvers<void>();
    const stopAt = 2000 + Math.floor(random(round) * (bytes.length - 4000));
    let first = true;
    const well = serveWell(() => ({ bytes, checksum, etag: '"1"' }));
    const server = await startRawServer(async (request, send) => {
      if (!request.fileName.endsWith(".csv.gz") || !first) return await well(request, send);
      first = false;
      await send(head("200 OK", { "Content-Length": bytes.length, ETag: '"1"' }));
      await send(bytes.subarray(0, stopAt));
      reached.resolve();
      await new Promise<void>(() => {});
    });
    await using _ = server;
    await withFolder(async (cache) => {
      const child = spawnFetch(server.url, cache);
      await reached.promise;
      child.kill("SIGKILL");
      await child.output();
      assertEquals(await finalFiles(cache), []);
      const archive = await fetchArchive(impatientClient(server.url), ID, { cache });
      assertEquals(await Deno.readFile(archive.path), bytes);
      // Killed while it noted how far it was: such a note has no final name, and is swept after ten minutes.
      const left = await filesBelow(`${cache}/archives/partial`);
      assertEquals(left.filter((name) => !/\.json\.\d+\.[0-9a-f]{8}$/.test(name)), []);
    });
  }
});

const BOUND_BY_MODES = boundByModes();
const NEEDS_MODES = { "a user whom file modes bind, or setpriv": BOUND_BY_MODES !== undefined };

testNeeding(NEEDS_MODES, "a read-only cache is used, and a download reports that it cannot be kept", async () => {
  await using registry = await startRegistry();
  await withFolder(async (cache) => {
    await fetchArchive(impatientClient(registry.url), ID, { cache });
    await new Deno.Command("chmod", { args: ["-R", "a-w", cache] }).output();
    try {
      const kept = await spawnFetch(registry.url, cache, BOUND_BY_MODES).output();
      assertEquals([new TextDecoder().decode(kept.stderr), kept.code], ["", 0]);
      assertEquals(registry.archives.length, 1);
      registry.replace();
      const refused = await spawnFetch(registry.url, cache, BOUND_BY_MODES).output();
      assertEquals(refused.code, 1);
      const says = new TextDecoder().decode(refused.stderr);
      for (const words of ["disk", "permission denied", "SEQREG_CACHE"]) assertStringIncludes(says, words);
      assertEquals(registry.archives.length, 1, "the archive is not even asked for");
      assertEquals((await finalFiles(cache)).length, 1);
    } finally {
      await new Deno.Command("chmod", { args: ["-R", "u+w", cache] }).output();
    }
  });
});

Deno.test("a cache that is reached by a symbolic link is a cache like any other", async () => {
  await using registry = await startRegistry();
  await withFolder(async (folder) => {
    await Deno.mkdir(`${folder}/real`);
    await Deno.symlink(`${folder}/real`, `${folder}/cache`);
    const client = impatientClient(registry.url);
    const archive = await fetchArchive(client, ID, { cache: `${folder}/cache` });
    assertEquals(await Deno.readFile(archive.path), BYTES);
    assertEquals((await fetchArchive(client, ID, { cache: `${folder}/real` })).reused, true);
    // A link in the place of an archive is not one: it could lead anywhere.
    await Deno.rename(archive.path, `${folder}/elsewhere`);
    await Deno.symlink(`${folder}/elsewhere`, archive.path);
    assertEquals((await fetchArchive(client, ID, { cache: `${folder}/cache` })).reused, false);
    assert((await Deno.lstat(archive.path)).isFile);
  });
});

Deno.test("a cache whose path is a file is reported", async () => {
  await using registry = await startRegistry();
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/cache`, "a file");
    const error = await assertRejects(
      () => fetchArchive(impatientClient(registry.url), ID, { cache: `${folder}/cache` }),
      RegistryError,
    );
    assertEquals(error.code, "disk");
    assertStringIncludes(error.message, "SEQREG_CACHE");
  });
});

testNeeding(needsSmallDisk(), "a full disk is reported, and no file has a final name", async () => {
  await using registry = await startRegistry();
  await onSmallDisk(64, async (folder) => {
    await Deno.writeFile(`${folder}/ballast`, new Uint8Array(44 << 10));
    const unknown = () => Promise.resolve(undefined);
    const error = await assertRejects(
      () => fetchArchive(impatientClient(registry.url), ID, { cache: folder, freeBytes: unknown }),
      RegistryError,
    );
    assertEquals(error.code, "disk");
    assertEquals(await finalFiles(folder), []);
    const early = await assertRejects(() => fetchArchive(impatientClient(registry.url), ID, { cache: folder }));
    assert(early instanceof RegistryError && early.code === "disk");
  });
});

Deno.test("placeArchive() copies an archive and its checksum file, once, and refuses damage", async () => {
  await using registry = await startRegistry();
  await withFolder(async (folder) => {
    const archive = await fetchArchive(impatientClient(registry.url), ID, { cache: `${folder}/cache` });
    const path = await placeArchive(archive, `${folder}/out`);
    assertEquals(await Deno.readFile(path), BYTES);
    assertEquals((await verifyArchive(path)).ok, true);
    const { ino } = await Deno.stat(path);
    await placeArchive(archive, `${folder}/out`);
    assertEquals((await Deno.stat(path)).ino, ino);
    await Deno.writeTextFile(path, "edited");
    await placeArchive(archive, `${folder}/out`);
    assertEquals(await Deno.readFile(path), BYTES);
    await Deno.writeTextFile(archive.path, "damaged");
    const error = await assertRejects(() => placeArchive(archive, `${folder}/other`), RegistryError);
    assertEquals([error.code, await filesBelow(`${folder}/other`)], ["damaged", []]);
  });
});
