/**
 * The distribution of delays of which only those are seen that have ended: the product-limit estimator in reverse time.
 *
 * A delay is seen if it is not longer than the time between its beginning and the day of the data. Taken backwards,
 * from long to short, this is left truncation, and the share of delays below x is a product over all longer ones seen,
 * each of 1 − d/n: d delays are that long, n are not longer and began early enough to be seen if they were that long
 * (Lagakos, Barraj and De Gruttola 1988, Biometrika 75:515). What is longer than the longest possible delay is not in
 * the data at all, so that shares are those among delays up to a longest one.
 */

/** A number of days, and how many have it. */
export interface DayCount {
  readonly days: number;
  readonly count: number;
}

/** The share of delays that are not longer than so many days. */
export interface DelayShare {
  readonly days: number;
  /** Among delays up to the longest that is looked at. */
  readonly share: number;
  /** 95 % interval, by Greenwood's variance on a scale of log(−log). */
  readonly low: number;
  readonly high: number;
}

export interface DelayDistribution {
  /** The longest delay that is looked at. */
  readonly upTo: number;
  /** By rising days; the last has all. */
  readonly shares: readonly DelayShare[];
}

/** Delays that must be at risk at the longest that is looked at. */
export const LEAST_AT_RISK = 10;
const SIDES = 1.959963984540054;

/**
 * Estimates the distribution of delays; `undefined` where too few are at risk at any length.
 *
 * @param windows The same records by the days from their beginning to the day of the data: the longest delay that would
 * have been seen.
 * @param upTo The longest delay to look at; by default the longest at which ten are at risk.
 */
export function delayDistribution(
  delays: readonly DayCount[],
  windows: readonly DayCount[],
  upTo = Infinity,
): DelayDistribution | undefined {
  const rising = merged(delays);
  const ends = merged(windows);
  let [seen, ended, window] = [0, 0, 0];
  const steps = rising.map(({ days, count }) => {
    for (; window < ends.length && ends[window].days < days; window++) ended += ends[window].count;
    const shorter = seen;
    seen += count;
    return { days, count, atRisk: seen - ended, shorter };
  });
  // Where all at risk end, those that are shorter had no time for it: what part they are is unknown.
  const unknown = steps.findIndex(({ days, count, atRisk, shorter }) =>
    days > upTo || atRisk <= count && shorter >= LEAST_AT_RISK
  );
  const known = unknown < 0 ? steps : steps.slice(0, unknown);
  const longest = known.findLastIndex(({ atRisk }) => atRisk >= LEAST_AT_RISK);
  if (longest < 0) return undefined;
  let [share, variance] = [1, 0];
  const shares: DelayShare[] = [];
  for (let at = longest; at >= 0; at--) {
    const { days, count, atRisk } = steps[at];
    shares.push({ days, share, ...intervalOf(share, variance) });
    share *= 1 - count / atRisk;
    variance += count / (atRisk * (atRisk - count));
  }
  return { upTo: steps[longest].days, shares: shares.reverse() };
}

/** The share at a number of days: that of the last step before it. */
export function shareAt({ shares }: DelayDistribution, days: number): DelayShare {
  let [low, high] = [0, shares.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (shares[middle].days <= days) low = middle + 1;
    else high = middle;
  }
  return shares[low - 1] ?? { days, share: 0, low: 0, high: 0 };
}

/**
 * The least number of days by which a part of the delays have ended; with the ends of its interval, where it has one.
 */
export function quantileOf(
  { shares }: DelayDistribution,
  part: number,
): { readonly days: number; readonly low: number; readonly high: number } {
  const first = (of: (share: DelayShare) => number) =>
    (shares.find((share) => of(share) >= part) ?? shares[shares.length - 1]).days;
  return { days: first(({ share }) => share), low: first(({ high }) => high), high: first(({ low }) => low) };
}

function intervalOf(share: number, variance: number): { readonly low: number; readonly high: number } {
  if (share >= 1 || share <= 0) return { low: share, high: share };
  const side = SIDES * Math.sqrt(variance) / Math.log(share);
  return { low: share ** Math.exp(-side), high: share ** Math.exp(side) };
}

function merged(counts: readonly DayCount[]): DayCount[] {
  const byDay = new Map<number, number>();
  for (const { days, count } of counts) byDay.set(days, (byDay.get(days) ?? 0) + count);
  return [...byDay].map(([days, count]) => ({ days, count })).sort((a, b) => a.days - b.days);
}
