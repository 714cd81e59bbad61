/**
 * Rows of texts and numbers as the bytes of TSV, by the module `wasm/number_rows.as.ts`. Tests compare it with one in
 * plain TypeScript.
 *
 * Own code: `deno task bench table_rows` measures `fasta table` with it and with plain TypeScript, end to end. Digits
 * are written as bytes by a module, since a short program ends before its JavaScript is optimised.
 */
import { startWasm, type WasmNumber } from "@seqreg/core/io/tasks";
import { HELD_BYTES, type RowCell, type RowWriter } from "./row_cell.ts";
import { WASM_BASE64 } from "./wasm/number_rows_wasm.ts";

/** Numbers per column description; the column kinds are those of the module. */
const DESCRIPTION = 4;
const KINDS = { bytes: 0, integer: 1, share: 2 } as const;

type RowArray = Uint8Array | Int32Array | Float64Array;

/** Exports of the module; numbers are memory offsets unless stated otherwise. */
interface RowExports {
  readonly memory: WebAssembly.Memory;
  readonly written: WasmNumber;
  clear(): void;
  allot(bytes: number): number;
  isPlain(pointer: number, bytes: number): number;
  longestRow(columns: number, count: number, rows: number): number;
  writeRows(columns: number, count: number, from: number, to: number, at: number, limit: number): number;
}

const EXPORTS = ["memory", "written", "clear", "allot", "isPlain", "longestRow", "writeRows"] as const;

export class WasmRows implements RowWriter {
  readonly #wasm = startWasm<RowExports>(WASM_BASE64, "writer of rows", EXPORTS);
  /** Offsets of a batch's arrays in the module's memory: an array used by several columns is copied once. */
  readonly #pointers = new Map<RowArray, number>();

  write(rows: number, cells: readonly RowCell[]): Generator<Uint8Array> | undefined {
    this.#wasm.clear();
    this.#pointers.clear();
    const isHeld = cells.every((cell) =>
      cell.kind !== "bytes" || this.#wasm.isPlain(this.#put(cell.data), cell.data.length) !== 0
    );
    return isHeld ? this.#write(rows, cells) : undefined;
  }

  *#write(rows: number, cells: readonly RowCell[]): Generator<Uint8Array> {
    const wasm = this.#wasm;
    const columns = this.#put(Int32Array.from(cells.flatMap((cell) => this.#describe(cell))));
    const room = Math.max(HELD_BYTES, wasm.longestRow(columns, cells.length, rows));
    const out = wasm.allot(room);
    for (let row = 0; row < rows;) {
      row = wasm.writeRows(columns, cells.length, row, rows, out, out + room);
      yield new Uint8Array(wasm.memory.buffer, out, wasm.written.value - out);
    }
  }

  /** Copies a column into the module's memory and returns its offset. */
  #describe(cell: RowCell): number[] {
    const columns = cell.kind === "bytes"
      ? [cell.data, cell.starts, cell.lengths]
      : cell.kind === "integer"
      ? [cell.values]
      : [cell.parts, cell.wholes, cell.others];
    const description = [KINDS[cell.kind], ...columns.map((column) => this.#put(column))];
    return [...description, 0, 0].slice(0, DESCRIPTION);
  }

  #put(array: RowArray): number {
    const known = this.#pointers.get(array);
    if (known !== undefined) return known;
    const { buffer, byteOffset, byteLength } = array;
    const pointer = this.#wasm.allot(byteLength);
    new Uint8Array(this.#wasm.memory.buffer, pointer, byteLength).set(new Uint8Array(buffer, byteOffset, byteLength));
    this.#pointers.set(array, pointer);
    return pointer;
  }
}
