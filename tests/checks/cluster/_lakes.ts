/** Lakes that the checks of a cluster read, each built once in the cluster's own folder. */
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { makeSample } from "../../../src/embedded/sample/mod.ts";
import { buildLake } from "../../../src/core/tables/mod.ts";
import { makeLake, repeatLake } from "../../bench/_analysis_lake.ts";
import type { Cluster } from "./_cluster.ts";

/** Records up to which a lake is a sample of its own, with sequences; a larger one repeats a sample without them. */
const SAMPLE_RECORDS = 50_000;

/** A lake of so many records, all eight tables. */
export async function lakeOf(cluster: Pick<Cluster, "folder">, records: number): Promise<string> {
  const make = (root: string) => records <= SAMPLE_RECORDS ? makeLake(root, records) : repeatLake(root, records);
  return await lakeNamed(cluster, `lake-${records}`, make);
}

/** A lake of other data: another seed, and one line less in the map of taxa, which is the same for every seed. */
export async function otherLakeOf(cluster: Pick<Cluster, "folder">, records: number): Promise<string> {
  return await lakeNamed(cluster, `other-${records}`, async (root) => {
    const [archives, lake] = [join(root, "archives"), join(root, "lake")];
    await makeSample(archives, { records, seed: 4 });
    const map = join(archives, "reftax1_to_reftax2_map.csv.gz");
    const lines = gunzipSync(await Deno.readFile(map)).toString().trimEnd().split("\n");
    await Deno.writeFile(map, gzipSync(lines.slice(0, -1).join("\n") + "\n"));
    for (const checks of ["manifest.json", "reftax1_to_reftax2_map.sha256"]) await Deno.remove(join(archives, checks));
    await buildLake(archives, lake);
    return lake;
  });
}

async function lakeNamed(
  { folder }: Pick<Cluster, "folder">,
  name: string,
  make: (root: string) => Promise<string>,
): Promise<string> {
  const path = join(folder, "data", name);
  if (await Deno.stat(path).then(() => true, () => false)) return path;
  const root = `${path}.part`;
  await Deno.mkdir(root, { recursive: true });
  await Deno.rename(await make(root), path);
  await Deno.remove(root, { recursive: true });
  return path;
}
