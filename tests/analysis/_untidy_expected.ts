/** What the meanings of untidy values say, worked out one by one. */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import type * as analysis from "../../src/analysis/mod.ts";
import { plainRows } from "./_compare.ts";
import { UNTIDY, type UntidyRecord } from "./_untidy.ts";

export function countBy<Value>(values: Iterable<Value>): Map<Value, number> {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Groups of a field with their counts, the largest first, then by name. */
export function groupsOf(field: string, records: readonly UntidyRecord[] = UNTIDY): [string, number][] {
  const known = records.flatMap(({ key }) => key[field] ?? []);
  return [...countBy(known)].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
}

export const lengthOf = ({ raw }: UntidyRecord) => raw["Sequence Length"];
export const isLength = (length: string | number | null): length is number =>
  typeof length === "number" && length >= 1 && length <= 5_000_000;

/** A quantile with linear interpolation. */
function quantile(sorted: readonly number[], part: number): number {
  const at = part * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
}

/** Groups of a field with their size and five quantiles, the largest median first. */
export function quantilesBy(field: string, valueOf: (record: UntidyRecord) => number | null): unknown[][] {
  const rows = groupsOf(field).flatMap(([group]) => {
    const values = UNTIDY.filter(({ key }) => key[field] === group).map(valueOf).filter((value) => value !== null)
      .sort((a, b) => a - b);
    return values.length === 0
      ? []
      : [[group, values.length, ...[0.05, 0.25, 0.5, 0.75, 0.95].map((part) => quantile(values, part))]];
  });
  return rows.sort((a, b) => Number(b[4]) - Number(a[4]) || (String(a[0]) < String(b[0]) ? -1 : 1));
}

/** Holds the rows of an analysis to those that are expected. */
export function assertRows(found: analysis.Analysis, expected: readonly (readonly unknown[])[]): void {
  const rows = plainRows(found.frame);
  assertEquals(rows.length, expected.length, JSON.stringify(rows));
  for (const [at, row] of rows.entries()) {
    for (const [column, value] of row.entries()) {
      const other = expected[at][column];
      if (typeof value === "number" && typeof other === "number") {
        assertAlmostEquals(value, other, 1e-9 * Math.abs(other) + 1e-9);
      } else assertEquals(value, other, `${JSON.stringify(row)} and ${JSON.stringify(expected[at])}`);
    }
  }
}

/** Holds the source line to counts: shown, excluded, missing. */
export function assertCounts(found: analysis.Analysis, n: number, excluded: number, missing: number): void {
  const [shown] = (found.chart?.caption ?? "").split(".");
  const says = (count: number, what: string) => count === 0 ? "" : `; ${count} ${what}`;
  assert(
    shown.startsWith(`n = ${n} `) && shown.endsWith(`${says(excluded, "excluded")}${says(missing, "without a value")}`),
    `${shown}: expected ${n}, ${excluded}, ${missing}`,
  );
}
