/** Counts distinct identifiers of a table that is written part by part, in no memory where they ascend. */
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { escapeGlob } from "../../../engine/frames/glob.ts";
import type { SeenIds } from "./_part_encoder.ts";
import { loadPolars } from "../../types/polars.ts";

/** Reads what there is to see of the identifiers in a Parquet file. */
export async function seeIds(parquet: string, idField: string): Promise<SeenIds> {
  const pl = await loadPolars();
  const id = pl.col(idField);
  const frame = await pl.scanParquet(escapeGlob(parquet)).select(
    id.gt(id.shift(1)).fillNull(pl.lit(true)).sum().alias("ascending"),
    pl.len().alias("rows"),
    id.isNull().sum().alias("nulls"),
    id.first().alias("first"),
    id.last().alias("last"),
  ).collect();
  const [{ ascending, rows, nulls, first, last }] = frame.toRecords();
  const ascend = Number(nulls) === 0 && Number(ascending) === Number(rows);
  return { rows: Number(rows), nulls: Number(nulls), ascend, first: String(first), last: String(last) };
}

/** Counts the distinct values of one column. */
export class IdCounter {
  #last: string | undefined;
  #ascends = true;
  #nulls = 0;

  /** Adds what was seen of the next part. */
  add({ rows, nulls, ascend, first, last }: SeenIds): void {
    this.#nulls += nulls;
    if (rows === 0) return;
    // Texts of JavaScript have another order than bytes, beyond its characters of one unit.
    this.#ascends &&= ascend &&
      (this.#last === undefined || Buffer.compare(Buffer.from(this.#last), Buffer.from(first)) < 0);
    this.#last = last;
  }

  /** Distinct identifiers among `rows` rows; each row without one counts. */
  async count(folder: string, idField: string, rows: number): Promise<number> {
    if (this.#ascends) return rows;
    const pl = await loadPolars();
    const distinct = await pl.scanParquet(join(escapeGlob(folder), "part-*.parquet"))
      .select(pl.col(idField).dropNulls().nUnique().alias("n")).collect();
    return Number(distinct.getColumn("n").toArray()[0]) + this.#nulls;
  }
}
