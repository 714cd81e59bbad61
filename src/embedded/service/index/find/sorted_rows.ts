/**
 * The rows of a result in the order of a field.
 *
 * Either the order of all rows is walked until enough of it hold the condition, or the rows that hold it are counted by
 * their rank in the order, and those that can be on the page are put in order: what takes less.
 */
import { isMissing } from "@seqreg/core/contract/values";
import { compareCodePoints, compareKeys, type Key, keyKind, readKeys } from "@seqreg/core/query";
import type { SortOrder } from "@seqreg/core/contract";
import { type Condition, EveryRow, RowsCondition } from "./_condition.ts";
import { type FindContext, valuesOfRows } from "./find_context.ts";
import type { IndexFiles } from "./index_files.ts";
import { rowsInOrder } from "./_row_order.ts";
import { blockBatches } from "./row_batches.ts";
import type { FacetCounter } from "./summary.ts";

/** Steps of a walk that cost as much as counting one row. */
const WALK_COST = 8;

/** Which rows, in which order. */
export interface SortedRange {
  readonly field: number;
  readonly order: SortOrder;
  readonly offset: number;
  readonly limit: number;
  /** Is shown every row, where there is one. */
  readonly counter?: FacetCounter;
}

/** Finds the rows of a page in the order of a field. */
export async function findSorted(context: FindContext, condition: Condition, range: SortedRange): Promise<number[]> {
  if (isCounted(context.files, condition, range)) return await countOrder(context, condition, range);
  await range.counter?.addAll(context, condition);
  if (condition instanceof EveryRow) return await takeRows(context, range);
  const isMany = context.files.column(range.field).kind === "many";
  return isMany && condition instanceof RowsCondition
    ? await sortRows(context, condition, range)
    : await walkOrder(context, condition, range);
}

/** Whether counting the rows by their codes takes less than walking the order. */
function isCounted(files: IndexFiles, condition: Condition, { field, offset, limit }: SortedRange): boolean {
  if (condition instanceof EveryRow || files.column(field).kind === "many") return false;
  const { most } = condition;
  const steps = most === 0 ? 0 : (offset + limit) * (files.rows / most);
  return condition instanceof RowsCondition || steps * WALK_COST > most;
}

/** Reads a page of the order of all rows. */
async function takeRows({ files, turns }: FindContext, range: SortedRange): Promise<number[]> {
  const { field, order, offset, limit } = range;
  const found: number[] = [];
  let skip = offset;
  for (const rows of rowsInOrder(files, field, order)) {
    if (skip < rows.length) found.push(...rows.subarray(skip, skip + limit - found.length));
    skip = Math.max(0, skip - rows.length);
    if (found.length === limit) break;
    if (turns.over) await turns.next();
  }
  return found;
}

/** Walks the order of all rows, until enough of them hold the condition. */
async function walkOrder(
  { files, turns }: FindContext,
  condition: Condition,
  { field, order, offset, limit }: SortedRange,
): Promise<number[]> {
  const found: number[] = [];
  const position = new Uint16Array(1);
  let skip = offset;
  for (const rows of rowsInOrder(files, field, order)) {
    for (const row of rows) {
      const block = Math.floor(row / files.blockRows);
      position[0] = row - block * files.blockRows;
      if (condition.select(block, position, 1, position) === 0) continue;
      if (skip > 0) skip--;
      else if (found.push(row) === limit) return found;
    }
    if (turns.over) await turns.next();
  }
  return found;
}

/** Puts rows in order by their values. */
async function sortRows(
  context: FindContext,
  { rows }: RowsCondition,
  { field, order, offset, limit }: SortedRange,
): Promise<number[]> {
  const keyed: { row: number; key: string | Key }[] = [];
  const none: number[] = [];
  const { [field]: definition } = context.files.fields;
  const byText = keyKind(definition.type) === undefined;
  for await (const [row, values] of valuesOfRows(context, rows)) {
    const key = byText ? textKey(values[field]) : readKeys(values[field], definition)?.start;
    if (key === undefined) none.push(row);
    else keyed.push({ row, key });
  }
  const sign = order === "asc" ? 1 : -1;
  const compare = (a: string | Key, b: string | Key) =>
    typeof a !== "string" && typeof b !== "string" ? compareKeys(a, b) : compareCodePoints(String(a), String(b));
  keyed.sort((a, b) => sign * compare(a.key, b.key) || a.row - b.row);
  return [...keyed.map(({ row }) => row), ...none].slice(offset, offset + limit);
}

function textKey(text: string): string | undefined {
  return isMissing(text) ? undefined : text;
}

/** Counts the rows that hold the condition by their codes, and puts in order those that can be on the page. */
async function countOrder(
  context: FindContext,
  condition: Condition,
  { field, order, offset, limit, counter }: SortedRange,
): Promise<number[]> {
  const { files } = context;
  const column = files.column(field);
  if (column.kind !== "few") return [];
  const groups = files.whole(`groups-${field}`);
  const counts = new Uint32Array(column.groups);
  for await (const rows of blockBatches(context, condition)) {
    counter?.add(rows);
    const { block, positions, count } = rows;
    const codes = files.codes(field, block);
    for (let at = 0; at < count; at++) counts[groups[codes[positions[at]]]]++;
  }
  // Ranks of the groups in the requested order; the group without one stays last.
  const keyed = column.hasNone ? column.groups - 1 : column.groups;
  const rankOf = (group: number) => order === "asc" || group >= keyed ? group : keyed - 1 - group;
  const sums = new Uint32Array(column.groups + 1);
  for (let group = 0; group < column.groups; group++) sums[rankOf(group) + 1] = counts[group];
  for (let rank = 0; rank < column.groups; rank++) sums[rank + 1] += sums[rank];
  const rows = new Uint32Array(Math.max(0, Math.min(limit, sums[column.groups] - offset)));
  if (rows.length === 0) return [];
  const end = offset + rows.length;
  const next = sums.slice();
  for await (const { block, first, positions, count } of blockBatches(context, condition)) {
    const codes = files.codes(field, block);
    for (let at = 0; at < count; at++) {
      const rank = rankOf(groups[codes[positions[at]]]);
      const to = next[rank]++;
      if (to >= offset && to < end) rows[to - offset] = first + positions[at];
    }
  }
  return [...rows];
}
