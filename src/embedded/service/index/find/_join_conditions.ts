/**
 * Joins conditions so that little is left to do: conditions on one field become one, and what few rows hold becomes a
 * list of these, which every other condition is asked about at once.
 */
import {
  AndCondition,
  CodesCondition,
  type Condition,
  EveryRow,
  NotCondition,
  OrCondition,
  RowsCondition,
} from "./_condition.ts";
import type { IndexFiles } from "./index_files.ts";

export function codesCondition(files: IndexFiles, field: number, holds: Uint8Array): Condition {
  const counts = files.whole(`counts-${field}`);
  let rows = 0;
  for (let code = 0; code < holds.length; code++) if (holds[code] === 1) rows += counts[code];
  if (rows === 0) return noRow(files);
  return rows === files.rows ? new EveryRow(rows) : new CodesCondition(files, field, holds, rows);
}

export function rowsCondition(files: IndexFiles, rows: Uint32Array): RowsCondition {
  return new RowsCondition(rows, files.blockRows);
}

export function noRow(files: IndexFiles): RowsCondition {
  return rowsCondition(files, new Uint32Array(0));
}

/** Rows that do not hold a condition. */
export function negate(files: IndexFiles, condition: Condition): Condition {
  if (condition instanceof EveryRow) return noRow(files);
  if (condition instanceof RowsCondition && condition.most === 0) return new EveryRow(files.rows);
  if (condition instanceof NotCondition) return condition.condition;
  if (condition instanceof CodesCondition) {
    return codesCondition(files, condition.field, condition.holds.map((holds) => 1 - holds));
  }
  return new NotCondition(condition, files.rows);
}

export function joinAll(files: IndexFiles, conditions: readonly Condition[]): Condition {
  const flat = conditions.flatMap((condition) => condition instanceof AndCondition ? condition.conditions : condition)
    .filter((condition) => !(condition instanceof EveryRow));
  const merged = mergeCodes(files, flat, (a, b) => a & b)
    .filter((condition) => !(condition instanceof EveryRow))
    .sort((a, b) => a.most - b.most);
  if (merged.length === 0) return new EveryRow(files.rows);
  const listed = listRows(files, merged[0]);
  if (merged.length === 1) return listed ?? merged[0];
  if (listed === undefined) return new AndCondition(merged);
  return rowsCondition(files, keepRows(files, listed.rows, merged.slice(1)));
}

export function joinAny(files: IndexFiles, conditions: readonly Condition[]): Condition {
  const flat = conditions.flatMap((condition) => condition instanceof OrCondition ? condition.conditions : condition);
  const merged = mergeCodes(files, flat, (a, b) => a | b);
  const every = merged.find((condition) => condition instanceof EveryRow);
  if (every !== undefined) return every;
  const lists: Uint32Array[] = [];
  const others: Condition[] = [];
  for (const condition of merged) {
    const listed = listRows(files, condition);
    if (listed === undefined) others.push(condition);
    else if (listed.most > 0) lists.push(listed.rows);
  }
  if (lists.length > 0) others.push(rowsCondition(files, mergeRows(lists)));
  if (others.length === 0) return noRow(files);
  return others.length === 1 ? others[0] : new OrCondition(others, files.rows);
}

/** Parts of an order that are read to list rows. */
const MOST_PARTS = 64;
/** Share of the rows (1 in N) above which a list is not faster. */
const LEAST_SHARE = 8;

/** Lists the rows that hold a condition, when they are few and known; `undefined` otherwise. */
export function listRows(files: IndexFiles, condition: Condition): RowsCondition | undefined {
  if (condition instanceof RowsCondition) return condition;
  const { listedRows } = files.manifest.bounds;
  if (!(condition instanceof CodesCondition) || condition.most > Math.min(listedRows, files.rows / LEAST_SHARE)) {
    return undefined;
  }
  const { field, holds } = condition;
  const column = files.column(field);
  if (column.kind !== "few" || column.groups < 2) return undefined;
  const starts = files.whole(`starts-${field}`);
  const groups = files.whole(`groups-${field}`);
  const parts: [from: number, to: number][] = [];
  let read = 0;
  for (let code = holds.indexOf(1); code !== -1; code = holds.indexOf(1, code + 1)) {
    const [from, to] = [starts[groups[code]], starts[groups[code] + 1]];
    const last = parts.at(-1);
    if (last !== undefined && last[1] >= from) last[1] = Math.max(last[1], to);
    else if (parts.push([from, to]) > MOST_PARTS) return undefined;
    read += to - from;
    // Values that are equal in the order share their rows: of those of many others too many would be read.
    if (read > 4 * listedRows) return undefined;
  }
  const rows = mergeRows(parts.map(([from, to]) => files.once(`rows-${field}`, from, to)));
  if (column.groups === column.values) return rowsCondition(files, rows);
  return rowsCondition(files, keepRows(files, rows, [condition]));
}

function keepRows(files: IndexFiles, rows: Uint32Array, conditions: readonly Condition[]): Uint32Array {
  const kept = new Uint32Array(rows.length);
  const positions = new Uint16Array(Math.min(rows.length, files.blockRows));
  let count = 0;
  for (let from = 0; from < rows.length;) {
    const block = Math.floor(rows[from] / files.blockRows);
    const first = block * files.blockRows;
    let found = 0;
    for (; from < rows.length && rows[from] < first + files.blockRows; from++) positions[found++] = rows[from] - first;
    for (const condition of conditions) {
      if (found > 0) found = condition.select(block, positions, found, positions);
    }
    for (let at = 0; at < found; at++) kept[count++] = first + positions[at];
  }
  return kept.slice(0, count);
}

/** Puts lists of rows together, in order, each row once. */
function mergeRows(lists: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  if (!isOrdered(all)) all.sort();
  let count = 0;
  for (let next = 0; next < all.length; next++) if (next === 0 || all[next] !== all[next - 1]) all[count++] = all[next];
  return all.subarray(0, count);
}

function isOrdered(numbers: Uint32Array): boolean {
  for (let at = 1; at < numbers.length; at++) if (numbers[at] < numbers[at - 1]) return false;
  return true;
}

function mergeCodes(
  files: IndexFiles,
  conditions: readonly Condition[],
  merge: (a: number, b: number) => number,
): Condition[] {
  const byField = new Map<number, Uint8Array>();
  const others: Condition[] = [];
  for (const condition of conditions) {
    if (!(condition instanceof CodesCondition)) {
      others.push(condition);
      continue;
    }
    const known = byField.get(condition.field);
    byField.set(condition.field, known?.map((holds, code) => merge(holds, condition.holds[code])) ?? condition.holds);
  }
  for (const [field, holds] of byField) others.push(codesCondition(files, field, holds));
  return others;
}
