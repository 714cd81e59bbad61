/**
 * Runs of records in WebAssembly, many in one call: see `wasm/rewrap.as.ts`. Rows and text are those that
 * `RewrapScanner` makes of one record after the other, which it does with those that are left to it.
 */
import { GREATER, LF } from "../text/bases.ts";
import type { RowColumns } from "../scan/line_scanner.ts";
import type { WasmNumber } from "../../io/tasks/wasm.ts";

/** Rows of a run at most. */
const ROWS = 1024;
/** Bytes of headers after which a run takes no further record. */
const HEADERS_BYTES = 1 << 16;
/** Bytes of one header at most: others are rare. */
const MAX_HEADER_BYTES = 1024;
/** Room for a template. One that fills it makes no more than a megabyte of a header. */
const TEMPLATE_BYTES = 1 << 12;

/** What the module exports for runs; numbers are pointers into memory. */
export interface RunExports {
  readonly memory: WebAssembly.Memory;
  readonly state: WasmNumber;
  readonly input: WasmNumber;
  readonly output: WasmNumber;
  readonly template: WasmNumber;
  readonly headerEnds: WasmNumber;
  readonly idLengths: WasmNumber;
  readonly idHashes: WasmNumber;
  readonly valueCounts: WasmNumber;
  readonly lengths: WasmNumber;
  readonly lines: WasmNumber;
  readonly starts: WasmNumber;
  readonly invalidLines: WasmNumber;
  readonly invalidBytes: WasmNumber;
  readonly invalidBases: WasmNumber;
  readonly headers: WasmNumber;
  layout(inputBytes: number, outputBytes: number, templateBytes: number, rows: number, headerBytes: number): void;
  useHeaders(values: number, factor: number, maxBytes: number): void;
  useTemplate(stepsAt: number, count: number, escapesPipes: boolean): void;
  scanRecords(from: number, to: number, limit: number, wrap: number, maxBases: number): number;
}

/** What {@linkcode RunExports} are known by. */
export const RUN_EXPORTS: readonly (keyof RunExports)[] = ["scanRecords", "useHeaders", "useTemplate", "template"];

/** Lays out a module's memory, which stays where it is. */
export function layOut(wasm: RunExports, inputBytes: number, outputBytes: number): void {
  wasm.layout(inputBytes, outputBytes, TEMPLATE_BYTES, ROWS, HEADERS_BYTES + MAX_HEADER_BYTES);
}

/** What holds for all records of a file. */
export interface RunRules {
  /** Values that a header must have; 0 for an id and a description. */
  readonly values: number;
  readonly hashFactor: number;
  readonly maxHeaderBytes: number;
  readonly maxRecordBytes: number;
  /** Bases of a line. */
  readonly wrap: number;
  /** Number of each value that a header is made of. */
  readonly fieldIndices: readonly number[];
  /** What stands before, between and behind them. */
  readonly literals: readonly Uint8Array[];
  /** Whether a `|` in a value is written as `/`. */
  readonly escapes: boolean;
}

/** Where a run begins, and how much of a batch is left for it. */
export interface RunStart {
  readonly line: number;
  readonly position: number;
  /** Where the output ends at which a run stops, and that at which no record of it begins. */
  readonly limit: number;
  readonly full: number;
  /** Rows at most. */
  readonly rows: number;
  /** Bytes of headers after which no record begins, and those that the batch has already. */
  readonly headerBytes: number;
  readonly headersBefore: number;
}

/** Writes runs of records, and says what is known of each. */
export class RecordRuns {
  readonly #wasm: RunExports;
  readonly #state: Float64Array;
  readonly #columns: Omit<RowColumns, "headerMarks">;
  readonly #headers: Uint8Array;
  #wrap = 0;
  #maxBases = 0;

  constructor(wasm: RunExports) {
    const { buffer } = wasm.memory;
    const integers = (pointer: WasmNumber) => new Int32Array(buffer, pointer.value, ROWS);
    const numbers = (pointer: WasmNumber) => new Float64Array(buffer, pointer.value, ROWS);
    this.#wasm = wasm;
    this.#state = new Float64Array(buffer, wasm.state.value, 16);
    this.#columns = {
      headerOffsets: integers(wasm.headerEnds),
      idLengths: integers(wasm.idLengths),
      idHashes: integers(wasm.idHashes),
      valueCounts: integers(wasm.valueCounts),
      length: numbers(wasm.lengths),
      line: numbers(wasm.lines),
      byte: numbers(wasm.starts),
      invalidLine: numbers(wasm.invalidLines),
      invalidByte: numbers(wasm.invalidBytes),
      invalidBase: new Uint8Array(buffer, wasm.invalidBases.value, ROWS),
    };
    this.#headers = new Uint8Array(buffer, wasm.headers.value, HEADERS_BYTES + MAX_HEADER_BYTES);
  }

  /** Line of the byte where the last run stopped. */
  get line(): number {
    return this.#state[7];
  }

  /** Records of the last run, the last of which is open. */
  get rows(): number {
    return this.#state[10];
  }

  /** Headers of the last run; valid until the next one. */
  get headers(): Uint8Array {
    return this.#headers.subarray(0, this.#state[11]);
  }

  /** Sets how a file is read and written; false where its headers are made of too much. */
  use({ values, hashFactor, maxHeaderBytes, maxRecordBytes, wrap, ...template }: RunRules): boolean {
    const wasm = this.#wasm;
    const { fieldIndices, escapes } = template;
    const literals = template.literals.map((literal) => Array.from(literal));
    literals[0].unshift(GREATER);
    literals[fieldIndices.length].push(LF);
    const texts = values === 0 ? 2 : values;
    const steps = literals.flatMap((_, index) => [texts + index, ...fieldIndices.slice(index, index + 1)]);
    const stepsAt = 8 * (texts + literals.length);
    const room = new Uint8Array(wasm.memory.buffer, wasm.template.value, TEMPLATE_BYTES);
    let at = stepsAt + 4 * steps.length;
    if (at + literals.reduce((sum, { length }) => sum + length, 0) > TEMPLATE_BYTES) return false;
    const table = new Uint32Array(room.buffer, room.byteOffset, TEMPLATE_BYTES / 4);
    table.set(steps, stepsAt / 4);
    for (const [index, literal] of literals.entries()) {
      room.set(literal, at);
      const ends = [room.byteOffset + at, room.byteOffset + at + literal.length];
      table.set(ends, 2 * (texts + index));
      at += literal.length;
    }
    wasm.useHeaders(values, hashFactor, Math.min(maxHeaderBytes, MAX_HEADER_BYTES));
    wasm.useTemplate(room.byteOffset + stepsAt, steps.length, escapes);
    this.#wrap = wrap;
    this.#maxBases = maxRecordBytes;
    return true;
  }

  /**
   * Writes the records of the input from the `>` at `from` on, up to `to`; no record is open there.
   *
   * @returns Where it stopped: at `from` if it cannot handle that record; else at `to`, at a `>` or `;` at the
   * beginning of a line, or anywhere when the output reaches its limit.
   */
  scan(from: number, to: number, start: RunStart): number {
    const wasm = this.#wasm;
    const state = this.#state;
    const input = wasm.input.value;
    const output = wasm.output.value;
    state[7] = start.line;
    state[8] = start.position;
    state[9] = output + start.full;
    state[10] = Math.min(start.rows, ROWS);
    state[11] = Math.min(start.headerBytes, HEADERS_BYTES);
    state[12] = start.headersBefore;
    return wasm.scanRecords(input + from, input + to, output + start.limit, this.#wrap, this.#maxBases) - input;
  }

  /** Copies the rows of the last run to columns, from a row on. */
  copyRows(target: RowColumns, row: number): void {
    const { rows } = this;
    const { headerOffsets, idLengths, idHashes, valueCounts, length, line, byte, ...invalid } = this.#columns;
    target.headerOffsets.set(headerOffsets.subarray(0, rows), row + 1);
    target.idLengths.set(idLengths.subarray(0, rows), row);
    target.idHashes.set(idHashes.subarray(0, rows), row);
    target.valueCounts.set(valueCounts.subarray(0, rows), row);
    target.headerMarks.fill(0, row, row + rows);
    target.length.set(length.subarray(0, rows), row);
    target.line.set(line.subarray(0, rows), row);
    target.byte.set(byte.subarray(0, rows), row);
    target.invalidLine.set(invalid.invalidLine.subarray(0, rows), row);
    target.invalidByte.set(invalid.invalidByte.subarray(0, rows), row);
    target.invalidBase.set(invalid.invalidBase.subarray(0, rows), row);
  }
}
