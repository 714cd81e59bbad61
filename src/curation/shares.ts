/** How many records each group gives to a sample. */

/** A group to draw from. */
export interface DrawnGroup {
  /** Records that can be drawn. */
  readonly size: number;
  /** Records that are drawn whatever the shares. */
  readonly forced: number;
  /** Weight; groups of equal weight get equally many, as far as they have them. */
  readonly weight: number;
  /** Which of several groups gets a record more, where not all can: the least first. */
  readonly order: bigint;
}

/** The same number of each group. */
export function sharesPerGroup(groups: readonly DrawnGroup[], perGroup: number): number[] {
  return groups.map(({ size, forced }) => Math.max(forced, Math.min(size, perGroup)));
}

/**
 * Shares of a total that are as near to the weights as sizes allow: what a group lacks goes to the others. Records that
 * are forced count towards the share of their group, and are drawn where it is smaller.
 */
export function sharesOfTotal(groups: readonly DrawnGroup[], total: number): number[] {
  const fixed = new Map<number, number>();
  for (;;) {
    const left = Math.max(0, total - [...fixed.values()].reduce((sum, share) => sum + share, 0));
    const free = groups.flatMap((group, at) => fixed.has(at) ? [] : [{ ...group, at }]);
    const shares = fill(free, left);
    const above = free.filter(({ forced }, index) => forced > shares[index]);
    if (above.length === 0) {
      const found = new Map(free.map(({ at }, index) => [at, shares[index]]));
      return groups.map((_, at) => fixed.get(at) ?? found.get(at) ?? 0);
    }
    for (const { at, forced } of above) fixed.set(at, forced);
  }
}

/** Fills groups to one level of records by weight; the rest goes to the largest fractions. */
function fill(groups: readonly DrawnGroup[], total: number): number[] {
  const level = levelOf(groups, total);
  const exact = groups.map(({ size, weight }) => Math.min(size, level * weight));
  // A level is a quotient: a share that is whole but for rounding is whole.
  const shares = exact.map((share) => Math.floor(share + 1e-9));
  let left = Math.min(total, groups.reduce((sum, { size, weight }) => sum + (weight > 0 ? size : 0), 0)) -
    shares.reduce((sum, share) => sum + share, 0);
  const order = groups.map((_, at) => at).filter((at) => groups[at].weight > 0 && shares[at] < groups[at].size)
    .map((at) => ({ at, fraction: Math.max(0, exact[at] - shares[at]), order: groups[at].order }))
    .sort((a, b) => Math.abs(a.fraction - b.fraction) > 1e-9 ? b.fraction - a.fraction : a.order < b.order ? -1 : 1);
  for (const { at } of order) {
    if (left <= 0) break;
    shares[at]++;
    left--;
  }
  return shares;
}

/** The number of records for a weight of 1 at which the shares sum to the total. */
function levelOf(groups: readonly DrawnGroup[], total: number): number {
  const full = groups.filter(({ weight }) => weight > 0)
    .map(({ size, weight }) => ({ size, weight, level: size / weight }))
    .sort((a, b) => a.level - b.level);
  let weights = full.reduce((sum, { weight }) => sum + weight, 0);
  let left = total;
  for (const { size, weight, level } of full) {
    if (level * weights >= left) return left / weights;
    left -= size;
    weights -= weight;
  }
  return full.at(-1)?.level ?? 0;
}
