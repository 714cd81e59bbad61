/** How well two ways of naming or measuring the same things agree. */

const SIDES = 1.959963984540054;

/** Things that one way names so and the other so. */
export interface NamePair {
  readonly one: string;
  readonly other: string;
  readonly count: number;
}

/** Agreement beyond chance. */
export interface Kappa {
  readonly n: number;
  /** Share of things with the same name. */
  readonly agreed: number;
  /** Cohen's kappa; `undefined` where both ways have one and the same name alone, so that chance agrees as well. */
  readonly kappa?: { readonly value: number; readonly low: number; readonly high: number };
}

/**
 * Cohen's kappa, (pₒ − pₑ) / (1 − pₑ), with the interval of 95 % by the variance of Fleiss, Cohen and Everitt (1969,
 * Psychological Bulletin 72:323).
 */
export function cohensKappa(pairs: readonly NamePair[]): Kappa {
  const n = pairs.reduce((sum, { count }) => sum + count, 0);
  const [ones, others] = [new Map<string, number>(), new Map<string, number>()];
  const add = (to: Map<string, number>, name: string, share: number) => to.set(name, (to.get(name) ?? 0) + share);
  let agreed = 0;
  for (const { one, other, count } of pairs) {
    add(ones, one, count / n);
    add(others, other, count / n);
    if (one === other) agreed += count;
  }
  let chance = 0;
  for (const [name, share] of ones) chance += share * (others.get(name) ?? 0);
  if (n === 0 || chance >= 1 - 1e-12) return { n, agreed: n === 0 ? 0 : agreed / n };
  const value = (agreed / n - chance) / (1 - chance);
  let [same, different] = [0, 0];
  for (const { one, other, count } of pairs) {
    if (one === other) same += count / n * (1 - (ones.get(one)! + others.get(one)!) * (1 - value)) ** 2;
    else different += count / n * ((others.get(one) ?? 0) + (ones.get(other) ?? 0)) ** 2;
  }
  const variance = (same + (1 - value) ** 2 * different - (value - chance * (1 - value)) ** 2) / (1 - chance) ** 2 / n;
  const side = SIDES * Math.sqrt(Math.max(0, variance));
  return { n, agreed: agreed / n, kappa: { value, low: Math.max(-1, value - side), high: Math.min(1, value + side) } };
}

export interface DifferenceSums {
  readonly n: number;
  readonly sum: number;
  readonly squares: number;
}

/** Limits between which 95 % of differences lie, with intervals of 95 %. */
export interface LimitsOfAgreement {
  /** Mean difference. */
  readonly bias: number;
  /** Standard deviation of the differences. */
  readonly sd: number;
  readonly low: number;
  readonly high: number;
  /** What the mean difference may be off by. */
  readonly biasSide: number;
  /** What each limit may be off by. */
  readonly limitSide: number;
}

/**
 * Bland and Altman's limits of agreement (1986, Lancet 327:307): mean ± 1.96 SD, each limit with variance 3 SD² / n.
 */
export function limitsOfAgreement({ n, sum, squares }: DifferenceSums): LimitsOfAgreement | undefined {
  if (n < 2) return undefined;
  const bias = sum / n;
  const sd = Math.sqrt(Math.max(0, squares - sum * bias) / (n - 1));
  const side = 1.96 * sd;
  return {
    bias,
    sd,
    low: bias - side,
    high: bias + side,
    biasSide: SIDES * sd / Math.sqrt(n),
    limitSide: SIDES * Math.sqrt(3 / n) * sd,
  };
}
