/**
 * The scanner in WebAssembly: see `kernel/scan.as.ts` for how it works. Results and errors are those of the plain one.
 */
import { SCAN_WASM } from "./kernel/scan_wasm.ts";
import { LETTER_CLASS } from "./_letters.ts";
import { headerTooLong, PlainScanner, recordTooLong } from "./_plain_scanner.ts";
import type { FastaScanner, ScanLimits, ScannedRows } from "./_scanner.ts";

/** Bytes that are scanned at a time: they stay in the processor's cache. */
const INPUT_BYTES = 1 << 18;

/** A number that the module keeps. */
interface Place {
  readonly value: number;
}

/** What the module exports; numbers are places in memory unless they say otherwise. */
interface ScanExports {
  readonly memory: WebAssembly.Memory;
  readonly classes: Place;
  readonly headerOffsets: Place;
  readonly sequenceOffsets: Place;
  readonly lengths: Place;
  readonly gcCounts: Place;
  readonly ambiguousCounts: Place;
  readonly lines: Place;
  readonly starts: Place;
  readonly oddLetters: Place;
  readonly oddLines: Place;
  readonly oddBytes: Place;
  readonly headers: Place;
  readonly input: Place;
  readonly sequences: Place;
  readonly rows: Place;
  readonly headerLength: Place;
  readonly sequenceLength: Place;
  readonly line: Place;
  readonly fault: Place;
  layout(batchRows: number, batchBytes: number, headerBytes: number, maxSequence: number, inputBytes: number): void;
  reserve(more: number): void;
  isFull(): number;
  clear(): void;
  finish(): void;
  skipLines(count: number): void;
  scanCounting(from: number, to: number, offset: number): number;
  scanKeeping(from: number, to: number, offset: number): number;
}

let compiled: WebAssembly.Module | undefined;

/** Makes the fastest scanner that this platform can run, at the beginning of a text. */
export function makeScanner(limits: ScanLimits): FastaScanner {
  const bytes = compiled === undefined ? Uint8Array.from(atob(SCAN_WASM), (letter) => letter.charCodeAt(0)) : undefined;
  if (bytes !== undefined && !WebAssembly.validate(bytes)) return new PlainScanner(limits);
  compiled ??= new WebAssembly.Module(bytes!);
  return new WasmScanner(limits, compiled);
}

/** Scans FASTA in WebAssembly. */
export class WasmScanner implements FastaScanner {
  position = 0;
  readonly #limits: ScanLimits;
  readonly #wasm: ScanExports;
  /** Where the input begins; fixed once memory is laid out. */
  readonly #input: number;

  constructor(limits: ScanLimits, module: WebAssembly.Module) {
    this.#limits = limits;
    this.#wasm = exportsOf(new WebAssembly.Instance(module));
    const { batchRows, batchBytes, maxHeaderBytes, maxRecordBytes, keepsSequences } = limits;
    const maxSequence = keepsSequences ? maxRecordBytes : Infinity;
    this.#wasm.layout(batchRows, batchBytes, maxHeaderBytes, maxSequence, INPUT_BYTES);
    this.#input = this.#wasm.input.value;
    this.#bytes(this.#wasm.classes, 256).set(LETTER_CLASS);
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
      headers: { offsets: this.#offsets(wasm.headerOffsets), data: this.#bytes(wasm.headers, wasm.headerLength.value) },
      sequences: this.#limits.keepsSequences
        ? { offsets: this.#offsets(wasm.sequenceOffsets), data: this.#bytes(wasm.sequences, wasm.sequenceLength.value) }
        : null,
      length: this.#numbers(wasm.lengths),
      gcLetters: this.#numbers(wasm.gcCounts),
      ambiguous: this.#numbers(wasm.ambiguousCounts),
      line: this.#numbers(wasm.lines),
      byte: this.#numbers(wasm.starts),
      oddLetter: this.#bytes(wasm.oddLetters, rows),
      oddLine: this.#numbers(wasm.oddLines),
      oddByte: this.#numbers(wasm.oddBytes),
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

  #numbers(place: Place): Float64Array {
    return new Float64Array(this.#wasm.memory.buffer, place.value, this.#wasm.rows.value);
  }

  #offsets(place: Place): Int32Array {
    return new Int32Array(this.#wasm.memory.buffer, place.value, this.#wasm.rows.value + 1);
  }

  #bytes(place: Place, length: number): Uint8Array {
    // Numbers of WebAssembly are signed in JavaScript: past 2 GiB they come out negative.
    return new Uint8Array(this.#wasm.memory.buffer, place.value >>> 0, length >>> 0);
  }
}

/** The exports, each of which the build wrote: one that is absent is a build that does not fit this file. */
function exportsOf({ exports }: WebAssembly.Instance): ScanExports {
  if (!isScanner(exports)) throw new TypeError("Cannot use the compiled scanner: build it anew");
  return exports;
}

function isScanner(exports: unknown): exports is ScanExports {
  return typeof exports === "object" && exports !== null &&
    ["memory", "classes", "layout", "scanCounting", "scanKeeping"].every((name) => name in exports);
}
