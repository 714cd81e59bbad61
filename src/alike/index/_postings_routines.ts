/** Sorts and writes the postings of one group by the module `../wasm/postings.as.ts`. */
import { startWasm, type WasmNumber } from "@seqreg/core/io/tasks";
import { WASM_BASE64 } from "../wasm/postings_wasm.ts";
import { BLOCK_POSTINGS } from "./index_files.ts";

/** Exports of the module; numbers are memory offsets unless stated otherwise. */
interface PostingsExports {
  readonly memory: WebAssembly.Memory;
  readonly postings: WasmNumber;
  readonly block: WasmNumber;
  reserve(count: number, most: number): void;
  sortPostings(count: number): void;
  /** Returns a number of bytes. */
  writeBlock(from: number, to: number): number;
}

/** The postings of a group at a time, in memory that is reused. */
export class PostingsRoutines {
  readonly #wasm = startWasm<PostingsExports>(WASM_BASE64, "postings", [
    "memory",
    "postings",
    "block",
    "reserve",
    "sortPostings",
    "writeBlock",
  ]);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Begins a group of so many postings. */
  begin(count: number): void {
    this.#wasm.reserve(count, BLOCK_POSTINGS);
    this.#count = count;
  }

  /** The postings, eight bytes each: to be written before they are sorted. */
  get bytes(): Uint8Array {
    const { memory, postings } = this.#wasm;
    return new Uint8Array(memory.buffer, postings.value, this.#count * 8);
  }

  sort(): void {
    this.#wasm.sortPostings(this.#count);
  }

  keyAt(index: number): number {
    const { memory, postings } = this.#wasm;
    const [low, high] = new Uint32Array(memory.buffer, postings.value + index * 8, 2);
    return high * 256 + (low >>> 24);
  }

  /** A block of sorted postings; its bytes are valid until the next. */
  writeBlock(from: number, to: number): Uint8Array {
    const { memory, block } = this.#wasm;
    return new Uint8Array(memory.buffer, block.value, this.#wasm.writeBlock(from, to));
  }
}
