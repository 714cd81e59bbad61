/**
 * Writes rows of texts and numbers as the bytes of TSV.
 *
 * Fifty thousand short rows cost more as texts than the reading of half a gigabyte: so digits are written as bytes, and
 * where it can run by a kernel, since a short program is over before its JavaScript is compiled well.
 */
import type { Output } from "../support/output.ts";
import { PlainRows } from "./_plain_rows.ts";
import type { RowCell, RowWriter } from "./row_cell.ts";
import { WasmRows } from "./_wasm_rows.ts";

/** Writes rows to an output. */
export class NumberRows {
  readonly #output: Output;
  readonly #writer: RowWriter = WasmRows.start() ?? new PlainRows();

  constructor(output: Output) {
    this.#output = output;
  }

  /** Writes rows, where TSV holds their texts as they are; whether it did. */
  async write(rows: number, cells: readonly RowCell[]): Promise<boolean> {
    const pieces = this.#writer.write(rows, cells);
    if (pieces === undefined) return false;
    for (const piece of pieces) await this.#output.write(piece);
    return true;
  }
}
