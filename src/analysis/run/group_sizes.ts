/** How large groups of equal values are, where there may be as many groups as rows. */
import type { Expr, LazyDataFrame, Series } from "nodejs-polars";
import type { Role } from "../source/roles.ts";
import { hashed, hashedKeys, keyedRows, keyName } from "./keyed_rows.ts";
import type { Run } from "./run.ts";

/** How many groups have a size. */
export interface GroupSize {
  readonly size: number;
  /** Groups that have so many. */
  readonly groups: number;
}

const [VALUE, SIZE, GROUPS] = ["seqreg_value", "size", "groups"];

/**
 * Counts the groups of equal values by their size, the largest first; nulls are in none.
 *
 * Sorted numbers show their groups in one pass, in a quarter of the time of a table of fifteen million groups.
 */
export async function countGroupSizes(run: Run, column: Expr): Promise<GroupSize[]> {
  const rows = run.source.scan().filter(column.isNotNull());
  if (!run.abilities.hashes) return await groupedSizes(run, rows.select(column.alias(VALUE)), VALUE);
  return sizesOf((await run.collect(rows.select(hashed(column, run.pl).alias(VALUE)))).getColumn(VALUE));
}

/** Counts the groups of a role's texts by their size, the largest first, by the groups' keys. */
export async function countKeySizes<Needed extends Role>(run: Run<Needed, Role>, role: Needed): Promise<GroupSize[]> {
  if (!run.abilities.hashes) return await groupedSizes(run, await keyedRows(run, [role]), keyName(0));
  return sizesOf((await hashedKeys(run, [role])).getColumn(keyName(0)));
}

/** Has the engine count the groups: of a column that has no nulls. */
async function groupedSizes<Needed extends Role>(
  run: Run<Needed, Role>,
  rows: LazyDataFrame,
  column: string,
): Promise<GroupSize[]> {
  const { pl } = run;
  const sizes = rows.groupBy(column).agg(pl.len().alias(SIZE)).groupBy(SIZE).agg(pl.len().alias(GROUPS));
  return (await run.collect(sizes)).toRecords()
    .map(({ [SIZE]: size, [GROUPS]: groups }) => ({ size: Number(size), groups: Number(groups) }))
    .sort((a, b) => b.size - a.size);
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
