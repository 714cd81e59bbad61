/** Counts distinct identifiers of a table that is written part by part, in no memory where they ascend. */
import { Buffer } from "node:buffer";
import { scanFiles } from "../../../engine/frames/scan_files.ts";
import type { SeenIds } from "./_part_encoder.ts";
import { loadPolars } from "../../types/polars.ts";

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

  /** Distinct identifiers among the `rows` rows of Parquet files; each row without one counts. */
  async count(files: readonly string[], idField: string, rows: number): Promise<number> {
    if (this.#ascends) return rows;
    const pl = await loadPolars();
    const distinct = await scanFiles(pl, files)
      .select(pl.col(idField).dropNulls().nUnique().alias("n")).collect();
    return Number(distinct.getColumn("n").toArray()[0]) + this.#nulls;
  }
}
