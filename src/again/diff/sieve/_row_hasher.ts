/**
 * Hashes of the rows of a CSV: `again/wasm/row_hashes.as.ts`. Own code instead of DuckDB, which needs columns first:
 * `deno task bench diff`, row "diff of two CSV".
 */
import { startWasm, type WasmNumber } from "@seqreg/core/io/tasks";
import type { CheckedRows } from "@seqreg/core/tables/lake/rows/checked_rows";
import { WASM_BASE64 } from "../../wasm/row_hashes_wasm.ts";
import type { RecordLayout } from "../hashes/hash_record.ts";

/** Bytes of the record of a row: the hash of its key, of its bytes, and its length; see the module. */
const RECORD_BYTES = 40;

/** Where a record has the words of its hashes. */
export const ROW_RECORD: RecordLayout = { words: RECORD_BYTES / 4, keyWords: 4, comparedWords: 8 };

/** The word of a record that holds the length of its row. */
export const LENGTH_WORD = 8;

/** What hashes of one comparison are made with. */
export type HashSecrets = readonly [bigint, bigint, bigint, bigint];

/** Draws what the hashes of a comparison are made with. */
export function drawSecrets(): HashSecrets {
  const [a, b, c, d] = crypto.getRandomValues(new BigUint64Array(4));
  return [a, b, c, d];
}

const PAGE_BYTES = 65536;
/** The module reads up to 15 bytes beyond the end. */
const SLACK_BYTES = 64;

interface HashRoutines {
  readonly memory: WebAssembly.Memory;
  readonly space: WasmNumber;
  readonly RECORD: WasmNumber;
  setSecrets(...secrets: HashSecrets): void;
  hashRows(start: number, end: number, column: number, into: number): void;
}

/** Hashes rows, batch by batch. */
export class RowHasher {
  readonly #routines: HashRoutines;
  readonly #column: number;
  #memory: Uint8Array;

  /** Takes what hashes are made with, and the column of the keys, from 0. */
  constructor(secrets: HashSecrets, column: number) {
    const names = ["memory", "space", "setSecrets", "hashRows"] as const;
    const exports = startWasm<HashRoutines>(WASM_BASE64, "row hashes", names);
    this.#routines = exports;
    this.#column = column;
    exports.setSecrets(...secrets);
    this.#memory = new Uint8Array(exports.memory.buffer);
  }

  /** Returns a record for each row, one after the other; they are valid until the next batch. */
  hash({ bytes, rows }: Pick<CheckedRows, "bytes" | "rows">): Uint8Array {
    const start = this.#routines.space.value;
    const records = (start + bytes.length + SLACK_BYTES + 7) & ~7;
    const end = records + rows * RECORD_BYTES;
    if (end > this.#memory.length) {
      this.#routines.memory.grow(Math.ceil((end - this.#memory.length) / PAGE_BYTES));
      this.#memory = new Uint8Array(this.#routines.memory.buffer);
    }
    this.#memory.set(bytes, start);
    this.#routines.hashRows(start, start + bytes.length, this.#column, records);
    return this.#memory.subarray(records, end);
  }
}
