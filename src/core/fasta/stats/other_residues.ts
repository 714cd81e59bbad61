/** Whether sequences seem to be proteins, which have no GC content. */
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";
import type { FastaBatch } from "../text/fasta_batch.ts";

/** Residues below which nothing is said of what they are. */
const LEAST_RESIDUES = 20;

/** Counts residues that are neither A, C, G, T nor U. */
export class OtherResidues {
  #records = 0;
  #residues = 0;
  #others = 0;

  /** Counts those of a batch. */
  add({ rows, length, ambiguous }: Pick<FastaBatch, "rows" | "length" | "ambiguous">): void {
    this.#records += rows;
    for (let row = 0; row < rows; row++) {
      this.#residues += length[row];
      this.#others += ambiguous[row];
    }
  }

  /** Passes batches on, and counts those of each. */
  async *watch(batches: AsyncIterable<FastaBatch>): AsyncGenerator<FastaBatch> {
    for await (const batch of batches) {
      this.add(batch);
      yield batch;
    }
  }

  /** The warning if more than half of the residues so far are others; else nothing. */
  get entries(): LedgerEntry[] {
    if (this.#residues < LEAST_RESIDUES || this.#others <= this.#residues / 2) return [];
    const text = `${this.#others} of ${this.#residues} residues are neither A, C, G, T nor U: if these are proteins, ` +
      "gc and ambiguous do not apply to them";
    return [noteEntry("bases-unexpected", text, { count: this.#records })];
  }
}
