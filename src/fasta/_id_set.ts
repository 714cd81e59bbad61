/** Finds identifiers that come twice, in bounded memory. */

/** How many identifiers are remembered: a `Set` of V8 holds no more than 16.7 million. */
const MOST = 16_000_000;

/** Remembers identifiers, as many as a `Set` can hold. */
export class IdSet {
  readonly #ids = new Set<string>();

  /** Whether there were too many to remember: duplicates may have gone unseen since. */
  get isOverfull(): boolean {
    return this.#ids.size >= MOST;
  }

  /** Remembers an identifier; whether it had been seen before. */
  seen(id: string): boolean {
    const before = this.#ids.size;
    if (before >= MOST) return this.#ids.has(id);
    return this.#ids.add(id).size === before;
  }
}
