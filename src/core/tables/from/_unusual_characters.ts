/** Finds characters that Parquet cannot restore to their original bytes. */
import type { FastaBatch } from "../../fasta/text/fasta_batch.ts";
import type { FastaReader } from "../../fasta/records/fasta_reader.ts";
import { countOf } from "../../contract/count_of.ts";
import { listSome } from "../../contract/ledger.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";

/** How many records the warning names. */
const NAMED = 20;

/** Finds the records with a character outside ASCII: Parquet holds texts in UTF-8, which has no single byte for it. */
export class NonAsciiCharacters {
  readonly #reader: FastaReader<FastaBatch>;
  readonly #first: string[] = [];
  #count = 0;
  #problems = 0;

  constructor(reader: FastaReader<FastaBatch>) {
    this.#reader = reader;
  }

  /** Passes the reader's batches on. */
  async *watch(): AsyncGenerator<FastaBatch> {
    for await (const batch of this.#reader) {
      this.#look(batch);
      yield batch;
    }
  }

  #look({ rows, sequences, ids, line }: FastaBatch): void {
    // The reader reports such characters as problems: without problems, the search is unnecessary.
    const isClean = this.#reader.problemCount === this.#problems;
    this.#problems = this.#reader.problemCount;
    if (isClean || sequences === null) return;
    const { offsets, data } = sequences;
    let found = -1;
    for (let row = 0; row < rows; row++) {
      if (found < offsets[row]) found = nextNonAscii(data, offsets[row]);
      if (found === data.length) return;
      if (found >= offsets[row + 1]) continue;
      this.#count += 1;
      if (this.#first.length < NAMED) this.#first.push(`${ids[row].slice(0, 200)} (line ${line[row]})`);
    }
  }

  get entries(): readonly LedgerEntry[] {
    if (this.#count === 0) return [];
    const more = this.#count > NAMED ? ` and ${this.#count - NAMED} more` : "";
    const text = `${countOf(this.#count, "record")} with characters outside ASCII, each of which is two bytes in ` +
      `Parquet and when it is read back from there: ${listSome(this.#first, NAMED)}${more}`;
    return [noteEntry("non-ascii", text, { count: this.#count })];
  }
}

/** Offset of the next character outside ASCII, or the end. */
function nextNonAscii(data: Uint8Array, start: number): number {
  let at = start;
  while (at < data.length && data[at] < 0x80) at++;
  return at;
}
