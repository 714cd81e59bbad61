/** Lakes that the analyses are held to: the sample, and the real sets packed as archives. */
import { join } from "node:path";
import { buildLake } from "../../src/core/tables/lake/objects/build_any_lake.ts";
import { type Lake, openLake } from "../../src/core/tables/lake/open/open_lake.ts";
import { makeSample } from "../../src/embedded/sample/make_sample.ts";
import { packArchives } from "../../src/embedded/sample/pack/pack_archives.ts";
import { REAL_DATA } from "../_needs.ts";

/** A lake with its folder, removed at the end. */
export interface World extends AsyncDisposable {
  readonly lake: Lake;
}

/** Records of the sample's lake. */
const RECORDS = 1500;

/** A lake of the sample: all eight tables. */
export async function sampleWorld(): Promise<World> {
  return await makeWorld((folder) => makeSample(folder, { records: RECORDS, seed: 7 }));
}

/** Names of the real sets, with their FASTA. */
export const REAL_SETS: Readonly<Record<string, string>> = { zika: "sequences.fasta", sarscov2: "sequences.fasta.gz" };

/** A lake of a real set. */
export async function realWorld(name: string): Promise<World> {
  const real = REAL_DATA;
  if (real === undefined) throw new Error("no real data beside the checkout");
  return await makeWorld((folder) =>
    packArchives({
      fasta: new URL(`${name}/${REAL_SETS[name]}`, real).pathname,
      metadata: new URL(`${name}/metadata.tsv`, real).pathname,
      folder,
    })
  );
}

async function makeWorld(makeArchives: (folder: string) => Promise<unknown>): Promise<World> {
  const root = await Deno.makeTempDir();
  await makeArchives(join(root, "archives"));
  await buildLake(join(root, "archives"), join(root, "lake"));
  const lake = await openLake(join(root, "lake"));
  return {
    lake,
    [Symbol.asyncDispose]: async () => {
      await lake[Symbol.asyncDispose]();
      await Deno.remove(root, { recursive: true });
    },
  };
}
