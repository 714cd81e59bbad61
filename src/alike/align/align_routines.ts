/** Alignment by the module `../wasm/align.as.ts`. */
import { startWasm, type WasmNumber } from "@seqreg/core/io/tasks";
import { WASM_BASE64 } from "../wasm/align_wasm.ts";

/** Exports of the module; numbers are memory offsets unless stated otherwise. */
interface AlignExports {
  readonly memory: WebAssembly.Memory;
  readonly query: WasmNumber;
  readonly reference: WasmNumber;
  readonly regions: WasmNumber;
  readonly ownRegions: WasmNumber;
  layout(most: number): void;
  encodeQuery(bases: number): void;
  indexReference(bases: number): void;
  align(): number;
  coverQuery(from: number, to: number): number;
  coverReference(from: number, to: number): number;
}

/** A stretch of the query that is aligned to one of the reference; starts from 0, ends excluded. */
export interface AlignedRegion {
  /** On the query's own strand, whichever strand matches. */
  readonly start: number;
  readonly end: number;
  readonly referenceStart: number;
  readonly referenceEnd: number;
  /** Bases of the stretch that equal the reference's. */
  readonly matches: number;
  /** Whether the reverse complement of the query matches. */
  readonly isComplement: boolean;
}

/** Numbers of a region in the module's memory. */
const REGION_NUMBERS = 5;
/** Bases for which memory is laid out first. */
const FIRST_BASES = 1 << 18;
/** Bases of a sequence at most: the module needs less than 8 bytes for each. */
export const MOST_ALIGNED = 1 << 25;

/** Aligns sequences in WebAssembly: one reference at a time, to any number of queries. */
export class AlignRoutines {
  #wasm = start(FIRST_BASES);
  #most = FIRST_BASES;
  #reference: Uint8Array | undefined;

  /** Sets the sequence that queries are aligned to. It must stay unchanged while it is used. */
  setReference(sequence: Uint8Array): void {
    if (sequence === this.#reference) return;
    this.#makeRoom(sequence.length);
    this.#put(this.#wasm.reference.value, sequence);
    this.#wasm.indexReference(sequence.length);
    this.#reference = sequence;
  }

  /** Aligns both strands of a sequence to the reference. Regions of the two strands may overlap. */
  align(sequence: Uint8Array): AlignedRegion[] {
    this.#makeRoom(sequence.length);
    const { memory, query, regions, ownRegions } = this.#wasm;
    this.#put(query.value, sequence);
    this.#wasm.encodeQuery(sequence.length);
    const count = this.#wasm.align();
    const numbers = new Int32Array(memory.buffer, regions.value, count * REGION_NUMBERS);
    return Array.from({ length: count }, (_, index) => {
      const [first, last, referenceStart, referenceEnd, matches] = numbers.subarray(index * REGION_NUMBERS);
      const isComplement = index >= ownRegions.value;
      const [start, end] = isComplement ? [sequence.length - last, sequence.length - first] : [first, last];
      return { start, end, referenceStart, referenceEnd, matches, isComplement };
    });
  }

  /** Covers a stretch of the query that was aligned last; returns how many of its bases were not covered. */
  coverQuery({ start, end }: AlignedRegion): number {
    return this.#wasm.coverQuery(start, end);
  }

  /** As `coverQuery`, of the reference. */
  coverReference({ referenceStart, referenceEnd }: AlignedRegion): number {
    return this.#wasm.coverReference(referenceStart, referenceEnd);
  }

  #put(at: number, sequence: Uint8Array): void {
    new Uint8Array(this.#wasm.memory.buffer).set(sequence, at);
  }

  /** Starts a module with more memory if a sequence needs it; the reference is put there too. */
  #makeRoom(bases: number): void {
    if (bases > MOST_ALIGNED) throw new RangeError(`Cannot align ${bases} bases: at most ${MOST_ALIGNED} are aligned`);
    if (bases <= this.#most) return;
    this.#most = Math.min(MOST_ALIGNED, 2 * bases);
    this.#wasm = start(this.#most);
    const reference = this.#reference;
    this.#reference = undefined;
    if (reference !== undefined) this.setReference(reference);
  }
}

function start(most: number): AlignExports {
  const exports = startWasm<AlignExports>(WASM_BASE64, "aligner", [
    "memory",
    "query",
    "reference",
    "regions",
    "ownRegions",
    "layout",
    "encodeQuery",
    "indexReference",
    "align",
    "coverQuery",
    "coverReference",
  ]);
  exports.layout(most);
  return exports;
}
