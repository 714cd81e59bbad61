/** Whether a table of two versions is the same. */
import type { TableDiff } from "./diff_result.ts";

/** Whether a table is the same in both versions, its fields included. */
export function isEqualTable({ added, removed, changed, columns }: TableDiff): boolean {
  const fields = columns.added.length + columns.removed.length + columns.renamed.length + columns.moved.length;
  return added + removed + changed + fields === 0;
}
