/** Archives, and a store on loopback to build lakes in. */
import { dirname, join } from "node:path";
import { type BuildLakeOptions, type BuiltTable } from "../../../../../src/core/tables/mod.ts";
import { buildAnyLakeBy } from "../../../../../src/core/tables/lake/objects/build_any_lake.ts";
import { type S3Stub, startS3Stub } from "../../../io/objects/_s3_stub.ts";
import { accession, DEFINITIONS, inFolder, writeGzip } from "../../_lake_files.ts";

/** Address of the lake in the stub's bucket. */
export const LAKE = "s3://lakes/registry/2026";

export interface ObjectLakeTest {
  readonly stub: S3Stub;
  /** A folder of archives `a.csv.gz` and `b.csv.gz`. */
  readonly folder: string;
  readonly store: NonNullable<BuildLakeOptions["store"]>;
  /** Builds the lake of archives of the folder, with several parts in a table. */
  build(names: readonly string[], options?: BuildLakeOptions): Promise<BuiltTable[]>;
  /** Keys of the bucket, sorted. */
  keys(): string[];
}

/** Copies what a bucket holds below the lake's prefix into a folder, as `aws s3 sync` does. */
export async function copyLake(stub: S3Stub, folder: string): Promise<string> {
  for (const [key, { bytes }] of stub.objects) {
    if (!key.startsWith("registry/2026/")) continue;
    const path = join(folder, key.slice("registry/2026/".length));
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeFile(path, bytes);
  }
  return folder;
}

/** Metadata with some values that do not fit their type. */
export function metadataText(records: number, country = "Kenya"): string {
  const rows = Array.from(
    { length: records },
    (_, row) => `${accession(row)},${row % 7 === 0 ? "many" : row},${row % 3} years,${country},a;b`,
  );
  return `Registry Accession,Whole,Years,Note,Hosts\n${rows.join("\n")}\n`;
}

/** Runs a test with a store and two archives of records. */
export async function withObjectLake(run: (test: ObjectLakeTest) => Promise<void>, records = 400): Promise<void> {
  await using stub = startS3Stub();
  await inFolder(async (folder) => {
    await writeGzip(`${folder}/a.csv.gz`, metadataText(records));
    await writeGzip(`${folder}/b.csv.gz`, metadataText(records, "Peru"));
    const { endpoint, region, key } = stub;
    const store = { endpoint, region, key };
    await run({
      stub,
      folder,
      store,
      build: (names, options = {}) =>
        buildAnyLakeBy({ partBytes: 4096 }, names.map((name) => `${folder}/${name}.csv.gz`), LAKE, {
          definitions: DEFINITIONS,
          store,
          ...options,
        }),
      keys: () => [...stub.objects.keys()].sort(),
    });
  });
}
