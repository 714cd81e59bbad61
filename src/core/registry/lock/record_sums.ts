/** The sum of the SHA-256 of an answer's records, by a compiled module whose memory is used again. */
import { createHash } from "node:crypto";
import { startWasm, type WasmNumber } from "../../io/tasks/wasm.ts";
import { WASM_BASE64 } from "./wasm/record_sums_wasm.ts";

export interface RecordSum {
  /** The first record of a table, or the line of a FASTA file that names its fields; empty without one. */
  readonly header: string;
  readonly records: number;
  /** Modulo 2^256. */
  readonly sum: bigint;
}

/** How records are found in bytes; those that come one by one are `SINGLE`. */
export type RecordForm = "CSV" | "TSV" | "FASTA" | "SINGLE";

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly records: WasmNumber;
  readonly sums: WasmNumber;
  readonly longDigest: WasmNumber;
  readonly CSV: WasmNumber;
  readonly TSV: WasmNumber;
  readonly FASTA: WasmNumber;
  readonly SINGLE: WasmNumber;
  begin(form: number): void;
  room(bytes: number): number;
  update(bytes: number): void;
  add(bytes: number): void;
  end(): void;
}

const NAMES = [
  "memory",
  "records",
  "sums",
  "longDigest",
  "CSV",
  "TSV",
  "FASTA",
  "SINGLE",
  "begin",
  "room",
  "update",
  "add",
  "end",
] as const;

/** Bytes that are put into the module's memory at once. */
const PART_BYTES = 1 << 16;

/** Modules that are kept, unless a long record has made their memory larger than this. */
const MOST_SPARE = 4;
const MOST_SPARE_BYTES = 1 << 20;
const spare: RecordSums[] = [];

const WORDS = 8;
const WORD_BITS = 32n;
const encoder = new TextEncoder();

/** Adds up an answer's records; {@linkcode RecordSums.close} ends it. */
export class RecordSums {
  readonly #module: Exports;
  #header = "";

  private constructor() {
    this.#module = startWasm<Exports>(WASM_BASE64, "sums of records", NAMES, {
      onHeader: (start: number, bytes: number) => {
        this.#header = new TextDecoder().decode(this.#view(start, bytes));
      },
      digestLong: (start: number, bytes: number) => {
        const digest = createHash("sha256").update(this.#view(start, bytes)).digest();
        this.#view(this.#module.longDigest.value, digest.length).set(digest);
      },
    });
  }

  static begin(form: RecordForm): RecordSums {
    const sums = spare.pop() ?? new RecordSums();
    sums.#header = "";
    sums.#module.begin(sums.#module[form].value);
    return sums;
  }

  /** Takes bytes of an answer whose records are found in it. */
  update(chunk: Uint8Array): void {
    for (let from = 0; from < chunk.length; from += PART_BYTES) {
      const part = chunk.subarray(from, from + PART_BYTES);
      const start = this.#module.room(part.length);
      this.#view(start, part.length).set(part);
      this.#module.update(part.length);
    }
  }

  /** Takes a record. */
  add(record: string): void {
    const most = 3 * record.length;
    const start = this.#module.room(most);
    this.#module.add(encoder.encodeInto(record, this.#view(start, most)).written);
  }

  close(): RecordSum {
    this.#module.end();
    const { memory, records, sums } = this.#module;
    const words = new DataView(memory.buffer, sums.value, 8 * WORDS);
    let sum = 0n;
    for (let word = 0; word < WORDS; word++) sum = (sum << WORD_BITS) + words.getBigUint64(8 * word, true);
    const found = { header: this.#header, records: records.value >>> 0, sum: BigInt.asUintN(256, sum) };
    if (spare.length < MOST_SPARE && memory.buffer.byteLength <= MOST_SPARE_BYTES) spare.push(this);
    return found;
  }

  #view(start: number, bytes: number): Uint8Array {
    return new Uint8Array(this.#module.memory.buffer, start >>> 0, bytes >>> 0);
  }
}
