/** Counts distinct identifiers of a table that is written part by part, in no memory where they ascend. */
import { join } from "node:path";
import { escapeGlob } from "./_glob.ts";
import type { Polars } from "./_polars.ts";

/** Counts the distinct values of one column. */
export class IdCounter {
  readonly #pl: Polars;
  #last: string | undefined;
  #ascends = true;
  #nulls = 0;

  constructor(pl: Polars) {
    this.#pl = pl;
  }

  /** Looks at the next part. */
  async observe(parquet: string, idField: string): Promise<void> {
    const pl = this.#pl;
    const id = pl.col(idField);
    const frame = await pl.scanParquet(escapeGlob(parquet)).select(
      id.gt(id.shift(1)).fillNull(pl.lit(true)).sum().alias("ascending"),
      pl.len().alias("rows"),
      id.isNull().sum().alias("nulls"),
      id.first().alias("first"),
      id.last().alias("last"),
    ).collect();
    const [{ ascending, rows, nulls, first, last }] = frame.toRecords();
    this.#nulls += Number(nulls);
    if (Number(rows) === 0) return;
    const follows = this.#last === undefined || String(first) > this.#last;
    this.#ascends &&= Number(nulls) === 0 && Number(ascending) === Number(rows) && follows;
    this.#last = String(last);
  }

  /** Distinct identifiers among `rows` rows; each row without one counts. */
  async count(folder: string, idField: string, rows: number): Promise<number> {
    if (this.#ascends) return rows;
    const pl = this.#pl;
    const distinct = await pl.scanParquet(join(escapeGlob(folder), "part-*.parquet"))
      .select(pl.col(idField).dropNulls().nUnique().alias("n")).collect();
    return Number(distinct.getColumn("n").toArray()[0]) + this.#nulls;
  }
}
