/** How far estimates of Hill numbers may lie from what other collections of the same size would show. */
import { Abundances, type HillOrder } from "./hill_numbers.ts";
import { Random } from "./random.ts";

/** Sizes at which standard errors are computed; between them they are interpolated. */
const MOST_SIZES = 24;
/** Kinds up to which each is drawn on its own, and means beyond which each is: their shares would come to 0. */
const FEW = 32;
const FREQUENT = 400;
/** Entropies of draws that only differences are taken of need not be exact. */
const SUMMED = 10;

/**
 * Standard errors by order and size, from collections drawn of an estimated whole: kinds seen a little rarer than they
 * were, and the unseen ones that Chao1 estimates, as in iNEXT. Records of each kind are drawn by Poisson's
 * distribution, kinds seen equally often together, so that the time does not grow with the number of kinds.
 */
export function hillErrors(
  seen: Abundances,
  { orders, sizes, replicates, seed }: {
    readonly orders: readonly HillOrder[];
    /** Rising. */
    readonly sizes: readonly number[];
    readonly replicates: number;
    readonly seed: number;
  },
): Map<HillOrder, number[]> {
  const at = Array.from(
    { length: Math.min(MOST_SIZES, sizes.length) },
    (_, index, last = Math.min(MOST_SIZES, sizes.length) - 1) =>
      sizes[last === 0 ? 0 : Math.round(index / last * (sizes.length - 1))],
  );
  const random = new Random(seed);
  const whole = estimatedWhole(seen);
  const sums = orders.map(() => at.map(() => ({ sum: 0, squares: 0 })));
  const shift = orders.map((order) => at.map((records) => seen.hill(order, records)));
  let drawn = 0;
  // A collection of a few records may come out empty: it is drawn anew.
  for (let turn = 0; drawn < replicates && turn < 20 * replicates; turn++) {
    const replicate = drawCollection(whole, random);
    if (replicate.n < 2) continue;
    drawn++;
    for (const [one, order] of orders.entries()) {
      for (const [index, records] of at.entries()) {
        const value = replicate.hill(order, records) - shift[one][index];
        sums[one][index].sum += value;
        sums[one][index].squares += value ** 2;
      }
    }
  }
  return new Map(orders.map((order, one) => {
    const errors = sums[one].map(({ sum, squares }) =>
      drawn < 2 ? 0 : Math.sqrt(Math.max(0, squares - sum ** 2 / drawn) / (drawn - 1))
    );
    return [order, sizes.map((size) => between(at, errors, size))];
  }));
}

/** A number of kinds, and the records expected of each. */
interface KindsOfTheWhole {
  readonly kinds: number;
  readonly mean: number;
}

function estimatedWhole(seen: Abundances): KindsOfTheWhole[] {
  const { n, counts, unseen } = seen;
  const missing = 1 - seen.coverage(n);
  let rare = 0;
  for (const [times, kinds] of counts) rare += kinds * times / n * stillUnseen(times, n);
  const less = rare === 0 ? 0 : missing / rare;
  const whole = [...counts].map(([times, kinds]) => ({
    kinds,
    mean: times * Math.max(0, 1 - less * stillUnseen(times, n)),
  }));
  const others = Math.ceil(unseen);
  return others === 0 ? whole : [...whole, { kinds: others, mean: n * missing / others }];
}

/** The chance that a kind with this share of the records is in none of n. */
function stillUnseen(times: number, n: number): number {
  return times === n ? 0 : Math.exp(n * Math.log1p(-times / n));
}

function drawCollection(whole: readonly KindsOfTheWhole[], random: Random): Abundances {
  const counts = new Map<number, number>();
  const add = (times: number, kinds: number) => {
    if (times > 0 && kinds > 0) counts.set(times, (counts.get(times) ?? 0) + kinds);
  };
  for (const { kinds, mean } of whole) {
    if (kinds <= FEW || mean > FREQUENT) {
      for (let kind = 0; kind < kinds; kind++) add(random.poisson(mean), 1);
      continue;
    }
    // How many of the kinds are seen once, twice, …: each a part of those that are left.
    let rest = -Math.expm1(-mean);
    let left = random.binomial(kinds, rest);
    for (let times = 1, share = mean * Math.exp(-mean); left > 0; times++, share *= mean / times) {
      const some = rest <= share ? left : random.binomial(left, share / rest);
      add(times, some);
      left -= some;
      rest -= share;
    }
  }
  return new Abundances(counts, SUMMED);
}

/** A value between those of the neighbours, by the logarithm of the size. */
function between(sizes: readonly number[], values: readonly number[], size: number): number {
  const next = sizes.findIndex((one) => one >= size);
  if (sizes[next] === size || next <= 0) return values[Math.max(0, next)];
  const part = Math.log(size / sizes[next - 1]) / Math.log(sizes[next] / sizes[next - 1]);
  return values[next - 1] + part * (values[next] - values[next - 1]);
}
