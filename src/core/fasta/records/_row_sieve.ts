/**
 * Finds the rows that must be examined: most files have none, and examining each of many rows takes longer than
 * scanning them.
 */
import type { ScannedRows } from "../scan/scanner.ts";

/** Goes through rows, batch after batch, and remembers their ids. */
export interface RowSieve {
  /** Whether there were too many ids to remember: duplicates may have gone unseen since. */
  readonly isOverfull: boolean;
  /** Whether the id of the row that was found last came before. */
  readonly isDuplicate: boolean;
  load(rows: ScannedRows): void;
  /**
   * Finds the first row from `from` on that has another number of values than it should, an unexpected character, no
   * sequence, no id, a mark, or an id that came before. Ids are remembered on the way, except where the number of
   * values is wrong or the header is foreign.
   *
   * @returns The row, or the number of rows.
   */
  next(from: number): number;
  /** Remembers an id that is not part of the batch; returns whether it is a duplicate. */
  seen(hash: number, id: Uint8Array): boolean;
}
