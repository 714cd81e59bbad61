/**
 * Finds the rows that somebody must look at: most files have none, and a look at each of many rows takes longer than to
 * scan them.
 */
import { type IdLimits, IdSet } from "../text/id_set.ts";
import { NON_ASCII_MARK, type ScannedRows } from "../scan/scanner.ts";

/** Goes through rows, batch after batch, and remembers their ids. */
export interface RowSieve {
  /** Whether there were too many ids to remember: duplicates may have gone unseen since. */
  readonly isOverfull: boolean;
  /** Whether the id of the row that was found last came before. */
  readonly isDuplicate: boolean;
  /** Begins a batch. */
  load(rows: ScannedRows): void;
  /**
   * Finds the first row from `from` on that has another number of values than it should, an unexpected character, no
   * sequence, no id, a mark, or an id that came before. Ids are remembered on the way, except where the number of
   * values is wrong or the header is foreign.
   *
   * @returns The row; the number of rows when there is none.
   */
  next(from: number): number;
  /** Remembers an id that is no part of the batch; whether it came before. */
  seen(hash: number, id: Uint8Array): boolean;
}

/** The sieve in plain TypeScript: the reference that the fast one is compared with, and what runs where that cannot. */
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
