/** Counts pairs of bases by the module `../wasm/pairs.as.ts`. */
import { startWasm, type WasmNumber } from "../../io/tasks/wasm.ts";
import { WASM_BASE64 } from "../wasm/pairs_wasm.ts";
import type { TextColumn } from "../text/text_column.ts";

/** Exports of the module; numbers are memory offsets. */
interface PairExports {
  readonly memory: WebAssembly.Memory;
  readonly counts: WasmNumber;
  readonly input: WasmNumber;
  count(from: number, to: number): void;
}

const PAGE = 1 << 16;

/** Bytes after the sequences that the module reads too. */
const MARGIN = 64;
/** Classes that are counted: pairs `AA`, `AC` to `TT`, then bases `A`, `C`, `G`, `T`. */
const CLASSES = 20;

/** Counts pairs of bases of sequences, some at a time. */
export class PairRoutines {
  readonly #wasm = startWasm<PairExports>(WASM_BASE64, "counter of pairs", ["memory", "counts", "input", "count"]);
  #offsets: TextColumn["offsets"] = new Int32Array(1);

  /** Sets the sequences; the module keeps a copy of its own. */
  load({ data, offsets }: TextColumn): void {
    const { memory, input } = this.#wasm;
    const [first, last] = [offsets[0], offsets[offsets.length - 1]];
    const missing = input.value + last - first + MARGIN - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    new Uint8Array(memory.buffer, input.value).set(data.subarray(first, last));
    this.#offsets = offsets;
  }

  /** Counts of a sequence's classes; valid until the next call. */
  count(row: number): Uint32Array {
    const { memory, input, counts } = this.#wasm;
    const before = input.value - this.#offsets[0];
    this.#wasm.count(before + this.#offsets[row], before + this.#offsets[row + 1]);
    return new Uint32Array(memory.buffer, counts.value, CLASSES);
  }
}
