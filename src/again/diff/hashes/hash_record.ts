/** What a version's file of hashes holds of each row, in words of 32 bits, and numbers of rows. */

/**
 * Where the words of a record are: first the hash of the row's key, which is zero without one, then that of its cells,
 * then what is not compared.
 */
export interface RecordLayout {
  readonly words: number;
  readonly keyWords: number;
  /** Words that are equal where key and cells are: those of the key and of the cells. */
  readonly comparedWords: number;
}

/** Records of rows that are picked, each with the number of its row as its last word. */
export function numbered({ words, ...layout }: RecordLayout): RecordLayout {
  return { ...layout, words: words + 1 };
}

/** Whether the record at an offset is that of a row without a key. */
export function isKeyless(words: Uint32Array, at: number, { keyWords }: RecordLayout): boolean {
  for (let word = 0; word < keyWords; word++) if (words[at + word] !== 0) return false;
  return true;
}

/** Numbers of rows, from 0. */
export class RowSet {
  readonly #bits: Uint8Array;

  constructor(rows: number | Uint8Array) {
    this.#bits = typeof rows === "number" ? new Uint8Array((rows >> 3) + 1) : rows;
  }

  /** A bit a row. */
  get bits(): Uint8Array {
    return this.#bits;
  }

  add(row: number): void {
    this.#bits[Math.floor(row / 8)] |= 1 << row % 8;
  }

  /** Adds the rows of another set. */
  addAll(bits: Uint8Array): void {
    for (let at = 0; at < bits.length; at++) this.#bits[at] |= bits[at];
  }

  has(row: number): boolean {
    return (this.#bits[Math.floor(row / 8)] >> row % 8 & 1) === 1;
  }
}

/** A set of rows of the old and of the new version, a bit a row. */
export type RowsOfBoth = readonly [old: Uint8Array, now: Uint8Array];
