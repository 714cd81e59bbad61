/** How large groups of equal values are, where there may be as many groups as rows. */
import type { Expr, Series } from "nodejs-polars";
import { hashed, type Run } from "./run.ts";

/** How many groups have a size. */
export interface GroupSize {
  /** Rows of the group. */
  readonly size: number;
  /** Groups that have so many. */
  readonly groups: number;
}

/**
 * Counts the groups of equal values by their size, the largest first; nulls are in none.
 *
 * Sorted numbers show their groups in one pass, in a quarter of the time of a table of fifteen million groups.
 */
export function countGroupSizes(run: Run, column: Expr): GroupSize[] {
  return sizesOf(
    run.collect(run.source.scan().filter(column.isNotNull()).select(hashed(column, run.pl).alias("hash"))).getColumn(
      "hash",
    ),
  );
}

/** Counts groups of equal hashes of 64 bits by their size, the largest first. */
export function sizesOf(column: Series): GroupSize[] {
  const hashes = column.sort().toTypedArray();
  // Halves of numbers: whole ones of 64 bits would be BigInts, each an object.
  const halves = new Uint32Array(hashes.buffer, hashes.byteOffset, 2 * hashes.length);
  const groups = new Map<number, number>();
  for (let from = 0; from < halves.length;) {
    let to = from + 2;
    while (to < halves.length && halves[to] === halves[from] && halves[to + 1] === halves[from + 1]) to += 2;
    const size = (to - from) / 2;
    groups.set(size, (groups.get(size) ?? 0) + 1);
    from = to;
  }
  return [...groups].map(([size, groups]) => ({ size, groups })).sort((a, b) => b.size - a.size);
}
