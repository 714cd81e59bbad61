/** Thins the nearest records, so that no group has more than its part. */
import { join } from "node:path";
import type { CandidateRecords } from "./candidate_records.ts";

export interface SpreadOptions {
  readonly records: CandidateRecords;
  /** Accessions, the nearest first. */
  readonly order: readonly string[];
  readonly spread: readonly string[];
  /** Records that are chosen at most. */
  readonly total: number;
  readonly seed: number;
  /** A folder for temporary files. */
  readonly folder: string;
  readonly signal?: AbortSignal;
}

/** The choice, and why others are not in it. */
export interface SpreadRecords {
  readonly chosen: ReadonlySet<string>;
  /** Group of each record, its values joined by `|`; absent if the month or week of a date is not known. */
  readonly groupOf: ReadonlyMap<string, string>;
  readonly reasonOf: ReadonlyMap<string, string>;
}

const NEARNESS = "seqreg_nearness";

/** Share of the set that are the nearest records, whatever their group. */
const NEAREST_SHARE = 0.25;

/** Chooses as evenly over the groups as these allow, within a group the nearest ones. */
export async function spreadRecords(options: SpreadOptions): Promise<SpreadRecords> {
  const { records, order, spread, total, seed, folder, signal } = options;
  const { subsample } = await import("@seqreg/curation/subsample");
  const table = join(folder, "candidates.tsv");
  const lines = order.map((accession, rank) => [...records.rows.get(accession)!, String(order.length - rank)]);
  await Deno.writeTextFile(
    table,
    [[...records.fields, NEARNESS], ...lines].map((line) => `${line.join("\t")}\n`).join(""),
  );
  const draw = { by: spread, priority: NEARNESS, seed, signal };
  const include = order.slice(0, Math.ceil(total * NEAREST_SHARE));
  await using sample = await subsample(table, { ...draw, total, include });
  const chosen = new Set(await Array.fromAsync(sample.accessions()));
  const reasonOf = new Map<string, string>();
  for await (const { accession, reason } of sample.excludedRecords()) reasonOf.set(accession, reason);
  // Groups are known of the records that are not drawn, and of the group that one record is drawn of.
  await using single = await subsample(table, { ...draw, total: 1 });
  await single.save(join(folder, "single"));
  const undrawn = (await Deno.readTextFile(join(folder, "single", "excluded.tsv"))).split("\n").slice(1, -1);
  const groupOf = new Map<string, string>();
  for (const [accession, , group] of undrawn.map((line) => line.split("\t"))) {
    if (group !== "") groupOf.set(accession, group);
  }
  const group = single.groups.find(({ drawn }) => drawn === 1)?.group;
  for await (const accession of single.accessions()) if (group !== undefined) groupOf.set(accession, group);
  return { chosen, groupOf, reasonOf };
}
