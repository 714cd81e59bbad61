/**
 * Which accessions have come, in a few bits each: an export may hold fifteen million, and a `Set` of texts would need a
 * gigabyte.
 */
import { isAccession } from "../../contract/accession.ts";

const PAGE_BITS = 4096;

/** Accessions that have come. Their numbers are bits of pages, since registries hand them out in sequence. */
export class AccessionSet {
  readonly #pages = new Map<number, Uint8Array>();
  readonly #others = new Set<string>();
  readonly #mostPages: number;
  #size = 0;
  #full = false;

  /** Takes the most pages that are kept; 65,536 (32 MiB, 268 million neighbouring accessions) by default. */
  constructor(options: { readonly mostPages?: number } = {}) {
    this.#mostPages = options.mostPages ?? 65_536;
  }

  /** Distinct accessions that were added. */
  get size(): number {
    return this.#size;
  }

  /** Whether some did not fit: {@linkcode AccessionSet.size} counts each of these as distinct. */
  get full(): boolean {
    return this.#full;
  }

  /**
   * Adds an accession; an invalid one is kept unchanged.
   *
   * @returns Whether it is new, as far as is known.
   *
   * @example
   * ```ts
   * import { assert, assertFalse } from "@std/assert";
   * import { AccessionSet } from "./accession_set.ts";
   *
   * const seen = new AccessionSet();
   *
   * assert(seen.add("vj000000000001"));
   * assertFalse(seen.add("vj000000000001"));
   * ```
   */
  add(accession: string): boolean {
    const isNew = isAccession(accession) ? this.#addNumber(Number(accession.slice(2))) : this.#addOther(accession);
    if (isNew) this.#size++;
    return isNew;
  }

  has(accession: string): boolean {
    if (!isAccession(accession)) return this.#others.has(accession);
    const number = Number(accession.slice(2));
    const page = this.#pages.get(Math.floor(number / PAGE_BITS));
    const bit = number % PAGE_BITS;
    return page !== undefined && (page[bit >> 3] & (1 << (bit & 7))) !== 0;
  }

  #addNumber(number: number): boolean {
    const key = Math.floor(number / PAGE_BITS);
    let page = this.#pages.get(key);
    if (page === undefined) {
      if (this.#isFull()) return true;
      page = new Uint8Array(PAGE_BITS / 8);
      this.#pages.set(key, page);
    }
    const bit = number % PAGE_BITS;
    const mask = 1 << (bit & 7);
    if ((page[bit >> 3] & mask) !== 0) return false;
    page[bit >> 3] |= mask;
    return true;
  }

  #addOther(text: string): boolean {
    if (this.#others.has(text)) return false;
    if (!this.#isFull()) this.#others.add(text);
    return true;
  }

  #isFull(): boolean {
    if (this.#pages.size + this.#others.size >= this.#mostPages) this.#full = true;
    return this.#full;
  }
}
