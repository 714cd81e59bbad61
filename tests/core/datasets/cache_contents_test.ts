import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { fetchArchive, listCache, pruneCache, verifyCache } from "../../../src/core/datasets/mod.ts";
import type { RegistryClient } from "../../../src/core/client/mod.ts";
import { archiveBytes, checksumOf, filesBelow, impatientClient, withFolder } from "./_archive.ts";

const DAY = 86_400_000;
const IDS = ["unique_seqs_metadata", "votu_clusters_metadata"] as const;
const BYTES = { unique_seqs_metadata: archiveBytes(21), votu_clusters_metadata: archiveBytes(22, 8000) };

async function clientOf(): Promise<RegistryClient> {
  const files = new Map<string, Uint8Array<ArrayBuffer> | string>();
  for (const id of IDS) {
    files.set(`registryv1_${id}.csv.gz`, BYTES[id]);
    files.set(`registryv1_${id}.sha256`, await checksumOf(BYTES[id], `registryv1_${id}.csv.gz`));
  }
  const fetch = (request: Request) =>
    Promise.resolve(new Response(files.get(new URL(request.url).searchParams.get("filename") ?? "")));
  return impatientClient("http://127.0.0.1:8080", { fetch });
}

/** Runs work on a cache with both archives, the first used before the second. */
async function withCache(work: (cache: string, paths: readonly string[]) => Promise<void>): Promise<void> {
  await withFolder(async (cache) => {
    const client = await clientOf();
    const paths: string[] = [];
    for (const id of IDS) paths.push((await fetchArchive(client, id, { cache })).path);
    await work(cache, paths);
  });
}

/** Says that an archive was last used some days ago. */
async function age(cache: string, name: string, days: number): Promise<void> {
  for (const file of await filesBelow(`${cache}/archives/origins`)) {
    const path = `${cache}/archives/origins/${file}`;
    const origin = JSON.parse(await Deno.readTextFile(path));
    if (origin.name !== name) continue;
    origin.usedAt = new Date(Date.now() - days * DAY).toISOString();
    await Deno.writeTextFile(path, JSON.stringify(origin));
  }
}

Deno.test("listCache() lists archives with size, use, origin and digest, and what else there is", async () => {
  await withCache(async (cache, paths) => {
    await Deno.mkdir(`${cache}/service/abc/deep`, { recursive: true });
    await Deno.writeTextFile(`${cache}/service/abc/deep/file`, "12345");
    await Deno.writeTextFile(`${cache}/archives/partial/x.1.2.part`, "123");
    await Deno.writeTextFile(`${cache}/service/.lock`, "");
    await Deno.mkdir(`${cache}/service/set`);
    await Deno.link(`${cache}/service/abc/deep/file`, `${cache}/service/set/file`);
    await age(cache, "registryv1_votu_clusters_metadata.csv.gz", 3);
    const entries = await listCache({ cache });
    assertEquals(
      entries.map(({ kind, name, bytes }) => [kind, name, bytes]),
      [
        ["archive", "registryv1_votu_clusters_metadata.csv.gz", BYTES.votu_clusters_metadata.length],
        ["archive", "registryv1_unique_seqs_metadata.csv.gz", BYTES.unique_seqs_metadata.length],
        ["partial", "x.1.2.part", 3],
        ["service", "abc", 5],
        ["service", "set", 0],
      ],
    );
    assertEquals(entries[0].origins, ["http://127.0.0.1:8080"]);
    assertEquals(entries[1].path, paths[0]);
    assertEquals(Math.round((Date.now() - Date.parse(entries[0].usedAt)) / DAY), 3);
    assertEquals(entries[1].sha256, (await checksumOf(BYTES.unique_seqs_metadata)).slice(0, 64));
  });
});

Deno.test("listCache() lists nothing without a cache, and survives what others left there", async () => {
  assertEquals(await listCache({ cache: "no/such/folder" }), []);
  await withCache(async (cache) => {
    await Deno.mkdir(`${cache}/archives/sha256/zz/nonsense`, { recursive: true });
    await Deno.writeTextFile(`${cache}/archives/origins/broken.json`, '{"registry": 1');
    await Deno.writeTextFile(`${cache}/archives/origins/odd.json`, '{"registry": 1}');
    await Deno.writeTextFile(`${cache}/note.txt`, "mine");
    // What a kill leaves of a small file that was being written.
    const { path } = (await listCache({ cache }))[0];
    await Deno.writeTextFile(`${path}.proof.json.123.abcdef01`, "{");
    for (const file of await filesBelow(`${cache}/archives/origins`)) {
      await Deno.copyFile(`${cache}/archives/origins/${file}`, `${cache}/archives/origins/${file}.123.abcdef01`);
    }
    const entries = await listCache({ cache });
    assertEquals(entries.map(({ origins }) => origins.length), [1, 1]);
  });
});

Deno.test("verifyCache() finds a flipped bit that size and times do not show, and the archive is fetched again", async () => {
  await withCache(async (cache, paths) => {
    assertEquals((await verifyCache({ cache })).map(({ ok }) => ok), [true, true]);
    const bytes = await Deno.readFile(paths[0]);
    bytes[50] ^= 4;
    await Deno.writeFile(paths[0], bytes);
    // As a failing disk would do it: the proof beside the file says that nothing was written.
    const info = await Deno.lstat(paths[0]);
    const proof = JSON.parse(await Deno.readTextFile(`${paths[0]}.proof.json`));
    const state = { modified: info.mtime?.getTime(), changed: info.ctime?.getTime() };
    await Deno.writeTextFile(`${paths[0]}.proof.json`, JSON.stringify({ ...proof, ...state }));
    const verdicts = await verifyCache({ cache });
    const damaged = verdicts.filter(({ ok }) => !ok);
    assertEquals(damaged.map(({ entry }) => entry.path), [paths[0]]);
    assertStringIncludes(damaged[0].reason, "bytes changed");
    const again = await fetchArchive(await clientOf(), IDS[0], { cache });
    assertEquals([again.reused, await Deno.readFile(again.path)], [false, BYTES.unique_seqs_metadata]);
  });
});

Deno.test("pruneCache() names what may go and removes it only when told to", async () => {
  await withCache(async (cache, paths) => {
    await age(cache, "registryv1_votu_clusters_metadata.csv.gz", 40);
    assertEquals(await pruneCache({ cache, olderThanMs: 50 * DAY, remove: true }), []);
    const old = await pruneCache({ cache, olderThanMs: 30 * DAY });
    assertEquals(old.map(({ path }) => path), [paths[1]]);
    await Deno.lstat(paths[1]);
    await pruneCache({ cache, olderThanMs: 30 * DAY, remove: true });
    assertEquals((await listCache({ cache })).map(({ path }) => path), [paths[0]]);
    const left = await filesBelow(`${cache}/archives`);
    assertEquals(left.filter((path) => path.startsWith("origins/")).length, 1);
    assertEquals(left.filter((path) => path.startsWith("sha256/")).length, 2);
  });
});

Deno.test("pruneCache() brings the cache down to a size, the longest unused first", async () => {
  await withCache(async (cache, paths) => {
    await age(cache, "registryv1_unique_seqs_metadata.csv.gz", 2);
    const [first, second] = [BYTES.unique_seqs_metadata.length, BYTES.votu_clusters_metadata.length];
    const goes = async (maxBytes: number) => (await pruneCache({ cache, maxBytes })).map(({ path }) => path);
    assertEquals(await goes(first + second), []);
    assertEquals(await goes(first + second - 1), [paths[0]]);
    assertEquals(await goes(second - 1), [paths[0], paths[1]]);
    assertEquals(await goes(0), [paths[0], paths[1]]);
    assertEquals((await pruneCache({ cache, remove: true })).length, 2);
    assertEquals(await listCache({ cache }), []);
  });
});

Deno.test("pruneCache() frees a hard-linked file with the last entry that holds it", async () => {
  await withFolder(async (cache) => {
    for (const [name, days] of [["a", 3], ["b", 2], ["c", 1]] as const) {
      await Deno.mkdir(`${cache}/lake/${name}`, { recursive: true });
      if (name === "b") await Deno.link(`${cache}/lake/a/file`, `${cache}/lake/b/file`);
      else await Deno.writeTextFile(`${cache}/lake/${name}/file`, "x".repeat(100));
      const time = Date.now() / 1000 - days * 86_400;
      await Deno.utime(`${cache}/lake/${name}`, time, time);
    }
    // The time of the linked file is that of both entries.
    await Deno.utime(`${cache}/lake/a/file`, 1, 1);
    await Deno.utime(`${cache}/lake/c/file`, 1, 1);
    const goes = async (maxBytes: number) =>
      (await pruneCache({ cache, maxBytes })).map(({ name, bytes }) => [name, bytes]);
    assertEquals(await goes(200), []);
    assertEquals(await goes(199), [["a", 0], ["b", 100]]);
    assertEquals(await goes(99), [["a", 0], ["b", 100], ["c", 100]]);
  });
});

Deno.test("pruneCache() leaves a download alone that is under way", async () => {
  await withFolder(async (cache) => {
    const folder = `${cache}/archives/partial`;
    await Deno.mkdir(folder, { recursive: true });
    const facts = { registry: "r", name: "n", expected: "0".repeat(64), etag: '"1"', totalBytes: null };
    for (
      const [name, released, hours] of [["live", false, 0], ["given up", true, 0], ["left behind", false, 1]] as const
    ) {
      await Deno.writeTextFile(`${folder}/${name}.part`, "bytes");
      await Deno.writeTextFile(`${folder}/${name}.part.json`, JSON.stringify({ ...facts, released }));
      const time = new Date(Date.now() - hours * 3_600_000);
      await Deno.utime(`${folder}/${name}.part`, time, time);
    }
    const gone = await pruneCache({ cache, remove: true });
    assertEquals(gone.map(({ name }) => name).sort(), ["given up.part", "left behind.part"]);
    assertEquals(await filesBelow(folder), ["live.part", "live.part.json"]);
  });
});

Deno.test("pruneCache() refuses limits that make no sense, before any I/O", async () => {
  for (const limits of [{ maxBytes: -1 }, { olderThanMs: NaN }]) {
    await assertRejects(() => pruneCache({ cache: "no/such/folder", ...limits }), RangeError, "a number from 0");
  }
});

Deno.test("what killed processes began to write in the cache is removed once it is old enough", async () => {
  await withCache(async (cache, [path]) => {
    const origins = `${cache}/archives/origins`;
    const places = [`${origins}/0a.json`, `${cache}/archives/partial/x.1.2.part.json`, `${path}.proof.json`];
    const leave = async (minutes: number, random: string) => {
      const time = Date.now() / 1000 - minutes * 60;
      for (const place of places) {
        await Deno.writeTextFile(`${place}.4711.${random}`, "{");
        await Deno.utime(`${place}.4711.${random}`, time, time);
      }
    };
    const left = async () => (await filesBelow(cache)).filter((file) => file.includes(".4711."));
    await leave(60, "0123abcd");
    await leave(1, "fedc9876");
    assertEquals((await listCache({ cache })).map(({ kind }) => kind), ["archive", "archive"]);

    // Asking for an archive writes its origin anew, and clears that folder.
    await fetchArchive(await clientOf(), IDS[0], { cache, mode: "prefer-cache" });
    assertEquals((await left()).filter((file) => file.endsWith("0123abcd")).length, 2);
    await pruneCache({ cache, olderThanMs: DAY, remove: true });
    assertEquals((await left()).map((file) => file.endsWith("fedc9876")), [true, true, true]);
    assertEquals((await listCache({ cache })).length, 2);
    await leave(60, "fedc9876");
    await pruneCache({ cache, remove: true });
    assertEquals(await filesBelow(`${cache}/archives/sha256`), []);
    assertEquals(await left(), []);
  });
});
