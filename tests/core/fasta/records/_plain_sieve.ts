/** The sieve in plain TypeScript: the reference of the compiled one. */
import type { RowSieve } from "../../../../src/core/fasta/records/_row_sieve.ts";
import { NON_ASCII_MARK, type ScannedRows } from "../../../../src/core/fasta/scan/scanner.ts";
import type { IdLimits } from "../../../../src/core/fasta/text/id_limits.ts";

const decoder = new TextDecoder("latin1");

/** Goes through rows one by one. */
export class PlainSieve implements RowSieve {
  isDuplicate = false;
  readonly #values: number;
  readonly #limits: IdLimits;
  readonly #ids = new Set<string>();
  #idBytes = 0;
  #rows: ScannedRows | undefined;

  /** `values` is how many each header must hold; 0 when that is free. */
  constructor(values: number, limits: IdLimits) {
    this.#values = values;
    this.#limits = limits;
  }

  get isOverfull(): boolean {
    return this.#ids.size >= this.#limits.mostIds || this.#idBytes >= this.#limits.mostBytes;
  }

  load(rows: ScannedRows): void {
    this.#rows = rows;
  }

  next(from: number): number {
    const { headers: { offsets, data }, idLengths, idHashes, valueCounts, headerMarks, length, invalidByte } = this
      .#rows!;
    const rows = this.#rows!.rows;
    for (let row = from; row < rows; row++) {
      this.isDuplicate = false;
      if (this.#values > 0 && valueCounts[row] !== this.#values) return row;
      const begin = offsets[row];
      const idLength = idLengths[row];
      const marks = headerMarks[row];
      if (idLength > 0 && (marks & NON_ASCII_MARK) === 0) {
        this.isDuplicate = this.seen(idHashes[row], data.subarray(begin, begin + idLength));
      }
      if (this.isDuplicate || marks !== 0 || idLength === 0 || length[row] === 0 || invalidByte[row] >= 0) return row;
    }
    return rows;
  }

  seen(_hash: number, id: Uint8Array): boolean {
    const text = decoder.decode(id);
    if (this.#ids.has(text)) return true;
    if (this.isOverfull) return false;
    this.#ids.add(text);
    this.#idBytes += id.length;
    return false;
  }
}
