/** Archive folders for the friendly face: small ones, and one beyond the paging depth. */
import { join } from "node:path";
import { makeSample, writeArchives } from "../../../src/embedded/sample/mod.ts";
import {
  createRegistryService,
  openStore,
  type RegistryService,
  serveRegistry,
} from "../../../src/embedded/service/mod.ts";
import { formatAccession } from "../../../src/core/contract/accession.ts";
import { type Naming, SPECIFICATION_NAMING } from "../../../src/core/contract/naming.ts";
import { define } from "../contract/_definition.ts";

/** A folder of archives with its own cache; both go when it is disposed of. */
export interface TestFolder extends AsyncDisposable {
  readonly folder: string;
  readonly cacheFolder: string;
}

async function makeFolder(fill: (folder: string) => Promise<unknown>): Promise<TestFolder> {
  const root = await Deno.makeTempDir();
  const folder = join(root, "archives");
  await fill(folder);
  return {
    folder,
    cacheFolder: join(root, "cache"),
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

export function sampleFolder(records = 300, naming: Naming = SPECIFICATION_NAMING): Promise<TestFolder> {
  return makeFolder((folder) => makeSample(folder, { records, seed: 1, naming }));
}

/** Records of {@linkcode manyFolder}. */
export const MANY = 10_500;

/** A folder of tiny records: exactly 10,000 in group `most`, the rest in group `few`. */
export function manyFolder(): Promise<TestFolder> {
  const fields = [define("Registry Accession", "string"), define("Group", "string"), define("Rank", "integer")];
  const numbers = Array.from({ length: MANY }, (_, index) => index + 1);
  const encoder = new TextEncoder();
  return makeFolder((folder) =>
    writeArchives(folder, {
      fields,
      sequences: () =>
        numbers.map((number) => ({
          accession: formatAccession(number),
          sequence: encoder.encode(number.toString(4).padStart(8, "0").replace(/./g, (digit) => "ACGT"[Number(digit)])),
        })),
      rows: () => numbers.map((number) => [formatAccession(number), number <= 10_000 ? "most" : "few", String(number)]),
    }, { compression: "portable" })
  );
}

/** A registry behind a socket, over a folder. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  /** The registry as a function, for clients that alter its answers. */
  readonly service: RegistryService;
}

/** A folder of tiny records with two facets: each record's values, by its number counted from 1. */
export function facetedFolder(
  records: number,
  valuesOf: (number: number) => readonly [string, string],
): Promise<TestFolder> {
  const numbers = Array.from({ length: records }, (_, index) => index + 1);
  const encoder = new TextEncoder();
  return makeFolder((folder) =>
    writeArchives(folder, {
      fields: [define("Registry Accession", "string"), define("Country", "string"), define("Host Species", "string")],
      sequences: () =>
        numbers.map((number) => ({ accession: formatAccession(number), sequence: encoder.encode("ACGT") })),
      rows: () => numbers.map((number) => [formatAccession(number), ...valuesOf(number)]),
    }, { compression: "portable" })
  );
}

export async function serveFolder(
  { folder, cacheFolder }: TestFolder,
  naming: Naming = SPECIFICATION_NAMING,
): Promise<TestServer> {
  const store = await openStore(folder, { naming, cacheFolder });
  const service = createRegistryService(store, { naming });
  const server = await serveRegistry(service);
  return {
    url: server.url,
    service,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await store[Symbol.asyncDispose]();
    },
  };
}
