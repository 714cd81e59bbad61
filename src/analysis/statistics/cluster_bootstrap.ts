/**
 * How sure ratios of shares are where records come in groups, such as those of one submitter: whole groups are drawn
 * anew, since records of one are not independent.
 */
import { normalTail } from "./special_functions.ts";
import { Random } from "./random.ts";

/** Records of one group with one value, in both sets. */
export interface GroupCell {
  readonly group: number;
  readonly value: number;
  /** Records in the one set. */
  readonly one: number;
  /** Records in the other. */
  readonly other: number;
}

/** A ratio of shares, and how sure it is. */
export interface SharesRatio {
  /** Share of the value in the one set by that in the other; `undefined` where the other has none. */
  readonly ratio?: number;
  /** Groups with the value. */
  readonly groups: number;
  /** Interval of 95 %, and the chance of such a ratio where the shares are the same; absent for too few groups. */
  readonly sure?: { readonly low: number; readonly high: number; readonly p: number };
}

/** Groups that a value must have for an interval: fewer, drawn anew, are nearly always the same. */
export const LEAST_GROUPS = 10;
const MOST_REPLICATES = 1000;
const LEAST_REPLICATES = 200;
/** Cells that are added up in all replicates together, about a second. */
const MOST_SUMS = 2e8;
const SIDES = 1.959963984540054;

/** Replicates for so many cells. */
export function replicatesFor(cells: number): number {
  return Math.max(LEAST_REPLICATES, Math.min(MOST_REPLICATES, Math.floor(MOST_SUMS / Math.max(1, cells))));
}

/**
 * Ratios of shares by value, with intervals of a seeded bootstrap over groups: of 95 % by the normal distribution of
 * their logarithms.
 */
export function ratiosOfShares(
  cells: readonly GroupCell[],
  { values, groups, seed }: { readonly values: number; readonly groups: number; readonly seed: number },
): SharesRatio[] {
  const [group, value, one, other] = (["group", "value", "one", "other"] as const)
    .map((key) => Float64Array.from(cells, (cell) => cell[key]));
  const [ones, others] = [new Float64Array(values), new Float64Array(values)];
  const logarithms = (weights: Float64Array | undefined, into: Float64Array) => {
    ones.fill(0);
    others.fill(0);
    let [allOnes, allOthers] = [0, 0];
    for (let at = 0; at < cells.length; at++) {
      const weight = weights === undefined ? 1 : weights[group[at]];
      if (weight === 0) continue;
      ones[value[at]] += weight * one[at];
      others[value[at]] += weight * other[at];
      allOnes += weight * one[at];
      allOthers += weight * other[at];
    }
    for (let at = 0; at < values; at++) into[at] = Math.log(ones[at] / allOnes / (others[at] / allOthers));
  };
  const observed = new Float64Array(values);
  logarithms(undefined, observed);
  const random = new Random(seed);
  const drawn = new Float64Array(values);
  const [sums, squares, times] = [0, 1, 2].map(() => new Float64Array(values));
  for (let replicate = replicatesFor(cells.length); replicate > 0; replicate--) {
    const weights = new Float64Array(groups);
    for (let draw = 0; draw < groups; draw++) weights[Math.floor(random.uniform() * groups)]++;
    logarithms(weights, drawn);
    for (let at = 0; at < values; at++) {
      const off = drawn[at] - observed[at];
      // Without a record of the value in either set there is no ratio.
      if (!Number.isFinite(off)) continue;
      sums[at] += off;
      squares[at] += off ** 2;
      times[at]++;
    }
  }
  const groupsOf = new Float64Array(values);
  const seen = new Set<number>();
  for (let at = 0; at < cells.length; at++) {
    const pair = value[at] * groups + group[at];
    if (!seen.has(pair)) groupsOf[value[at]]++;
    seen.add(pair);
  }
  return Array.from(observed, (logarithm, at): SharesRatio => {
    const found = { groups: groupsOf[at], ...Number.isFinite(logarithm) && { ratio: Math.exp(logarithm) } };
    if (groupsOf[at] < LEAST_GROUPS || !Number.isFinite(logarithm) || times[at] < LEAST_REPLICATES / 2) return found;
    const variance = (squares[at] - sums[at] ** 2 / times[at]) / (times[at] - 1);
    const error = Math.sqrt(Math.max(0, variance));
    if (error === 0) return found;
    return {
      ...found,
      sure: {
        low: Math.exp(logarithm - SIDES * error),
        high: Math.exp(logarithm + SIDES * error),
        p: 2 * normalTail(Math.abs(logarithm) / error),
      },
    };
  });
}

/**
 * Adjusts chances for their number, by Benjamini and Hochberg (1995): of values below 5 % at most 5 % are expected to
 * be by chance.
 */
export function benjaminiHochberg(chances: readonly number[]): number[] {
  const order = chances.map((_, at) => at).sort((a, b) => chances[b] - chances[a]);
  const adjusted = new Array<number>(chances.length);
  let least = 1;
  for (const [behind, at] of order.entries()) {
    least = Math.min(least, chances[at] * chances.length / (chances.length - behind));
    adjusted[at] = least;
  }
  return adjusted;
}
