/** Lists over the rows of a table. */
import { collectGarbage } from "../../tables/types/collect_garbage.ts";
import { pagedList } from "../../tables/types/paged_list.ts";
import type { TypedTable } from "../../tables/types/table.ts";

/** Rows that are read at a time. */
const PAGE_ROWS = 8192;
/** Bases in a page of sequences, about. */
const PAGE_BASES = 8_000_000;

/** Pages after which garbage is collected: rows are read without a pause in which V8 would do so by itself. */
const COLLECT_PAGES = 32;

/** Rows of a page, where sequences are of this length on average. */
export function pageRowsOf(meanBases: number): number {
  return Math.max(1, Math.min(PAGE_ROWS, Math.floor(PAGE_BASES / Math.max(1, meanBases))));
}

/** Reads the rows of a table as a list: a small table now, a large one a page at a time, as its items are asked for. */
export function readPaged<Item>(
  { rows }: Pick<TypedTable, "rows">,
  read: (from: number, count: number) => readonly Item[],
  pageRows: number = PAGE_ROWS,
): readonly Item[] {
  if (rows <= pageRows) return read(0, rows);
  let pages = 0;
  return pagedList({
    length: rows,
    pageLength: pageRows,
    read(from, count) {
      if (++pages % COLLECT_PAGES === 0) collectGarbage();
      return read(from, count);
    },
  });
}
