/**
 * Average nucleotide identity from the hashes that two sketches share.
 *
 * The estimate and its interval are those of M. R. Hera, N. T. Pierce-Ward and D. Koslicki, "Deriving confidence
 * intervals for mutation rates across a wide range of evolutionary distances using FracMinHash", Genome Research 2023,
 * under a model of independent substitutions; containment is corrected for the bias of small sketches.
 */

/** What is known of two sketches. */
export interface SharedHashes {
  /** Hashes that both have. */
  readonly shared: number;
  /** Hashes of the sketch whose sequence is judged. */
  readonly size: number;
  /** Share of hashes that sketches keep, above 0 and at most 1. */
  readonly density: number;
  /** Bases of a k-mer. */
  readonly k: number;
}

/** Shares of 1. */
export interface AniEstimate {
  readonly ani: number;
  /** Bounds of the interval at 95 %. */
  readonly low: number;
  readonly high: number;
}

/** The 97.5 % point of the normal distribution. */
const Z = 1.959963984540054;
const BISECTIONS = 60;
const [LEAST_RATE, MOST_RATE] = [1e-7, 0.9999999];

/** Estimates the identity of the sequence behind a sketch with what it shares. */
export function estimateAni({ shared, size, density, k }: SharedHashes): AniEstimate {
  if (shared === 0) return { ani: 0, low: 0, high: 0 };
  const kmers = size / density;
  const bias = 1 - (1 - density) ** kmers;
  const containment = Math.min(1, shared / size / bias);
  const deviation = (rate: number) => Math.sqrt(Math.max(0, containmentVariance(rate, { kmers, density, bias, k })));
  const highRate = rootOf((rate) => (1 - rate) ** k + Z * deviation(rate) - containment);
  const lowRate = rootOf((rate) => (1 - rate) ** k - Z * deviation(rate) - containment);
  return { ani: containment ** (1 / k), low: 1 - highRate, high: 1 - lowRate };
}

/** The rate at which a falling function is 0; 0 or 1 if it is not within the range. */
function rootOf(valueAt: (rate: number) => number): number {
  if (valueAt(LEAST_RATE) <= 0) return 0;
  if (valueAt(MOST_RATE) >= 0) return 1;
  let [low, high] = [LEAST_RATE, MOST_RATE];
  for (let round = 0; round < BISECTIONS; round++) {
    const middle = (low + high) / 2;
    if (valueAt(middle) > 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

interface SketchModel {
  readonly kmers: number;
  readonly density: number;
  readonly bias: number;
  readonly k: number;
}

/** Variance of the containment of sketches: of what mutations change, and of what sampling keeps. */
function containmentVariance(rate: number, { kmers, density, bias, k }: SketchModel): number {
  const changed = 1 - (1 - rate) ** k;
  const kept = 1 - changed;
  const mean = kmers * changed;
  const variance = Math.max(
    0,
    kmers * kept * (changed * (2 * k + 2 / rate - 1) - 2 * k) + k * (k - 1) * kept ** 2 +
      2 * kept / rate ** 2 * ((1 + (k - 1) * kept) * rate - changed),
  );
  const sampling = (1 - density) / (density * kmers ** 3 * bias ** 2);
  return sampling * (kmers * mean - (variance + mean ** 2)) + variance / kmers ** 2;
}
