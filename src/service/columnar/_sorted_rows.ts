/**
 * The rows of a result in the order of a field.
 *
 * Either the order of all rows is walked until enough of it hold the condition, or the rows that hold it are counted by
 * their place in the order, and those that can be on the page are put in order: what takes less.
 */
import type { SortOrder } from "../../spec/enumerations.ts";
import { type Condition, EveryRow, RowsCondition } from "./_condition.ts";
import type { FindContext } from "./_find_context.ts";
import type { IndexFiles } from "./_index_files.ts";
import { blockBatches } from "./_row_batches.ts";

/** Rows of an order that are read at once. */
const SLICE = 1 << 12;
/** Steps of a walk that cost as much as counting one row. */
const WALK_COST = 8;

/** Which rows, in which order. */
export interface SortedRange {
  readonly field: number;
  readonly order: SortOrder;
  readonly offset: number;
  readonly limit: number;
}

/** Finds the rows of a page in the order of a field. */
export async function findSorted(context: FindContext, condition: Condition, range: SortedRange): Promise<number[]> {
  const { files } = context;
  const column = files.column(range.field);
  if (condition instanceof EveryRow) return await takeRows(context, range);
  if (column.kind === "many") return await walkOrder(context, condition, range);
  const { most } = condition;
  const steps = most === 0 ? 0 : (range.offset + range.limit) * (files.rows / most);
  const isRare = condition instanceof RowsCondition || steps * WALK_COST > most;
  return isRare ? await countOrder(context, condition, range) : await walkOrder(context, condition, range);
}

/** Part of an order of rows, backwards by groups or forwards. */
interface OrderPart {
  readonly from: number;
  readonly to: number;
}

/** Gives the parts of a field's order, each in the order of the rows within it. */
function* orderParts(files: IndexFiles, field: number, order: SortOrder): Generator<OrderPart> {
  const column = files.column(field);
  if (column.kind === "few") {
    const starts = column.groups > 1 ? files.whole(`starts-${field}`) : Uint32Array.of(0, files.rows);
    const keyed = column.hasNone ? column.groups - 1 : column.groups;
    if (order === "asc") yield { from: 0, to: starts[keyed] };
    else for (let group = keyed; group-- > 0;) yield { from: starts[group], to: starts[group + 1] };
    yield { from: starts[keyed], to: files.rows };
    return;
  }
  const { keyed } = column;
  if (order === "asc") yield { from: 0, to: keyed };
  else yield* groupsBackwards(files, field, keyed);
  yield { from: keyed, to: files.rows };
}

/** Gives groups of equal values from the last on; where they begin is marked by bits. */
function* groupsBackwards(files: IndexFiles, field: number, keyed: number): Generator<OrderPart> {
  let to = keyed;
  for (let end = Math.ceil(keyed / 32); end > 0;) {
    const begin = Math.max(0, end - 1024);
    const words = files.whole(`firsts-${field}`, begin, end);
    for (let word = end - begin; word-- > 0;) {
      if (words[word] === 0) continue;
      for (let bit = 32; bit-- > 0;) {
        const at = (begin + word) * 32 + bit;
        if ((words[word] >>> bit & 1) === 0 || at >= to) continue;
        yield { from: at, to };
        to = at;
      }
    }
    end = begin;
  }
}

/** Reads rows of an order by their places. */
function rowsAt(files: IndexFiles, field: number, from: number, to: number): Uint32Array {
  if (files.has(`rows-${field}`)) return files.once(`rows-${field}`, from, to);
  return Uint32Array.from({ length: to - from }, (_, at) => from + at);
}

/** Reads a page of the order of all rows. */
async function takeRows(
  { files, turns }: FindContext,
  { field, order, offset, limit }: SortedRange,
): Promise<number[]> {
  const rows: number[] = [];
  let skip = offset;
  for (const { from, to } of orderParts(files, field, order)) {
    if (rows.length === limit) break;
    if (skip >= to - from) {
      skip -= to - from;
      continue;
    }
    rows.push(...rowsAt(files, field, from + skip, Math.min(to, from + skip + limit - rows.length)));
    skip = 0;
    if (turns.over) await turns.next();
  }
  return rows;
}

/** Walks the order of all rows, until enough of them hold the condition. */
async function walkOrder(
  { files, turns }: FindContext,
  condition: Condition,
  { field, order, offset, limit }: SortedRange,
): Promise<number[]> {
  const rows: number[] = [];
  const position = new Uint16Array(1);
  const left = condition instanceof RowsCondition ? new Set(condition.rows) : undefined;
  const holds = (row: number): boolean => {
    if (left !== undefined) return left.has(row);
    const block = Math.floor(row / files.blockRows);
    position[0] = row - block * files.blockRows;
    return condition.select(block, position, 1, position) === 1;
  };
  let found = 0;
  for (const part of orderParts(files, field, order)) {
    for (let from = part.from; from < part.to; from += SLICE) {
      for (const row of rowsAt(files, field, from, Math.min(part.to, from + SLICE))) {
        if (!holds(row)) continue;
        if (found++ >= offset) rows.push(row);
        if (rows.length === limit || found === left?.size) return rows;
      }
      if (turns.over) await turns.next();
    }
  }
  return rows;
}

/** Counts the rows that hold the condition by their codes, and puts in order those that can be on the page. */
async function countOrder(
  context: FindContext,
  condition: Condition,
  { field, order, offset, limit }: SortedRange,
): Promise<number[]> {
  const { files } = context;
  const column = files.column(field);
  if (column.kind !== "few") return [];
  const groups = files.whole(`groups-${field}`);
  const counts = new Uint32Array(column.groups);
  for await (const { block, positions, count } of blockBatches(context, condition)) {
    const codes = files.codes(field, block);
    for (let at = 0; at < count; at++) counts[groups[codes[positions[at]]]]++;
  }
  // Places of the groups in the order that is asked for; the group without one stays last.
  const keyed = column.hasNone ? column.groups - 1 : column.groups;
  const placeOf = (group: number) => order === "asc" || group >= keyed ? group : keyed - 1 - group;
  const sums = new Uint32Array(column.groups + 1);
  for (let group = 0; group < column.groups; group++) sums[placeOf(group) + 1] = counts[group];
  for (let place = 0; place < column.groups; place++) sums[place + 1] += sums[place];
  const rows = new Uint32Array(Math.max(0, Math.min(limit, sums[column.groups] - offset)));
  if (rows.length === 0) return [];
  const end = offset + rows.length;
  const next = sums.slice();
  for await (const { block, first, positions, count } of blockBatches(context, condition)) {
    const codes = files.codes(field, block);
    for (let at = 0; at < count; at++) {
      const place = placeOf(groups[codes[positions[at]]]);
      const to = next[place]++;
      if (to >= offset && to < end) rows[to - offset] = first + positions[at];
    }
  }
  return [...rows];
}
