/**
 * Records of an answer whose accession is absent or malformed, or that could not be read: counted, the first ones
 * named.
 *
 * @module
 */
import { countOf } from "../../contract/count_of.ts";
import { listSome } from "../../contract/ledger.ts";

/** A record whose accession is absent or malformed, or that could not be read. */
export interface InvalidRecord {
  /** Line of the text, counted from 1; absent where the format has no lines. */
  readonly line?: number;
  /** The accession as it came; absent where the record has none. */
  readonly value?: string;
  /** What is wrong, in words. */
  readonly reason: string;
  /** Whether the record can be read but for its accession. */
  readonly isReadable: boolean;
}

/** A record whose accession is absent or malformed. */
export function invalidAccession(value: string, line?: number): InvalidRecord {
  return {
    ...line !== undefined && { line },
    ...value !== "" && { value },
    reason: value === "" ? "the record has no accession" : "is not an accession: expected vj followed by 12 digits",
    isReadable: true,
  };
}

/** Records that are named at most. */
const NAMED = 20;
/** Characters of a value that are shown. */
const SHOWN = 60;

/** Collects invalid records in bounded memory. */
export class InvalidLog {
  readonly #unread = new NamedCount();
  readonly #unnamed = new NamedCount();

  /** How many there are. */
  get count(): number {
    return this.#unread.count + this.#unnamed.count;
  }

  /** Those that can be read but for their accession. */
  get readable(): number {
    return this.#unnamed.count;
  }

  /** Adds a record. */
  add({ line, value, reason, isReadable }: InvalidRecord): void {
    const shown = value === undefined ? reason : `${JSON.stringify(value.slice(0, SHOWN))} ${reason}`;
    (isReadable ? this.#unnamed : this.#unread).add(line === undefined ? shown : `${shown} (line ${line})`);
  }

  /** Words the reason that these records are for a ledger. */
  describe(): string {
    return [
      this.#unread.describe((count) => `${countOf(count, "row")} could not be read`),
      this.#unnamed.describe((count) => `${countOf(count, "record")} without a valid accession`),
    ].filter((text) => text !== "").join("; ");
  }
}

/** Counts things and names the first ones. */
class NamedCount {
  readonly #first: string[] = [];
  count = 0;

  add(name: string): void {
    this.count++;
    if (this.#first.length < NAMED) this.#first.push(name);
  }

  /** `WORDS: first, second and 3 more`; empty for an empty list. */
  describe(words: (count: number) => string): string {
    if (this.count === 0) return "";
    const more = this.count > this.#first.length ? ` and ${this.count - this.#first.length} more` : "";
    return `${words(this.count)}: ${listSome(this.#first, NAMED)}${more}`;
  }
}
