/** Which representatives share hashes with a sequence: an inverted index in memory. */

const [FIRST_SLOTS, FIRST_POSTINGS] = [1 << 12, 1 << 12];
const FREE = -1;

/** Representatives by hash, in open addressing: a slot has a hash and the last posting of its list. */
export class RepresentativeIndex {
  #hashes = new Float64Array(FIRST_SLOTS).fill(FREE);
  #lists = new Int32Array(FIRST_SLOTS);
  #used = 0;
  #owners = new Uint32Array(FIRST_POSTINGS);
  #before = new Int32Array(FIRST_POSTINGS);
  #postings = 0;

  /** Adds a representative by its distinct hashes. */
  add(representative: number, hashes: Float64Array): void {
    for (const hash of hashes) {
      if (2 * this.#used >= this.#hashes.length) this.#growSlots();
      if (this.#postings === this.#owners.length) this.#growPostings();
      const slot = this.#slotOf(hash);
      if (this.#hashes[slot] === FREE) {
        this.#hashes[slot] = hash;
        this.#lists[slot] = FREE;
        this.#used += 1;
      }
      this.#owners[this.#postings] = representative;
      this.#before[this.#postings] = this.#lists[slot];
      this.#lists[slot] = this.#postings++;
    }
  }

  /** Counts the hashes that each representative shares. */
  countShared(hashes: Float64Array): Map<number, number> {
    const counts = new Map<number, number>();
    for (const hash of hashes) {
      const slot = this.#slotOf(hash);
      if (this.#hashes[slot] === FREE) continue;
      for (let posting = this.#lists[slot]; posting !== FREE; posting = this.#before[posting]) {
        const owner = this.#owners[posting];
        counts.set(owner, (counts.get(owner) ?? 0) + 1);
      }
    }
    return counts;
  }

  /** The slot of a hash, or the free one where it belongs. */
  #slotOf(hash: number): number {
    const mask = this.#hashes.length - 1;
    let slot = Math.imul(hash % 2 ** 32 | 0, 0x9e3779b1) >>> 7 & mask;
    while (this.#hashes[slot] !== hash && this.#hashes[slot] !== FREE) slot = slot + 1 & mask;
    return slot;
  }

  #growSlots(): void {
    const [hashes, lists] = [this.#hashes, this.#lists];
    this.#hashes = new Float64Array(2 * hashes.length).fill(FREE);
    this.#lists = new Int32Array(2 * hashes.length);
    for (const [old, hash] of hashes.entries()) {
      if (hash === FREE) continue;
      const slot = this.#slotOf(hash);
      this.#hashes[slot] = hash;
      this.#lists[slot] = lists[old];
    }
  }

  #growPostings(): void {
    const [owners, before] = [this.#owners, this.#before];
    this.#owners = new Uint32Array(2 * owners.length);
    this.#owners.set(owners);
    this.#before = new Int32Array(2 * owners.length);
    this.#before.set(before);
  }
}
