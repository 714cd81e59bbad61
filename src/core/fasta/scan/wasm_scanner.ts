/**
 * The scanner in WebAssembly: see `wasm/scan.as.ts` for how it works. Tests compare it with one in plain TypeScript.
 * Own code: no library of npm reads FASTA in bounded memory; it is compared with other programs by `deno task bench
 * fasta`.
 */
import { WASM_BASE64 } from "../wasm/scan_wasm.ts";
import { BASE_CLASS } from "../text/bases.ts";
import { headerTooLong, recordTooLong } from "./line_scanner.ts";
import type { FastaScanner, HeaderRule, ScanLimits, ScannedRows } from "./scanner.ts";
import { startWasm, type WasmNumber } from "../../io/tasks/wasm.ts";

/** Bytes that are scanned at a time: they stay in the processor's cache. */
const INPUT_BYTES = 1 << 18;

/** Chunks in memory: one is scanned, one is being read, one is queued. */
const LANES = 3;
/** Bytes of a chunk: large enough for few reads, small enough for the shared cache. */
const LANE_BYTES = 1 << 21;

/** What the module exports; numbers are pointers into memory unless stated otherwise. */
interface ScanExports {
  readonly memory: WebAssembly.Memory;
  readonly classes: WasmNumber;
  readonly headerOffsets: WasmNumber;
  readonly idLengths: WasmNumber;
  readonly idHashes: WasmNumber;
  readonly valueCounts: WasmNumber;
  readonly headerMarks: WasmNumber;
  readonly sequenceOffsets: WasmNumber;
  readonly lengths: WasmNumber;
  readonly gcCounts: WasmNumber;
  readonly ambiguousCounts: WasmNumber;
  readonly lines: WasmNumber;
  readonly starts: WasmNumber;
  readonly invalidBases: WasmNumber;
  readonly invalidLines: WasmNumber;
  readonly invalidBytes: WasmNumber;
  readonly headers: WasmNumber;
  readonly input: WasmNumber;
  readonly sequences: WasmNumber;
  readonly rows: WasmNumber;
  readonly headerLength: WasmNumber;
  readonly sequenceLength: WasmNumber;
  readonly line: WasmNumber;
  readonly fault: WasmNumber;
  layout(batchRows: number, batchBytes: number, headerBytes: number, maxSequence: number, inputBytes: number): void;
  reserve(more: number): void;
  isFull(): number;
  clear(): void;
  finish(): void;
  skipLines(count: number): void;
  useHeaders(endsAtPipe: boolean, hashFactor: number): void;
  scanCounting(from: number, to: number, offset: number): number;
  scanKeeping(from: number, to: number, offset: number): number;
}

export function makeScanner(limits: ScanLimits): FastaScanner {
  const names = ["memory", "classes", "layout", "reserve", "scanCounting", "scanKeeping", "headerMarks"] as const;
  return new WasmScanner(limits, startWasm<ScanExports>(WASM_BASE64, "scanner", names));
}

export class WasmScanner implements FastaScanner {
  position = 0;
  readonly #limits: ScanLimits;
  readonly #wasm: ScanExports;
  /** Where the input begins; fixed once memory is laid out. */
  readonly #input: number;

  constructor(limits: ScanLimits, wasm: ScanExports) {
    this.#limits = limits;
    this.#wasm = wasm;
    const { batchRows, batchBytes, maxHeaderBytes, maxRecordBytes, keepsSequences } = limits;
    const maxSequence = keepsSequences ? maxRecordBytes : Infinity;
    const inputBytes = keepsSequences ? INPUT_BYTES : LANES * LANE_BYTES;
    wasm.layout(batchRows, batchBytes, maxHeaderBytes, maxSequence, inputBytes);
    this.#input = wasm.input.value;
    this.#bytes(wasm.classes, 256).set(BASE_CLASS);
  }

  get line(): number {
    return this.#wasm.line.value;
  }

  get isFull(): boolean {
    return this.#wasm.isFull() !== 0;
  }

  get input(): Uint8Array {
    // Room for all of it is made now: memory that grows later would leave the caller with a view of nothing.
    this.#reserve();
    return new Uint8Array(this.#wasm.memory.buffer, this.#input, INPUT_BYTES);
  }

  get lanes(): readonly Uint8Array[] | undefined {
    // Growing memory, as needed for bases, would detach the reader's buffer.
    if (this.#limits.keepsSequences) return undefined;
    const { buffer } = this.#wasm.memory;
    const lane = (index: number) => new Uint8Array(buffer, this.#input + index * LANE_BYTES, LANE_BYTES);
    return Array.from({ length: LANES }, (_, index) => lane(index));
  }

  scan(bytes: Uint8Array, start: number): number {
    if (bytes.buffer === this.#wasm.memory.buffer) {
      return this.#scan(bytes.byteOffset + start, bytes.byteOffset + bytes.length) - bytes.byteOffset;
    }
    let at = start;
    while (at < bytes.length) {
      const piece = bytes.subarray(at, at + INPUT_BYTES);
      this.input.set(piece);
      const scanned = this.#scan(this.#input, this.#input + piece.length) - this.#input;
      at += scanned;
      if (scanned < piece.length) break;
    }
    return at;
  }

  useHeaders({ endsAtPipe, hashFactor }: HeaderRule): void {
    this.#wasm.useHeaders(endsAtPipe, hashFactor);
  }

  skip(bytes: number, lines: number): void {
    this.position += bytes;
    this.#wasm.skipLines(lines);
  }

  finish(): void {
    this.#wasm.finish();
    this.#throwFault();
  }

  take(): ScannedRows {
    const wasm = this.#wasm;
    const rows = wasm.rows.value;
    const taken: ScannedRows = {
      rows,
      headers: {
        offsets: this.#integers(wasm.headerOffsets, rows + 1),
        data: this.#bytes(wasm.headers, wasm.headerLength.value),
      },
      idLengths: this.#integers(wasm.idLengths, rows),
      idHashes: this.#integers(wasm.idHashes, rows),
      valueCounts: this.#integers(wasm.valueCounts, rows),
      headerMarks: this.#bytes(wasm.headerMarks, rows),
      sequences: this.#limits.keepsSequences
        ? {
          offsets: this.#integers(wasm.sequenceOffsets, rows + 1),
          data: this.#bytes(wasm.sequences, wasm.sequenceLength.value),
        }
        : null,
      length: this.#numbers(wasm.lengths),
      gcBases: this.#numbers(wasm.gcCounts),
      ambiguous: this.#numbers(wasm.ambiguousCounts),
      line: this.#numbers(wasm.lines),
      byte: this.#numbers(wasm.starts),
      invalidBase: this.#bytes(wasm.invalidBases, rows),
      invalidLine: this.#numbers(wasm.invalidLines),
      invalidByte: this.#numbers(wasm.invalidBytes),
    };
    wasm.clear();
    return taken;
  }

  #scan(from: number, to: number): number {
    const wasm = this.#wasm;
    const at = this.#limits.keepsSequences
      ? wasm.scanKeeping(from, to, this.position)
      : wasm.scanCounting(from, to, this.position);
    this.position += at - from;
    if (wasm.fault.value !== 0) this.#throwFault();
    return at;
  }

  #reserve(): void {
    if (this.#limits.keepsSequences) this.#wasm.reserve(INPUT_BYTES);
  }

  /** The open record, or the last one, broke a limit. */
  #throwFault(): void {
    const { fault, rows, lines, starts, headers, headerOffsets, memory } = this.#wasm;
    if (fault.value === 0) return;
    const row = rows.value;
    const [line] = new Float64Array(memory.buffer, lines.value + 8 * row, 1);
    const [byte] = new Float64Array(memory.buffer, starts.value + 8 * row, 1);
    if (fault.value === 1) throw headerTooLong(this.#limits, line, byte);
    const [start, end] = new Int32Array(memory.buffer, headerOffsets.value + 4 * row, 2);
    const header = new Uint8Array(memory.buffer, headers.value + start, end - start);
    throw recordTooLong(this.#limits, header, line, byte);
  }

  #numbers(pointer: WasmNumber): Float64Array {
    return new Float64Array(this.#wasm.memory.buffer, pointer.value, this.#wasm.rows.value);
  }

  #integers(pointer: WasmNumber, count: number): Int32Array {
    return new Int32Array(this.#wasm.memory.buffer, pointer.value, count);
  }

  #bytes(pointer: WasmNumber, length: number): Uint8Array {
    // Numbers of WebAssembly are signed in JavaScript: past 2 GiB they come out negative.
    return new Uint8Array(this.#wasm.memory.buffer, pointer.value >>> 0, length >>> 0);
  }
}
