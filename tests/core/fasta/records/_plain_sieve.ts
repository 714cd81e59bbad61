/** The sieve in plain TypeScript: the reference of the compiled one. */
import type { RowSieve } from "../../../../src/core/fasta/records/_row_sieve.ts";
import { NON_ASCII_MARK, type ScannedRows } from "../../../../src/core/fasta/scan/scanner.ts";
import type { IdLimits } from "../../../../src/core/fasta/text/id_limits.ts";
import { IdSet } from "../text/_id_set.ts";

/** Goes through rows one by one. */
export class PlainSieve implements RowSieve {
  isDuplicate = false;
  readonly #values: number;
  readonly #ids: IdSet;
  #rows: ScannedRows | undefined;

  /** `values` is how many each header must hold; 0 when that is free. */
  constructor(values: number, limits: IdLimits) {
    this.#values = values;
    this.#ids = new IdSet(limits);
  }

  get isOverfull(): boolean {
    return this.#ids.isOverfull;
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
        this.isDuplicate = this.#ids.seen(idHashes[row], data, begin, begin + idLength);
      }
      if (this.isDuplicate || marks !== 0 || idLength === 0 || length[row] === 0 || invalidByte[row] >= 0) return row;
    }
    return rows;
  }

  seen(hash: number, id: Uint8Array): boolean {
    return this.#ids.seen(hash, id, 0, id.length);
  }
}
