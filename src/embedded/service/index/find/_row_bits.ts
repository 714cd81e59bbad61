/** Bits and hits of rows that are collected in memory. */
import type { Condition } from "./_condition.ts";
import type { IndexFiles } from "./index_files.ts";
import { type Hits, ListedHits, PlaneHits } from "./_token_reader.ts";

/** Planes that are kept: rows with more hits are listed. */
const MOST_PLANES = 4;

/** Collects rows, and how often each is hit. */
export class RowBits {
  count = 0;
  readonly #files: IndexFiles;
  readonly #blockWords: number;
  readonly #planes: Uint32Array[] = [];
  readonly #rest: number[] = [];

  constructor(files: IndexFiles) {
    this.#files = files;
    this.#blockWords = files.blockRows / 32;
  }

  add(row: number, hits = 1): void {
    for (; hits > 0; hits--) {
      let depth = 0;
      while (depth < this.#planes.length && (this.#planes[depth][row >>> 5] >>> (row & 31) & 1) === 1) depth++;
      if (depth === MOST_PLANES) {
        this.#rest.push(row);
        continue;
      }
      if (depth === this.#planes.length) this.#planes.push(new Uint32Array(this.#files.blocks * this.#blockWords));
      this.#planes[depth][row >>> 5] |= 1 << (row & 31);
      if (depth === 0) this.count++;
    }
  }

  condition(): Condition {
    return this.hits().condition;
  }

  hits(): Hits {
    const { blockRows } = this.#files;
    const [plane] = this.#planes;
    if (plane === undefined) return new ListedHits(new Uint32Array(0), new Uint32Array(0), blockRows);
    const rest = this.#rest.length === 0
      ? undefined
      : ListedHits.ofRepeated(Uint32Array.from(this.#rest).sort(), blockRows);
    const bits = this.#planes.map((words) => ({
      block: (number: number) => words.subarray(number * this.#blockWords, (number + 1) * this.#blockWords),
    }));
    return new PlaneHits(bits, this.count, rest);
  }
}
