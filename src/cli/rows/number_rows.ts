/**
 * Writes rows of texts and numbers as the bytes of TSV.
 *
 * Own code: `deno task bench table_rows` measures `fasta table` with it and with plain TypeScript, end to end. Digits
 * are written as bytes by a module, since a short program ends before its JavaScript is optimised.
 */
import type { Output } from "../support/output.ts";
import type { RowCell, RowWriter } from "./row_cell.ts";
import { WasmRows } from "./_wasm_rows.ts";

export class NumberRows {
  readonly #output: Output;
  readonly #writer: RowWriter = WasmRows.start();

  constructor(output: Output) {
    this.#output = output;
  }

  /** Writes rows whose texts TSV can hold without escapes; returns whether it did. */
  async write(rows: number, cells: readonly RowCell[]): Promise<boolean> {
    const pieces = this.#writer.write(rows, cells);
    if (pieces === undefined) return false;
    for (const piece of pieces) await this.#output.write(piece);
    return true;
  }
}
