/** How a time grows with the data: a power fitted to measurements, and a line. */

/** A fitted number with the interval that holds it at 95 % confidence. */
export interface Fit {
  readonly value: number;
  readonly from: number;
  readonly to: number;
}

/** One measurement. */
export interface Point {
  readonly size: number;
  readonly time: number;
}

/** Student's t at 97.5 % for 1, 2, … degrees of freedom; beyond the list the last is near enough. */
const STUDENT = [12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13, 2.12, 2.1];

/** The exponent e of time ≈ a · size^e: 1 is growth in step with the data. */
export function growthExponent(points: readonly Point[]): Fit {
  return slopeOf(points.map(({ size, time }) => ({ size: Math.log(size), time: Math.log(time) })));
}

/** The line time ≈ base + slope · size. */
export function lineOf(points: readonly Point[]): { readonly base: number; readonly slope: Fit } {
  const slope = slopeOf(points);
  const mean = (pick: (point: Point) => number) => points.reduce((sum, point) => sum + pick(point), 0) / points.length;
  return { base: mean(({ time }) => time) - slope.value * mean(({ size }) => size), slope };
}

/** Least squares. */
function slopeOf(points: readonly Point[]): Fit {
  const n = points.length;
  const [meanSize, meanTime] = [0, 1].map((at) =>
    points.reduce((sum, { size, time }) => sum + [size, time][at], 0) / n
  );
  const spread = points.reduce((sum, { size }) => sum + (size - meanSize) ** 2, 0);
  const value = points.reduce((sum, { size, time }) => sum + (size - meanSize) * (time - meanTime), 0) / spread;
  const rest = points.reduce((sum, { size, time }) => sum + (time - meanTime - value * (size - meanSize)) ** 2, 0);
  const free = n - 2;
  const reach = STUDENT[Math.min(free, STUDENT.length) - 1] * Math.sqrt(rest / free / spread);
  return { value, from: value - reach, to: value + reach };
}
