/** Sums that have no end or too many terms to be added one by one. */

const EULER = 0.5772156649015329;
const LOG_FACTORIALS: number[] = [0];
const HARMONICS: number[] = [0];
const SMALL = 256;

/** log(n!): a sum for small n, Stirling's series beyond, whose error there is below 1e-17 of it. */
export function logFactorial(n: number): number {
  if (n < SMALL) {
    while (LOG_FACTORIALS.length <= n) {
      LOG_FACTORIALS.push(LOG_FACTORIALS[LOG_FACTORIALS.length - 1] + Math.log(LOG_FACTORIALS.length));
    }
    return LOG_FACTORIALS[n];
  }
  const x = n + 1;
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * x) - 1 / (360 * x ** 3) +
    1 / (1260 * x ** 5);
}

/** 1 + 1/2 + … + 1/n. */
export function harmonic(n: number): number {
  if (n < SMALL) {
    while (HARMONICS.length <= n) HARMONICS.push(HARMONICS[HARMONICS.length - 1] + 1 / HARMONICS.length);
    return HARMONICS[n];
  }
  return Math.log(n) + EULER + 1 / (2 * n) - 1 / (12 * n ** 2) + 1 / (120 * n ** 4);
}

/** From here on a sum is close to its integral. */
const FAR = 2000;

/**
 * The tail of the series of a logarithm, y/n + y²/(n+1) + y³/(n+2) + …, with y = exp(−rate): the first terms one by
 * one, the rest by the formula of Euler and Maclaurin.
 */
export function logarithmTail(n: number, rate: number): number {
  let sum = 0;
  let power = Math.exp(-rate);
  let at = n;
  for (; at < FAR; at++, power *= Math.exp(-rate)) {
    sum += power / at;
    if (power / at < 1e-18 * sum) return sum;
  }
  // exp(x)·E1(x) is the integral from `at` on, in units of its first term's numerator.
  return sum + power * (scaledIntegral(rate * at) + 1 / (2 * at) + (rate + 1 / at) / (12 * at));
}

/** exp(x)·E1(x), the exponential integral: its series for small x, a continued fraction beyond. */
function scaledIntegral(x: number): number {
  if (x < 1) {
    let [sum, term] = [-EULER - Math.log(x), 1];
    for (let k = 1; k < 30; k++) {
      term *= -x / k;
      sum -= term / k;
    }
    return sum * Math.exp(x);
  }
  let fraction = 0;
  for (let k = 200; k > 0; k--) fraction = k / (1 + k / (x + fraction));
  return 1 / (x + fraction);
}

/** The chance that a number of the standard normal distribution is greater than z, for z from 0. */
export function normalTail(z: number): number {
  const density = Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
  if (z < 3) {
    let [sum, term] = [z, z];
    for (let k = 1; k < 100; k++) {
      term *= z * z / (2 * k + 1);
      sum += term;
    }
    return 0.5 - density * sum;
  }
  let fraction = z;
  for (let k = 100; k > 0; k--) fraction = z + k / fraction;
  return density / fraction;
}
