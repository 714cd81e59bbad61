/** The sets of records that a registry offers: all, one of each sequence, one of each cluster. */
import { CATEGORY_COLOURS } from "../chart/palette.ts";
import type { AnalysisLake } from "../source/source.ts";

export interface RecordSet {
  readonly table: string;
  readonly set: string;
  readonly colour: string;
}

const SETS: readonly RecordSet[] = [
  { table: "full_dataset_metadata", set: "all records", colour: CATEGORY_COLOURS[0] },
  { table: "unique_seqs_metadata", set: "unique sequences", colour: CATEGORY_COLOURS[1] },
  { table: "votu_clusters_metadata", set: "representatives", colour: CATEGORY_COLOURS[2] },
];

export function setsOf(lake: AnalysisLake): RecordSet[] {
  return SETS.filter(({ table }) => lake.tables.has(table));
}

/** The message that fewer than two sets cannot be compared. */
export function missingSets(lake: AnalysisLake): string {
  return `There is nothing to compare: the lake has ${[...lake.tables.keys()].join(", ")}, of which two of ${
    SETS.map(({ table }) => table).join(", ")
  } are needed; build it from more archives`;
}
