/** The sixteen files over a socket while the folder changes under the server. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { datasetFileNames } from "../../../../src/core/contract/datasets.ts";
import { sha256Of } from "../../../../src/core/io/digest/sha256.ts";
import { openRegistry, type RenewableRegistry } from "../../../../src/embedded/service/registry/open_registry.ts";
import { serveRegistry } from "../../../../src/embedded/service/registry/server.ts";
import { type ArchiveContent, makeArchives, writeArchives } from "../_archives.ts";

const METRICS = "registryv1_votu_cluster_comparison_metrics.csv.gz";

/** Archives of a country; one is larger than what sockets buffer. */
function release(country: string): ArchiveContent {
  const rows = `${country},${"x".repeat(1 << 20)},1\n`.repeat(12);
  const metrics = gzipSync(`representative,member,identity\n${rows}`, { level: 0 });
  return { columns: ["Country"], rows: [[country]], replace: { votu_cluster_comparison_metrics: metrics } };
}

interface Served {
  readonly registry: RenewableRegistry;
  readonly folder: string;
  /** The link, or folder, that is served. */
  readonly named: string;
  readonly faults: unknown[];
  get(name: string, init?: RequestInit): Promise<Response>;
}

/** Serves a link to a folder of the old release, as `serve` does with looks at each two seconds. */
async function serving(work: (served: Served) => Promise<void>): Promise<void> {
  await using world = await makeArchives(release("Kenya"));
  const { folder, cacheFolder } = world;
  const named = `${folder}-link`;
  await Deno.symlink(folder, named);
  const faults: unknown[] = [];
  const onFault = (fault: unknown) => faults.push(fault);
  await using registry = await openRegistry(named, { cacheFolder, onFault, lookMs: 2000 });
  const server = await serveRegistry(registry.service, { onFault });
  const get = (name: string, init?: RequestInit) => fetch(`${server.url}/v2/datasets_download?filename=${name}`, init);
  try {
    await work({ registry, folder, named, faults, get });
  } finally {
    await server.shutdown();
  }
}

async function filesIn(folder: string): Promise<Map<string, Uint8Array>> {
  const files = datasetFileNames().map(async (name) => [name, await Deno.readFile(join(folder, name))] as const);
  return new Map(await Promise.all(files));
}

/** Each of the files is given as it was: whole, in part, as headers, and as known to those who have it. */
async function assertGives({ get }: Served, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  for (const [name, bytes] of files) {
    const etag = `"${sha256Of(bytes)}"`;
    const asked = async (init?: RequestInit) => {
      const response = await get(name, init);
      assertEquals(response.headers.get("etag"), etag, name);
      return [response.status, sha256Of(new Uint8Array(await response.arrayBuffer()))] as const;
    };
    assertEquals(await asked(), [200, sha256Of(bytes)], name);
    assertEquals(await asked({ method: "HEAD" }), [200, sha256Of("")]);
    const range = { range: "bytes=5-", "if-range": etag };
    assertEquals(await asked({ headers: range }), [206, sha256Of(bytes.subarray(5))]);
    assertEquals(await asked({ headers: { "if-none-match": etag } }), [304, sha256Of("")]);
  }
}

const CHANGES: Readonly<Record<string, (served: Served) => Promise<void>>> = {
  async "the folder is exchanged"({ folder }) {
    await Deno.rename(folder, `${folder}-old`);
    await Deno.rename(`${folder}-new`, folder);
  },
  async "the link is switched"({ folder, named }) {
    await Deno.symlink(`${folder}-new`, `${named}-new`);
    await Deno.rename(`${named}-new`, named);
  },
  async "files are replaced by renaming"({ folder }) {
    for (const name of datasetFileNames()) await Deno.rename(join(`${folder}-new`, name), join(folder, name));
  },
};

Deno.test("the old release is given whole until the new one takes over", async (t) => {
  for (const [how, change] of Object.entries(CHANGES)) {
    await t.step(how, () =>
      serving(async (served) => {
        const { folder, named, registry, faults, get } = served;
        const old = await filesIn(folder);
        await Deno.mkdir(`${folder}-new`);
        await writeArchives(`${folder}-new`, release("Peru"));
        const begun = await get(METRICS);
        await change(served);
        await assertGives(served, old);
        assertEquals(await registry.renew(), true);
        await assertGives(served, await filesIn(named));
        const bytes = new Uint8Array(await begun.arrayBuffer());
        assertEquals(sha256Of(bytes), sha256Of(old.get(METRICS)!), "a download under way ends as it began");
        assertEquals(faults, []);
      }));
  }
});

Deno.test("the old release is given whole when its folder is gone", async () => {
  await serving(async (served) => {
    const old = await filesIn(served.folder);
    await Deno.remove(served.folder, { recursive: true });
    await assertGives(served, old);
    await assertRejects(() => served.registry.renew(), Error, "the folder does not exist");
    await assertGives(served, old);
  });
});

Deno.test("an archive that was overwritten in place is never sent, nor called unchanged", async () => {
  await serving(async ({ get, folder, registry, faults }) => {
    const path = join(folder, METRICS);
    const whole = await Deno.readFile(path);
    const etag = `"${sha256Of(whole)}"`;
    const begun = await get(METRICS);
    assertEquals(begun.status, 200);
    const flipped = whole.slice();
    flipped[flipped.length >> 1] ^= 1;
    await Deno.writeFile(path, flipped);

    await assertRejects(() => begun.arrayBuffer(), Error, undefined, "a download under way breaks");
    const asked: HeadersInit[] = [{}, { "if-none-match": etag }, { range: "bytes=0-9", "if-range": etag }];
    for (const headers of asked) {
      const response = await get(METRICS, { headers });
      assertEquals([response.status, response.headers.get("retry-after")], [503, "2"]);
      await response.body?.cancel();
    }
    assertEquals((await get(METRICS, { method: "HEAD" })).status, 503);
    const checksum = await get(METRICS.replace(".csv.gz", ".sha256"));
    assertEquals([checksum.status, (await checksum.text()).slice(0, 64)], [200, sha256Of(whole)]);
    await assertRejects(() => registry.renew(), Error, "its SHA-256 is");
    assert(faults.length > 0);

    // A copy with the time of the original takes the name: the same archives by all that is known of them.
    await Deno.writeFile(`${path}.copy`, whole);
    await Deno.rename(`${path}.copy`, path);
    assertEquals(await registry.renew(), true);
    const response = await get(METRICS);
    assertEquals(sha256Of(new Uint8Array(await response.arrayBuffer())), sha256Of(whole));
  });
});

Deno.test("archives that were overwritten and are restored with their times are taken again, once proved", async () => {
  await serving(async ({ get, folder, registry }) => {
    const path = join(folder, METRICS);
    const whole = await Deno.readFile(path);
    const { atime, mtime } = await Deno.stat(path);
    const restore = async (bytes: Uint8Array) => {
      await Deno.writeFile(`${path}.copy`, bytes);
      await Deno.utime(`${path}.copy`, atime!, mtime!);
      await Deno.rename(`${path}.copy`, path);
    };
    await Deno.truncate(path, 100);
    const other = whole.slice();
    other[other.length >> 1] ^= 1;
    await restore(other);
    await assertRejects(() => registry.renew(), Error, "it was overwritten");
    await restore(whole);
    assertEquals([await registry.renew(), await registry.renew()], [true, false]);
    const response = await get(METRICS);
    assertEquals(sha256Of(new Uint8Array(await response.arrayBuffer())), sha256Of(whole));
  });
});
