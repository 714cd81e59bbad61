/** The order of all rows by a field, forwards or backwards: rows without a rank come last either way. */
import type { SortOrder } from "@seqreg/core/contract";
import { lowerBound } from "./_condition.ts";
import type { IndexFiles } from "./index_files.ts";

/** Rows that are read at once. */
const WINDOW = 1 << 12;

/** Yields the rows in order, some at a time. */
export function* rowsInOrder(files: IndexFiles, field: number, order: SortOrder): Generator<Uint32Array> {
  const groups = groupsOf(files, field);
  if (order === "asc") yield* slices(files, field, 0, groups.keyed);
  else yield* backwards(files, field, groups);
  yield* slices(files, field, groups.keyed, files.rows);
}

/** Groups of rows that are equal in the order. */
interface Groups {
  /** Rows that have a rank. */
  readonly keyed: number;
  /** Returns the ranks in a part of the order where groups begin. */
  startsIn(from: number, to: number): number[];
  /** Returns the rank where the group of a rank begins. */
  startOf(rank: number): number;
}

function groupsOf(files: IndexFiles, field: number): Groups {
  const column = files.column(field);
  if (column.kind === "few") {
    const starts = files.whole(`starts-${field}`);
    const keyed = column.hasNone ? starts[column.groups - 1] : files.rows;
    return {
      keyed,
      startsIn: (from, to) => [...starts.subarray(lowerBound(starts, from), lowerBound(starts, to))],
      startOf: (rank) => starts[lowerBound(starts, rank + 1) - 1],
    };
  }
  const startsIn = (from: number, to: number): number[] => {
    const words = files.whole(`firsts-${field}`, from >>> 5, to + 31 >>> 5);
    const starts: number[] = [];
    for (let at = from; at < to; at++) if ((words[(at >>> 5) - (from >>> 5)] >>> (at & 31) & 1) === 1) starts.push(at);
    return starts;
  };
  return {
    keyed: column.keyed,
    startsIn,
    startOf(rank) {
      for (let to = rank + 1;; to -= WINDOW) {
        const start = startsIn(Math.max(0, to - WINDOW), to).at(-1);
        if (start !== undefined) return start;
      }
    },
  };
}

function* backwards(files: IndexFiles, field: number, { keyed, startsIn, startOf }: Groups): Generator<Uint32Array> {
  for (let end = keyed; end > 0;) {
    const starts = startsIn(Math.max(0, end - WINDOW), end);
    if (starts.length === 0) {
      const start = startOf(end - 1);
      yield* slices(files, field, start, end);
      end = start;
      continue;
    }
    const [begin] = starts;
    const rows = rowsAt(files, field, begin, end);
    const turned = new Uint32Array(rows.length);
    let used = 0;
    for (let at = starts.length, to = end; at-- > 0; to = starts[at]) {
      const group = rows.subarray(starts[at] - begin, to - begin);
      turned.set(group, used);
      used += group.length;
    }
    yield turned;
    end = begin;
  }
}

function* slices(files: IndexFiles, field: number, from: number, to: number): Generator<Uint32Array> {
  for (; from < to; from += WINDOW) yield rowsAt(files, field, from, Math.min(to, from + WINDOW));
}

/** Returns the rows of some ranks; where the records are in order as they stand, a rank is a row. */
export function rowsAt(files: IndexFiles, field: number, from: number, to: number): Uint32Array {
  if (files.has(`rows-${field}`)) return files.once(`rows-${field}`, from, to);
  return Uint32Array.from({ length: to - from }, (_, at) => from + at);
}
