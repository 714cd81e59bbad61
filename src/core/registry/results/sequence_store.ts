/** Sequences of any number on their way to a table. */
import type { FastaRecord } from "../../fasta/mod.ts";
import { recordTable } from "../../tables/lake/open/record_table.ts";
import { RecordStore, type RecordStoreOptions } from "../../tables/types/record_store.ts";
import type { TableOptions, TypedTable } from "../../tables/types/table.ts";

/** Columns that follow the values of a record: what is counted of it, and its sequence. */
const MEASURES = 4;

/** Takes records of FASTA: in memory while they are few, in a temporary folder when they are not. */
export class SequenceStore implements Disposable {
  readonly #store: RecordStore;
  #bases = 0;

  /** Begins without records. Options as for a {@linkcode RecordStore}. */
  constructor(options: Pick<RecordStoreOptions, "spillCharacters"> = {}) {
    this.#store = new RecordStore(options);
  }

  /** Whether all records are in memory. */
  get isInMemory(): boolean {
    return !this.#store.isSpilled;
  }

  /** Whether {@linkcode SequenceStore.settle} has something to do. */
  get isFull(): boolean {
    return this.#store.isFull;
  }

  /** Bases of a record on average. */
  get meanBases(): number {
    return this.#store.rows === 0 ? 0 : this.#bases / this.#store.rows;
  }

  /** Adds a record. Values are assigned to fields by index, until {@linkcode SequenceStore.table}. */
  add({ id, values, length, gc, ambiguous, sequence }: FastaRecord): void {
    this.#bases += sequence.length;
    this.#store.add([
      ["length", String(length)],
      ["gc", gc === null ? null : String(gc)],
      ["ambiguous", String(ambiguous)],
      ["sequence", sequence],
      ["0", id],
      ...values.slice(1).map((value, index) => [String(index + 1), value] as const),
    ]);
  }

  /** Writes records to a temporary folder, if they are too many for memory. */
  async settle(): Promise<void> {
    await this.#store.settle();
  }

  /** Makes the table. @param columns Its columns: of the values, then of length, GC, ambiguous bases and sequence. */
  async table(columns: readonly string[], options: TableOptions): Promise<TypedTable> {
    const values = columns.length - MEASURES;
    const names = new Map(columns.slice(0, values).map((name, index) => [String(index), name]));
    ["length", "gc", "ambiguous", "sequence"].forEach((key, index) => names.set(key, columns[values + index]));
    // A header with more values than names is the reader's to report.
    const nameOf = (key: string) => names.get(key) ?? `value ${key}`;
    return await recordTable(this.#store, { hasHeader: false, nameOf }, options);
  }

  /** Removes the temporary folder. */
  [Symbol.dispose](): void {
    this.#store[Symbol.dispose]();
  }
}
