/**
 * The WebAssembly that looks at each byte of a CSV: `tables/wasm/rows.as.ts`. Own code instead of DuckDB and polars:
 * `deno task bench lake`, rows "CSV.gz to typed Parquet" and "CSV.gz to Parquet, all text".
 */
import { MAX_QUOTED_LINES_BYTES } from "../../../io/csv/csv_faults.ts";
import { startWasm, type WasmNumber } from "../../../io/tasks/wasm.ts";
import { WASM_BASE64 } from "../../wasm/rows_wasm.ts";

/** What the module exports; see `tables/wasm/rows.as.ts`. */
export interface RowsRoutines {
  readonly memory: WebAssembly.Memory;
  readonly at: WasmNumber;
  readonly rowStart: WasmNumber;
  readonly line: WasmNumber;
  readonly feeds: WasmNumber;
  readonly openedFeeds: WasmNumber;
  readonly maxQuoted: { value: number };
  readonly quoted: WasmNumber;
  readonly nul: WasmNumber;
  readonly listed: WasmNumber;
  readonly listedCells: WasmNumber;
  readonly space: WasmNumber;
  readonly MAX_KINDS: WasmNumber;
  setKind(column: number, kind: number): void;
  setKinds(columns: number): void;
  begin(pointer: number): void;
  resume(line: number, cells: number): void;
  setWidth(cells: number): void;
  takeRows(): number;
  moveBack(bytes: number): void;
  nextRow(): void;
  scan(end: number, isLast: number): number;
}

/** What `scan` returns where it stops before the end of the bytes. */
export const STATUS = { unusual: 1, stray: 2, full: 3, long: 4 } as const;

/** Bytes of a page of WebAssembly memory. */
export const PAGE_BYTES = 65536;
/** The module reads up to 15 bytes beyond the end. */
export const SLACK_BYTES = 64;

/** Starts a module with room for rows behind its own tables. */
export function startRowsRoutines(): RowsRoutines {
  const exports = startWasm<RowsRoutines>(WASM_BASE64, "row checker", ["memory", "scan", "setKind"]);
  const { memory, space } = exports;
  memory.grow(Math.max(0, Math.ceil((space.value + SLACK_BYTES - memory.buffer.byteLength) / PAGE_BYTES)));
  exports.maxQuoted.value = MAX_QUOTED_LINES_BYTES;
  exports.begin(space.value);
  return exports;
}
