/** Checks and wraps lines in WebAssembly. */
import { WASM_BASE64 } from "../wasm/lines_wasm.ts";
import { startWasm, type WasmNumber } from "../../io/tasks/wasm.ts";

export interface RecordSearch {
  /** Whether an id ends before a `|`, or before white space. */
  readonly endsAtPipe: boolean;
  /** Where in the file the search begins. */
  readonly position: number;
}

/** Room in the output that the search for records needs: see `wasm/index_records.as.ts`. */
export const RECORDS_BYTES = 17 << 20;
/** Bytes of an id that can be noted. */
const MAX_NOTED_BYTES = 1 << 18;

/** What works on lines of bytes that lie in its `input`. */
export interface LineRoutines {
  /** Where bytes are put. */
  readonly input: Uint8Array;
  /** Where wrapped bases come out. */
  readonly output: Uint8Array;
  /** Counts bytes of the input that are printable ASCII and no blank. */
  countGraphic(from: number, to: number): number;
  /** Counts lines of the input that are `bases` bases and a line end, `bytes` bytes in all; stops at any other. */
  countFullLines(from: number, to: number, bytes: number, bases: number): number;
  /**
   * Finds records of the input from the `>` at `from` on, one after the other, that are simple and whose end is seen
   * before `to`: a header, then lines of printable characters, all of one length but for the last. It may find fewer
   * than there are.
   */
  findRecords(from: number, to: number, search: RecordSearch): number;
  /** Offset after the records that were found last: a `>`, or where the search began. */
  readonly stop: number;
  /** The lines of an index of these records, valid until the next search. */
  readonly foundText: Uint8Array;
  readonly idLengths: Uint32Array;
  /** Lines of the file that they are. */
  readonly foundLines: number;
  /** Notes the id of a record that the caller has found. */
  noteId(id: Uint8Array): void;
  /** Whether two of the ids so far may be one. */
  readonly mayRepeat: boolean;
  /**
   * Writes the first `count` bases of the input to the output from `at` on, in lines of `wrap` bases, of which
   * `column` are on the line already. A line that would begin with `>` or `;` begins with a space.
   */
  wrapBases(count: number, at: number, column: number, wrap: number): number;
  /**
   * Writes the bases of lines of the input from `from` up to `to` to the output, without the ends of the lines: each is
   * `bases` bases and white space, `bytes` bytes in all, and the first begins with its base `column`.
   *
   * @returns How many there are, or -1 when a byte is not what it should be.
   */
  joinLines(from: number, to: number, column: number, bases: number, bytes: number): number;
}

/** Makes a module with room for so many bytes. */
export function makeLineRoutines(inputBytes: number, outputBytes: number): LineRoutines {
  const exports = startWasm<LinesExports>(WASM_BASE64, "routines of lines", [
    "memory",
    ...["input", "output", "stop", "foundText", "foundTextEnd", "idLengths", "foundLines", "mayRepeat"] as const,
    ...["layout", "countGraphic", "countFullLines", "wrapBases", "joinLines"] as const,
    ...["useFactor", "useRecords", "findRecords", "noteId"] as const,
  ]);
  return new WasmLineRoutines(exports, inputBytes, outputBytes);
}

interface LinesExports {
  readonly memory: WebAssembly.Memory;
  readonly input: WasmNumber;
  readonly output: WasmNumber;
  readonly stop: WasmNumber;
  readonly foundText: WasmNumber;
  readonly foundTextEnd: WasmNumber;
  readonly idLengths: WasmNumber;
  readonly foundLines: WasmNumber;
  readonly mayRepeat: WasmNumber;
  useFactor(low: number, high: number): void;
  useRecords(): void;
  noteId(id: number, length: number): void;
  layout(inputBytes: number, outputBytes: number): void;
  countGraphic(from: number, to: number): number;
  countFullLines(from: number, to: number, bytes: number, bases: number): number;
  findRecords(from: number, to: number, endsAtPipe: boolean, position: number): number;
  wrapBases(from: number, count: number, at: number, column: number, wrap: number): number;
  joinLines(from: number, to: number, column: number, bases: number, bytes: number): number;
}

class WasmLineRoutines implements LineRoutines {
  readonly input: Uint8Array;
  readonly output: Uint8Array;
  readonly #wasm: LinesExports;
  /** Whether there is room for what the search for records needs. */
  readonly #findsRecords: boolean;
  /** Whether an id was not noted. */
  #isBlind = false;

  constructor(wasm: LinesExports, inputBytes: number, outputBytes: number) {
    wasm.layout(inputBytes, outputBytes);
    this.#wasm = wasm;
    this.input = new Uint8Array(wasm.memory.buffer, wasm.input.value, inputBytes);
    this.output = new Uint8Array(wasm.memory.buffer, wasm.output.value, outputBytes);
    this.#findsRecords = outputBytes >= RECORDS_BYTES;
    if (!this.#findsRecords) return;
    // Unforeseeable, so that no file can be made whose ids all fall on one slot.
    const [low, high] = crypto.getRandomValues(new Uint32Array(2));
    wasm.useFactor(low | 1, high);
    wasm.useRecords();
  }

  findRecords(from: number, to: number, { endsAtPipe, position }: RecordSearch): number {
    const { byteOffset } = this.input;
    return this.#findsRecords ? this.#wasm.findRecords(byteOffset + from, byteOffset + to, endsAtPipe, position) : 0;
  }

  get stop(): number {
    return this.#wasm.stop.value - this.input.byteOffset;
  }

  get foundText(): Uint8Array {
    const { memory, foundText, foundTextEnd } = this.#wasm;
    return new Uint8Array(memory.buffer, foundText.value, foundTextEnd.value - foundText.value);
  }

  get idLengths(): Uint32Array {
    const { memory, idLengths, foundText } = this.#wasm;
    return new Uint32Array(memory.buffer, idLengths.value, (foundText.value - idLengths.value) / 4);
  }

  get foundLines(): number {
    return this.#wasm.foundLines.value;
  }

  noteId(id: Uint8Array): void {
    if (!this.#findsRecords || id.length > MAX_NOTED_BYTES) {
      this.#isBlind = true;
      return;
    }
    const { memory, foundText } = this.#wasm;
    new Uint8Array(memory.buffer, foundText.value, id.length).set(id);
    this.#wasm.noteId(foundText.value, id.length);
  }

  get mayRepeat(): boolean {
    return this.#isBlind || this.#wasm.mayRepeat.value !== 0;
  }

  countGraphic(from: number, to: number): number {
    return this.#wasm.countGraphic(this.input.byteOffset + from, this.input.byteOffset + to);
  }

  countFullLines(from: number, to: number, bytes: number, bases: number): number {
    return this.#wasm.countFullLines(this.input.byteOffset + from, this.input.byteOffset + to, bytes, bases);
  }

  wrapBases(count: number, at: number, column: number, wrap: number): number {
    const { input, output } = this;
    return this.#wasm.wrapBases(input.byteOffset, count, output.byteOffset + at, column, wrap) - output.byteOffset;
  }

  joinLines(from: number, to: number, column: number, bases: number, bytes: number): number {
    const { byteOffset } = this.input;
    return this.#wasm.joinLines(byteOffset + from, byteOffset + to, column, bases, bytes);
  }
}
