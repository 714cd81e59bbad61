/** Lengths of sequences with their counts, and bins of them that are equally wide on an axis of logarithms. */
import { Outliers, outside, rangeOf } from "./plausible.ts";
import { type Run, total } from "./run.ts";
import type { Role } from "../source/roles.ts";

/** A length and how many sequences have it. */
export interface LengthCount {
  readonly length: number;
  readonly count: number;
}

export interface Lengths {
  /** Those that a sequence can have, from the shortest. */
  readonly shown: readonly LengthCount[];
  /** Number of sequences that have them. */
  readonly n: number;
  /** Number of values that no sequence can have. */
  readonly excluded: number;
  /** Describes them; `undefined` if the list is empty. */
  readonly note: string | undefined;
  /** Number of records without a value. */
  readonly missing: number;
}

/** Counts records by length; those that are not plausible are left out and named. */
export async function tallyLengths(run: Run<"length", Role>): Promise<Lengths> {
  const range = rangeOf(run.options.plausible, "length");
  const shown: LengthCount[] = [];
  const outliers = new Outliers();
  let missing = 0;
  for (const { keys: [value], count } of await run.tally({ length: run.col("length") })) {
    const length = Number(value);
    if (value === null) missing += count;
    else if (length >= Math.max(range[0], 1) && length <= range[1]) shown.push({ length, count });
    else outliers.add(value, count);
  }
  shown.sort((a, b) => a.length - b.length);
  const note = outliers.note(`a length ${outside(range, "bp")} in ${run.name("length")}`);
  return { shown, n: total(shown), excluded: outliers.records, note, missing };
}

/** Counts lengths in bins between edges; lengths ascend and lie between the edges. */
export function fillBins(
  lengths: readonly LengthCount[],
  edges: readonly number[],
): { from: number; to: number; records: number }[] {
  const bins = edges.slice(0, -1).map((from, index) => ({ from, to: edges[index + 1] - 1, records: 0 }));
  let bin = 0;
  for (const { length, count } of lengths) {
    while (length >= edges[bin + 1]) bin++;
    bins[bin].records += count;
  }
  return bins;
}

/** Ten bins in a decade, or as many as make a dozen where lengths are close. */
export function finerBins(shortest: number, longest: number): number {
  const decades = Math.log10(longest / shortest);
  return [10, 20, 50, 100, 200, 500, 1000, 2000, 5000].find((bins) => decades * bins >= 12) ?? 10;
}

/** Whole numbers at which bins begin, around all lengths; the last one is beyond the longest. */
export function logEdges(shortest: number, longest: number, perDecade: number): number[] {
  const edge = (index: number) =>
    index % perDecade === 0 ? 10 ** (index / perDecade) : Math.ceil(10 ** (index / perDecade));
  let index = Math.floor(Math.log10(shortest) * perDecade) + 1;
  while (index > 0 && edge(index) > shortest) index--;
  const edges = [edge(index)];
  while (edges[edges.length - 1] <= longest) {
    const next = edge(++index);
    if (next > edges[edges.length - 1]) edges.push(next);
  }
  return edges;
}

/** The median of values with counts; of two middle ones their mean. */
export function middle(values: readonly LengthCount[], n: number): number {
  const at = (rank: number) => {
    let before = 0;
    for (const { length, count } of values) if ((before += count) >= rank) return length;
    return values[values.length - 1].length;
  };
  return (at(Math.floor((n + 1) / 2)) + at(Math.ceil((n + 1) / 2))) / 2;
}
