/**
 * Hill numbers of kinds by how often each was seen: expected in smaller collections, estimated for larger ones.
 *
 * The definitions are those of the R package iNEXT (Chao et al. 2014, Ecological Monographs 84:45; Chao and Jost 2012,
 * Ecology 93:2533). Order 0 is the number of kinds, 1 the exponential of Shannon's entropy, 2 the inverse of Simpson's
 * concentration.
 */
import { harmonic, logarithmTail, logFactorial } from "./special_functions.ts";

/** An order of Hill numbers. */
export type HillOrder = 0 | 1 | 2;

/** Means below which Shannon's entropy of a draw is summed term by term; beyond, a series is within 1e-6 of it. */
const SUMMED = 100;
/** Terms of less than this part of the greatest are left out. */
const NEGLIGIBLE = 1e-14;

/** Kinds and how often they were seen. */
export class Abundances {
  /** Records. */
  readonly n: number;
  /** Kinds seen. */
  readonly seen: number;
  /** Kinds not seen, by Chao's lower bound: (n−1)/n · f1²/(2 f2), and (n−1)/n · f1 (f1−1)/2 where f2 is 0. */
  readonly unseen: number;
  /** How often kinds were seen, with the number of kinds seen so often. */
  readonly counts: ReadonlyMap<number, number>;
  /** By what a record that is added makes unseen kinds fewer. */
  readonly #decay: number;
  readonly #once: number;
  readonly #twice: number;

  readonly #summed: number;
  /** log((n − times)!) in the order of the counts. */
  #logOthers: number[] | undefined;

  /**
   * Takes the number of kinds by how often each was seen.
   *
   * @param counts How often kinds were seen, with the number of kinds seen so often.
   * @param summed Means below which entropies of draws are summed term by term: fewer are quicker and less exact.
   */
  constructor(counts: ReadonlyMap<number, number>, summed = SUMMED) {
    let [n, seen] = [0, 0];
    for (const [times, kinds] of counts) {
      n += times * kinds;
      seen += kinds;
    }
    const [once, twice] = [counts.get(1) ?? 0, counts.get(2) ?? 0];
    this.counts = counts;
    this.#summed = summed;
    this.n = n;
    this.seen = seen;
    this.unseen = n === 0 ? 0 : (n - 1) / n * (twice > 0 ? once ** 2 / (2 * twice) : once * (once - 1) / 2);
    this.#once = once;
    this.#twice = twice;
    this.#decay = once === 0 ? 0 : n * this.unseen / (n * this.unseen + once);
  }

  /** Chao1: kinds seen and unseen, at least. */
  get chao1(): number {
    return this.seen + this.unseen;
  }

  /** The share of the whole that the kinds of so many records make up (Chao and Jost). */
  coverage(records: number): number {
    const { n, counts } = this;
    if (records >= n) return 1 - this.#once / n * this.#decay ** (records - n + 1);
    let missing = 0;
    for (const [times, kinds] of counts) {
      if (n - times < records) continue;
      missing += kinds * times / n *
        Math.exp(
          logFactorial(n - times) + logFactorial(n - 1 - records) - logFactorial(n - times - records) -
            logFactorial(n - 1),
        );
    }
    return 1 - missing;
  }

  /** The Hill number of an order among so many records: expected up to those there are, estimated beyond. */
  hill(order: HillOrder, records: number): number {
    if (order === 0) return this.#kinds(records);
    if (order === 1) return this.#shannon(records);
    return 1 / (1 / records + (records - 1) / records * this.#concentration());
  }

  /** Estimated limit of the Hill number for ever larger collections. */
  asymptote(order: HillOrder): number {
    if (order === 0) return this.chao1;
    return order === 1 ? Math.exp(this.#endlessEntropy()) : 1 / this.#concentration();
  }

  /** The chance that two records are of one kind, without bias. */
  #concentration(): number {
    const { n, counts } = this;
    if (n < 2) return 1;
    let sum = 0;
    for (const [times, kinds] of counts) sum += kinds * (times / n) * ((times - 1) / (n - 1));
    return sum;
  }

  #kinds(records: number): number {
    const { n, seen, unseen, counts } = this;
    if (records >= n) return seen + unseen * (1 - this.#decay ** (records - n));
    this.#logOthers ??= [...counts.keys()].map((times) => logFactorial(n - times));
    const fixed = logFactorial(n - records) - logFactorial(n);
    let [sum, at] = [0, 0];
    for (const [times, kinds] of counts) {
      const others = this.#logOthers[at++];
      const none = n - times < records ? 0 : Math.exp(others + fixed - logFactorial(n - times - records));
      sum += kinds * (1 - none);
    }
    return sum;
  }

  #shannon(records: number): number {
    const { n, counts } = this;
    if (records < n) {
      let sum = 0;
      for (const [times, kinds] of counts) sum += kinds * meanOfXLogX({ n, times, records, summed: this.#summed });
      return Math.exp(Math.log(records) - sum / records);
    }
    let [sum, change] = [0, 0];
    for (const [times, kinds] of counts) {
      sum += kinds * times * Math.log(times);
      if (times > 1) change += kinds * (times / n) * (Math.log(times) - (times - 1) * Math.log1p(-1 / times));
    }
    const all = Math.exp(Math.log(n) - sum / n);
    if (records === n || n < 2) return all;
    const endless = this.asymptote(1);
    // What one record less has: in logarithms, so that nothing is lost where there are millions.
    const less = all * Math.expm1(Math.log1p(-1 / n) - sum / n / (n - 1) + change / (n - 1));
    const gap = endless - all;
    return gap <= 0 ? all : all + gap * (1 - (1 - -less / (gap - less)) ** (records - n));
  }

  #endlessEntropy(): number {
    const { n, counts } = this;
    if (n < 2) return 0;
    let sum = 0;
    for (const [times, kinds] of counts) {
      if (times < n) sum += kinds * times / n * (harmonic(n - 1) - harmonic(times - 1));
    }
    const [once, twice] = [this.#once, this.#twice];
    const share = twice > 0 ? 2 * twice / ((n - 1) * once + 2 * twice) : once > 0 ? 2 / ((n - 1) * (once - 1) + 2) : 1;
    if (once === 0 || share >= 1) return sum;
    // What the estimator subtracts from a logarithm are the first n − 1 terms of its series: the rest is summed itself.
    return sum + once / n * logarithmTail(n, -Math.log1p(-share));
  }
}

/** E(X log X) for X of a kind seen `times` among `n`, in a draw of so many records without replacement. */
function meanOfXLogX(
  { n, times, records, summed }: {
    readonly n: number;
    readonly times: number;
    readonly records: number;
    readonly summed: number;
  },
): number {
  const mean = records * times / n;
  if (mean > summed) {
    const share = times / n;
    const variance = mean * (1 - share) * (n - records) / (n - 1);
    const third = variance * (1 - 2 * share) * (n - 2 * records) / (n - 2);
    const fourth = 3 * variance ** 2 + variance;
    return mean * Math.log(mean) + variance / (2 * mean) - third / (6 * mean ** 2) + fourth / (12 * mean ** 3);
  }
  const [least, most] = [Math.max(0, records + times - n), Math.min(times, records)];
  const others = n - times - records;
  const mode = Math.min(most, Math.max(least, Math.floor((records + 1) * (times + 1) / (n + 2))));
  // Shares relative to that of the most likely count: their sum scales them, so that no factorial is needed.
  let [all, sum] = [1, xLogX(mode)];
  for (let count = mode, share = 1; count < most;) {
    share *= (times - count) * (records - count) / ((count + 1) * (others + count + 1));
    count++;
    if (share < NEGLIGIBLE) break;
    all += share;
    sum += share * xLogX(count);
  }
  for (let count = mode, share = 1; count > least;) {
    share *= count * (others + count) / ((times - count + 1) * (records - count + 1));
    count--;
    if (share < NEGLIGIBLE) break;
    all += share;
    sum += share * xLogX(count);
  }
  return sum / all;
}

const X_LOG_X: number[] = [0, 0];

function xLogX(x: number): number {
  for (let next = X_LOG_X.length; next <= x; next++) X_LOG_X.push(next * Math.log(next));
  return X_LOG_X[x];
}
