/** Hashes of sequences by the module `../wasm/sketch.as.ts`. Tests compare it with a plain TypeScript reading. */
import { startWasm, type WasmNumber } from "@seqreg/core/io/tasks";
import { WASM_BASE64 } from "../wasm/sketch_wasm.ts";

/** Exports of the module; numbers are memory offsets unless stated otherwise. */
interface SketchExports {
  readonly memory: WebAssembly.Memory;
  readonly PIECE: WasmNumber;
  readonly input: WasmNumber;
  readonly output: WasmNumber;
  readonly digits: WasmNumber;
  readonly list: WasmNumber;
  readonly listEnd: WasmNumber;
  layout(): void;
  readRna(isRna: number): void;
  begin(): void;
  exchange(bases: number, k: number, most: bigint): void;
  search(bases: number, bits: bigint): void;
  /** These two return a number of hashes. */
  finishExchange(): number;
  finishSearch(): number;
  writeDigits(): void;
}

/** Bases of a k-mer of the search sketch. */
export const SEARCH_K = 21;

/** Hashes as decimal numbers, ASCII, in the module's memory: valid until the next sequence. */
export interface DecimalHashes {
  readonly count: number;
  /** The numbers end to end. */
  readonly digits: Uint8Array;
  /** The numbers with commas between them. */
  readonly list: Uint8Array;
}

/** What hashes of sourmash are kept: those of k bases that are at most `most`. */
export interface ExchangeLimits {
  readonly k: number;
  readonly most: bigint;
  /** Whether U is read as T. */
  readonly rna?: boolean;
}

/** Hashes k-mers in WebAssembly: its memory grows with the hashes of the longest sequence. */
export class SketchRoutines {
  readonly #wasm: SketchExports;

  private constructor(wasm: SketchExports) {
    this.#wasm = wasm;
  }

  static start(): SketchRoutines {
    const exports = startWasm<SketchExports>(WASM_BASE64, "sketcher", [
      "memory",
      "PIECE",
      "input",
      "output",
      "digits",
      "list",
      "listEnd",
      "layout",
      "readRna",
      "begin",
      "exchange",
      "search",
      "finishExchange",
      "finishSearch",
      "writeDigits",
    ]);
    exports.layout();
    return new SketchRoutines(exports);
  }

  /** Hashes as sourmash does: distinct and ascending. */
  exchange(sequence: Uint8Array, limits: ExchangeLimits): BigUint64Array {
    const count = this.#exchange(sequence, limits);
    const { memory, output } = this.#wasm;
    return new BigUint64Array(memory.buffer, output.value, count).slice();
  }

  /** As `exchange`, written as decimal numbers. */
  exchangeDigits(sequence: Uint8Array, limits: ExchangeLimits): DecimalHashes {
    const count = this.#exchange(sequence, limits);
    this.#wasm.writeDigits();
    const { memory, digits, list, listEnd } = this.#wasm;
    const listBytes = listEnd.value - list.value;
    return {
      count,
      digits: new Uint8Array(memory.buffer, digits.value, listBytes - Math.max(0, count - 1)),
      list: new Uint8Array(memory.buffer, list.value, listBytes),
    };
  }

  #exchange(sequence: Uint8Array, { k, most, rna = false }: ExchangeLimits): number {
    this.#wasm.readRna(Number(rna));
    this.#wasm.begin();
    const greatest = BigInt.asIntN(64, most);
    for (const bases of this.#pieces(sequence, k)) this.#wasm.exchange(bases, k, greatest);
    return this.#wasm.finishExchange();
  }

  /**
   * Hashes for the search sketch, of those below 2^bits among 49 bits: for each distinct one twice its code, plus 1
   * where the k-mer's own strand is the canonical one and the other strand does not have it; ascending. U is read as T.
   */
  search(sequence: Uint8Array, bits: number): Float64Array {
    this.#wasm.readRna(1);
    this.#wasm.begin();
    for (const bases of this.#pieces(sequence, SEARCH_K)) this.#wasm.search(bases, BigInt(bits));
    const count = this.#wasm.finishSearch();
    const { memory, output } = this.#wasm;
    return new Float64Array(memory.buffer, output.value, count).slice();
  }

  /** Puts the sequence into the module's memory piece by piece; yields the bases of each. */
  *#pieces(sequence: Uint8Array, k: number): Generator<number> {
    const { memory, PIECE, input } = this.#wasm;
    for (let start = 0; start + k <= sequence.length; start += PIECE.value - k + 1) {
      const piece = sequence.subarray(start, start + PIECE.value);
      // The memory may have grown during the previous chunk.
      new Uint8Array(memory.buffer).set(piece, input.value);
      yield piece.length;
    }
  }
}
