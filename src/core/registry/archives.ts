/** Dataset archives of a `Registry`: one, or several as a lake. */
import { type CacheMode, fetchArchive } from "../datasets/mod.ts";
import { noteReleases } from "../contract/answers/release_mark.ts";
import { ARCHIVE_IDS, findArchive } from "../contract/datasets.ts";
import { checkOptions } from "../options/check_options.ts";
import { ARCHIVE_LAKE_OPTIONS, openLakeOfArchives } from "./definitions/archive_lake.ts";
import type { RegistryContext } from "./operations/context.ts";
import { type DatasetOptions, LAKE_OPTIONS, type RegistryLakeOptions } from "./registry_options.ts";
import { type CitedLake, citeLake } from "./results/cited_lake.ts";
import { DatasetResult } from "./results/dataset_result.ts";

/** A registry whose archives are asked for. */
export interface DatasetContext extends RegistryContext {
  readonly cache: string;
  /** When the registry is asked, unless an option says otherwise. */
  readonly mode: CacheMode;
}

/** Gets an archive from the cache or the registry, verified. */
export async function getDataset(
  { client, naming, place, definitions, cache, mode }: DatasetContext,
  name: string,
  options: DatasetOptions,
): Promise<DatasetResult> {
  const archive = await fetchArchive(client, name, { ...options, mode: options.mode ?? mode, registry: place, cache });
  return new DatasetResult(archive, { definitions, naming, cache });
}

export function checkLakeOptions(options: RegistryLakeOptions): void {
  checkOptions("lake()", options, { ...ARCHIVE_LAKE_OPTIONS, ...LAKE_OPTIONS });
}

/** Gets the archives, one after the other, and opens them as one lake. */
export async function openRegistryLake(context: DatasetContext, options: RegistryLakeOptions): Promise<CitedLake> {
  const { naming, definitions, cache } = context;
  const { archives = ARCHIVE_IDS, mode, ...rest } = options;
  const ids = [...new Set(archives.map((name) => findArchive(name, naming)))];
  if (ids.length === 0) throw new RangeError("Cannot open a lake without archives: name at least one of the eight");
  const { onProgress, signal } = rest;
  const getAll = async () => {
    const found: DatasetResult[] = [];
    for (const id of ids) found.push(await getDataset(context, id, { mode, onProgress, signal }));
    return { found, entries: noteReleases(releasesOf(found), { what: "the archives", next: "open the lake again" }) };
  };
  let { found, entries } = await getAll();
  // What is of the older release is replaced; the rest is only compared with its checksum file.
  if (entries.length > 0) ({ found, entries } = await getAll());
  const lake = await openLakeOfArchives(found, { definitions, naming, cache }, rest);
  const provenances = new Map(found.map(({ id, provenance }) => [id, provenance]));
  return citeLake(lake, { provenances, naming, entries });
}

/** Names of archives by the release that they are of, as far as it is stated. */
function releasesOf(archives: readonly DatasetResult[]): ReadonlyMap<string, readonly string[]> {
  const releases = new Map<string, string[]>();
  for (const { name, release } of archives) {
    if (release !== undefined) releases.set(release, [...releases.get(release) ?? [], name]);
  }
  return releases;
}
