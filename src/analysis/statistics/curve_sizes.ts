/** Sizes at which a rising curve is computed, so that straight lines between them are close to it. */

/** First sizes, each computed, because the curve is steepest there. */
const FIRST_SIZES = 10;

/**
 * Sizes from 1 to n: every one at the beginning, then those without which a straight line between two neighbours would
 * be furthest from the curve, in parts of its height there.
 */
export function curveSizes(n: number, steps: number, heightOf: (size: number) => number): number[] {
  const point = (size: number) => ({ size, height: heightOf(size) });
  const first = Array.from(
    { length: Math.min(n, n <= steps ? n : Math.min(FIRST_SIZES, steps - 1)) },
    (_, at) => at + 1,
  );
  const points = first.map(point);
  if (points.length === n) return first;
  points.push(point(n));
  const splits = points.slice(1).map((_, at) => splitOf(points[at], points[at + 1], point));
  while (points.length < steps) {
    const worst = splits.reduce((most, split, at) => split.error > splits[most].error ? at : most, 0);
    const { middle, error } = splits[worst];
    if (error <= 0) break;
    points.splice(worst + 1, 0, middle);
    splits.splice(
      worst,
      1,
      splitOf(points[worst], middle, point),
      splitOf(middle, points[worst + 2], point),
    );
  }
  return points.map(({ size }) => size);
}

interface CurvePoint {
  readonly size: number;
  readonly height: number;
}

interface Split {
  readonly middle: CurvePoint;
  readonly error: number;
}

/** The size between two others (on an axis of logarithms), and how wrong a straight line is there. */
function splitOf(from: CurvePoint, to: CurvePoint, point: (size: number) => CurvePoint): Split {
  const between = Math.round(Math.sqrt(from.size * to.size));
  if (between <= from.size || between >= to.size) return { middle: from, error: 0 };
  const middle = point(between);
  const slope = (to.height - from.height) / (to.size - from.size);
  const straight = from.height + slope * (between - from.size);
  return { middle, error: (middle.height - straight) / middle.height };
}
