/** The records of an export, counted and held against the accessions that were asked for. */
import { AccessionSet } from "../plan/accession_set.ts";

/** Accessions that came again which are named at most. */
const MAX_NAMED = 1000;

/** Counts records by accession, in bounded memory for as many as an {@linkcode AccessionSet} holds. */
export class RecordTally {
  readonly #seen = new AccessionSet();
  /** Whether each accession that was asked for has come. */
  readonly #asked: Map<string, boolean> | undefined;
  readonly #repeated = new Set<string>();
  readonly #unasked = new Set<string>();
  #received = 0;
  #unnamed = 0;

  /** Starts an export of these accessions, or of all matches without them. */
  constructor(asked?: readonly string[]) {
    this.#asked = asked && new Map(asked.map((accession) => [accession, false]));
  }

  /** Records so far. */
  get received(): number {
    return this.#received;
  }

  /** Distinct records so far: each without an accession counts. */
  get unique(): number {
    return this.#seen.size + this.#unnamed;
  }

  /** Whether any record came with its accession. */
  get isNamed(): boolean {
    return this.#seen.size > 0;
  }

  /** The first accessions that came more than once. */
  get repeated(): readonly string[] {
    return [...this.#repeated];
  }

  /** Accessions that came and were not asked for. */
  get unasked(): readonly string[] {
    return [...this.#unasked];
  }

  /** Whether accessions were too many and too scattered to find all that came again. */
  get isFull(): boolean {
    return this.#seen.full;
  }

  add(accession: string | undefined): void {
    this.#received++;
    if (accession === undefined) {
      this.#unnamed++;
      return;
    }
    if (this.#asked?.has(accession)) this.#asked.set(accession, true);
    else if (this.#asked !== undefined) this.#unasked.add(accession);
    if (!this.#seen.add(accession) && this.#repeated.size < MAX_NAMED) this.#repeated.add(accession);
  }

  /** Whether a record came with an accession that was asked for. */
  has(accession: string): boolean {
    return this.#asked?.get(accession) === true;
  }
}
