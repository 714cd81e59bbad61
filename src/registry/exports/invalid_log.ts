/**
 * Records of an export whose accession is absent or malformed, or that could not be read: counted, the first ones named.
 *
 * @module
 */
import { countOf } from "../../contract/count_of.ts";
import { listSome } from "../../contract/ledger.ts";
import type { InvalidRecord } from "./scan_options.ts";

/** Records that are named at most. */
const NAMED = 20;
/** Characters of a value that are shown. */
const SHOWN = 60;

/** Collects invalid records in bounded memory. */
export class InvalidLog {
  readonly #first: string[] = [];
  /** How many there are. */
  count = 0;
  /** Those that can be read but for their accession. */
  readable = 0;

  /** Adds a record. */
  add({ line, value, reason, isReadable }: InvalidRecord): void {
    this.count++;
    if (isReadable) this.readable++;
    if (this.#first.length >= NAMED) return;
    const shown = value === undefined ? reason : `${JSON.stringify(value.slice(0, SHOWN))} ${reason}`;
    this.#first.push(line === undefined ? shown : `${shown} (line ${line})`);
  }

  /** Words the reason that these records are for a ledger. */
  describe(): string {
    const more = this.count > this.#first.length ? ` and ${this.count - this.#first.length} more` : "";
    return `${countOf(this.count, "record")} could not be read, or without a valid accession: ${
      listSome(this.#first, NAMED)
    }${more}`;
  }
}
