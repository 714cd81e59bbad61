/** The sieve in WebAssembly: see `wasm/sieve.as.ts` for how it works. Tests compare it with one in plain TypeScript. */
import { ID_LIMITS, type IdLimits } from "../text/id_limits.ts";
import { WASM_BASE64 } from "../wasm/sieve_wasm.ts";
import type { RowSieve } from "./_row_sieve.ts";
import type { ScannedRows } from "../scan/scanner.ts";
import { startWasm, type WasmNumber } from "../../io/tasks/wasm.ts";

/** A faulty byte of a header may become three of an id: so much longer can texts be than headers. */
const WORST_GROWTH = 3;

/** What the module exports; numbers are pointers into memory unless stated otherwise. */
interface SieveExports {
  readonly memory: WebAssembly.Memory;
  readonly headerOffsets: WasmNumber;
  readonly idLengths: WasmNumber;
  readonly idHashes: WasmNumber;
  readonly valueCounts: WasmNumber;
  readonly headerMarks: WasmNumber;
  readonly lengths: WasmNumber;
  readonly invalidBytes: WasmNumber;
  readonly headers: WasmNumber;
  readonly spare: WasmNumber;
  readonly isDuplicate: WasmNumber;
  start(values: number, mostIds: number, mostBytes: number): void;
  layout(rows: number, headerBytes: number, textBytes: number): void;
  reserveSpare(bytes: number): void;
  isOverfull(): number;
  next(from: number): number;
  seen(hash: number, pointer: number, length: number): number;
}

/** Makes a sieve; `values` is how many each header must hold, 0 when that is free. */
export function makeSieve(values: number, limits: IdLimits = ID_LIMITS): RowSieve {
  const names = ["memory", "start", "layout", "reserveSpare", "isOverfull", "next", "seen", "spare"] as const;
  return new WasmSieve(startWasm<SieveExports>(WASM_BASE64, "sieve", names), values, limits);
}

/** Goes through rows in WebAssembly. */
export class WasmSieve implements RowSieve {
  readonly #wasm: SieveExports;

  constructor(wasm: SieveExports, values: number, { mostIds, mostBytes }: IdLimits) {
    this.#wasm = wasm;
    wasm.start(values, mostIds, mostBytes);
  }

  get isOverfull(): boolean {
    return this.#wasm.isOverfull() !== 0;
  }

  get isDuplicate(): boolean {
    return this.#wasm.isDuplicate.value !== 0;
  }

  load({ rows, headers, idLengths, idHashes, valueCounts, headerMarks, length, invalidByte }: ScannedRows): void {
    const wasm = this.#wasm;
    const data = headers.data.subarray(0, headers.offsets[rows]);
    wasm.layout(rows, data.length, WORST_GROWTH * data.length);
    // A column may have room for more rows than there are.
    this.#put(wasm.headerOffsets, headers.offsets.subarray(0, rows + 1));
    this.#put(wasm.idLengths, idLengths.subarray(0, rows));
    this.#put(wasm.idHashes, idHashes.subarray(0, rows));
    this.#put(wasm.valueCounts, valueCounts.subarray(0, rows));
    this.#put(wasm.headerMarks, headerMarks.subarray(0, rows));
    this.#put(wasm.lengths, length.subarray(0, rows));
    this.#put(wasm.invalidBytes, invalidByte.subarray(0, rows));
    this.#put(wasm.headers, data);
  }

  next(from: number): number {
    return this.#wasm.next(from);
  }

  seen(hash: number, id: Uint8Array): boolean {
    const wasm = this.#wasm;
    wasm.reserveSpare(id.length);
    this.#put(wasm.spare, id);
    return wasm.seen(hash, wasm.spare.value, id.length) !== 0;
  }

  #put(pointer: WasmNumber, { buffer, byteOffset, byteLength }: Uint8Array | Int32Array | Float64Array): void {
    // Numbers of WebAssembly are signed in JavaScript: past 2 GiB they come out negative.
    new Uint8Array(this.#wasm.memory.buffer, pointer.value >>> 0, byteLength)
      .set(new Uint8Array(buffer, byteOffset, byteLength));
  }
}
