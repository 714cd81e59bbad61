/** The sixteen files of a folder over a socket, and what must be given of them. */
import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { datasetFileNames } from "../../../../src/core/contract/datasets.ts";
import { sha256Of } from "../../../../src/core/io/digest/sha256.ts";
import {
  openRegistry,
  type OpenRegistryOptions,
  type RenewableRegistry,
} from "../../../../src/embedded/service/registry/open_registry.ts";
import { serveRegistry } from "../../../../src/embedded/service/registry/server.ts";
import { type ArchiveContent, makeArchives } from "../_archives.ts";

/** Name of an archive that is larger than what sockets buffer. */
export const METRICS = "registryv1_votu_cluster_comparison_metrics.csv.gz";

export function release(country: string): ArchiveContent {
  const rows = `${country},${"x".repeat(1 << 20)},1\n`.repeat(12);
  const metrics = gzipSync(`representative,member,identity\n${rows}`, { level: 0 });
  return { columns: ["Country"], rows: [[country]], replace: { votu_cluster_comparison_metrics: metrics } };
}

export interface Served {
  readonly registry: RenewableRegistry;
  readonly folder: string;
  readonly cacheFolder: string;
  /** The link, or folder, that is served. */
  readonly named: string;
  readonly faults: unknown[];
  get(name: string, init?: RequestInit): Promise<Response>;
}

/** Serves a link to a folder of the old release, as `serve` does with looks at each two seconds. */
export async function serving(
  work: (served: Served) => Promise<void>,
  options: Pick<OpenRegistryOptions, "copies"> = {},
): Promise<void> {
  await using world = await makeArchives(release("Kenya"));
  const { folder, cacheFolder } = world;
  const named = `${folder}-link`;
  await Deno.symlink(folder, named);
  const faults: unknown[] = [];
  const onFault = (fault: unknown) => faults.push(fault);
  await using registry = await openRegistry(named, { cacheFolder, onFault, lookMs: 2000, ...options });
  const server = await serveRegistry(registry.service, { onFault });
  const get = (name: string, init?: RequestInit) => fetch(`${server.url}/v2/datasets_download?filename=${name}`, init);
  try {
    await work({ registry, folder, cacheFolder, named, faults, get });
  } finally {
    await server.shutdown();
  }
}

export async function filesIn(folder: string): Promise<Map<string, Uint8Array>> {
  const files = datasetFileNames().map(async (name) => [name, await Deno.readFile(join(folder, name))] as const);
  return new Map(await Promise.all(files));
}

/** Each of the files is given as it was: whole, in part, as headers, and as known to those who have it. */
export async function assertGives({ get }: Served, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
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
