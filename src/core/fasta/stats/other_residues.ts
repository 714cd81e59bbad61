/** Whether sequences seem to be proteins, which have no GC content. */
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";
import { countOf } from "../../contract/count_of.ts";
import type { FastaBatch } from "../text/fasta_batch.ts";

/** Fewest residues, of all sequences or of one, for which their kind is reported. */
const LEAST_RESIDUES = 20;

/** Counts residues that are neither A, C, G, T nor U. */
export class OtherResidues {
  #records = 0;
  #residues = 0;
  #others = 0;
  /** Records that hold more others, and the id of the first. */
  #mostlyOthers = 0;
  #firstId = "";

  /** Counts those of a batch. */
  add(batch: Pick<FastaBatch, "rows" | "ids" | "length" | "ambiguous">): void {
    const { rows, length, ambiguous } = batch;
    this.#records += rows;
    for (let row = 0; row < rows; row++) {
      this.#residues += length[row];
      this.#others += ambiguous[row];
      if (areOthers(ambiguous[row], length[row]) && this.#mostlyOthers++ === 0) this.#firstId = batch.ids[row];
    }
  }

  /** Passes batches on, and counts those of each. */
  async *watch(batches: AsyncIterable<FastaBatch>): AsyncGenerator<FastaBatch> {
    for await (const batch of batches) {
      this.add(batch);
      yield batch;
    }
  }

  /** The warning if more than half of the residues so far, or of those of a record, are others; else nothing. */
  get entries(): LedgerEntry[] {
    const [count, records] = [this.#mostlyOthers, this.#records];
    if (areOthers(this.#others, this.#residues)) {
      const text = `${this.#others} of ${this.#residues} residues are neither A, C, G, T nor U: if these are ` +
        "proteins, gc and ambiguous do not apply to them";
      return [noteEntry("bases-unexpected", text, { count: records })];
    }
    if (count === 0) return [];
    const text =
      `${count} of ${countOf(records, "sequence")} ${count === 1 ? "is" : "are"} mostly residues other than ` +
      `A, C, G, T and U, ${JSON.stringify(this.#firstId)}${count === 1 ? "" : " first"}: gc and ambiguous do not ` +
      "apply to proteins, and gc is that of few bases where most are masked";
    return [noteEntry("bases-unexpected", text, { count })];
  }
}

function areOthers(others: number, residues: number): boolean {
  return residues >= LEAST_RESIDUES && others > residues / 2;
}
