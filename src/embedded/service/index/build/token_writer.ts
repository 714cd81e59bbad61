/**
 * Writes the tokens of rows to the disk as they come, divided by their hashes into 256 parts that fit in memory.
 *
 * Tokens that very many rows have would make single parts as large as the whole: they are noticed, and from then on
 * each row is a bit in a plane; a second occurrence in a row is a bit in a second plane, and so on.
 */
import { FileWriter } from "../../files/file_writer.ts";
import type { IndexBounds } from "../format/types.ts";

/** Parts that tokens are divided into by the top bits of their first hash. */
export const PARTS = 256;
/** Planes in all, and planes of one token. */
const MOST_PLANES = 1024;
export const MOST_TOKEN_PLANES = 4;
/** Slots of the table of dense tokens, a power of two well above their number. */
const SLOTS = 1 << 13;

/** Tokens that were divided at once: where they stand in the file, and where each part begins. */
export interface TokenDivision {
  readonly position: number;
  readonly starts: readonly number[];
}

/** A token that has planes, each a list of the blocks that were written: number of the block and offset in the file. */
export interface DenseToken {
  readonly first: number;
  readonly second: number;
  readonly planes: readonly (readonly (readonly [block: number, position: number])[])[];
}

export interface WrittenTokens {
  readonly divisions: readonly TokenDivision[];
  readonly dense: readonly DenseToken[];
}

interface Plane {
  readonly blocks: [block: number, position: number][];
  used: boolean;
  next: number;
}

export class TokenWriter {
  readonly #bounds: IndexBounds;
  readonly #file: FileWriter;
  readonly #denseFile: FileWriter;
  readonly #first: Uint32Array;
  readonly #second: Uint32Array;
  readonly #row: Uint32Array;
  #count = 0;
  #firstRow = 0;
  readonly #divisions: TokenDivision[] = [];
  readonly #slots = new Int32Array(SLOTS).fill(-1);
  readonly #planes: Plane[] = [];
  readonly #denseFirst: number[] = [];
  readonly #denseSecond: number[] = [];
  readonly #densePlane: number[] = [];
  #bits: Uint32Array;
  readonly #blockWords: number;
  #block = 0;

  constructor(tokensPath: string, densePath: string, bounds: IndexBounds) {
    this.#bounds = bounds;
    this.#file = new FileWriter(tokensPath);
    this.#denseFile = new FileWriter(densePath);
    this.#first = new Uint32Array(bounds.tokens);
    this.#second = new Uint32Array(bounds.tokens);
    this.#row = new Uint32Array(bounds.tokens);
    this.#blockWords = Math.ceil(bounds.blockRows / 32);
    this.#bits = new Uint32Array(0);
  }

  /** Adds a token of a row; rows of the current block, or before it. */
  add(first: number, second: number, row: number): void {
    const local = row - this.#block * this.#bounds.blockRows;
    if (local >= 0) {
      for (let slot = first & (SLOTS - 1);; slot = (slot + 1) & (SLOTS - 1)) {
        const dense = this.#slots[slot];
        if (dense < 0) break;
        if (this.#denseFirst[dense] !== first || this.#denseSecond[dense] !== second) continue;
        if (this.#setBit(this.#densePlane[dense], local)) return;
        break;
      }
    }
    const count = this.#count++;
    this.#first[count] = first;
    this.#second[count] = second;
    this.#row[count] = row;
    if (this.#count === this.#first.length) this.#divide(row);
  }

  /** Ends a block of rows: the next rows belong to the next. */
  endBlock(): void {
    for (const [number, plane] of this.#planes.entries()) {
      if (!plane.used) continue;
      const bits = this.#bits.subarray(number * this.#blockWords, (number + 1) * this.#blockWords);
      plane.blocks.push([this.#block, this.#denseFile.append(bits)]);
      bits.fill(0);
      plane.used = false;
    }
    this.#block++;
  }

  /** Ends the writing; the last block is ended. */
  finish(): WrittenTokens {
    if (this.#count > 0) this.#divide(this.#firstRow);
    this.#file.close();
    this.#denseFile.close();
    const dense = this.#densePlane.map((plane, at) => {
      const planes: DenseToken["planes"][number][] = [];
      for (let number = plane; number >= 0; number = this.#planes[number].next) {
        planes.push(this.#planes[number].blocks);
      }
      return { first: this.#denseFirst[at], second: this.#denseSecond[at], planes };
    });
    return { divisions: this.#divisions, dense };
  }

  /** Sets a row's first free bit in a token's planes; false when it has none. */
  #setBit(number: number, local: number): boolean {
    const word = local >>> 5;
    const bit = 1 << (local & 31);
    for (let depth = 1;; depth++) {
      const plane = this.#planes[number];
      const at = number * this.#blockWords + word;
      if ((this.#bits[at] & bit) === 0) {
        this.#bits[at] |= bit;
        plane.used = true;
        return true;
      }
      if (plane.next < 0) {
        if (depth === MOST_TOKEN_PLANES || this.#planes.length === MOST_PLANES) return false;
        plane.next = this.#addPlane();
      }
      number = plane.next;
    }
  }

  #addPlane(): number {
    const number = this.#planes.push({ blocks: [], used: false, next: -1 }) - 1;
    if ((number + 1) * this.#blockWords > this.#bits.length) {
      const bits = new Uint32Array(Math.max(16, number * 2) * this.#blockWords);
      bits.set(this.#bits);
      this.#bits = bits;
    }
    return number;
  }

  /** Divides what has gathered by the top bits of the first hash, keeping its order, and writes it. */
  #divide(row: number): void {
    const count = this.#count;
    this.#noticeDense(count, Math.max(1, row - this.#firstRow));
    const starts = new Uint32Array(PARTS + 1);
    for (let at = 0; at < count; at++) starts[(this.#first[at] >>> 24) + 1]++;
    for (let part = 0; part < PARTS; part++) starts[part + 1] += starts[part];
    const next = starts.slice();
    const divided = new Uint32Array(count * 3);
    for (let at = 0; at < count; at++) {
      const to = next[this.#first[at] >>> 24]++;
      divided[to] = this.#first[at];
      divided[count + to] = this.#second[at];
      divided[count * 2 + to] = this.#row[at];
    }
    this.#divisions.push({ position: this.#file.append(divided), starts: [...starts] });
    this.#count = 0;
    this.#firstRow = row;
  }

  /** Finds tokens of which a good share of these rows has one each, and gives them planes. */
  #noticeDense(count: number, rows: number): void {
    const least = Math.max(2, Math.ceil(rows / this.#bounds.denseShare));
    if (count < least || rows < 64) return;
    const counts = new Uint32Array(1 << 16);
    for (let at = 0; at < count; at++) counts[this.#second[at] & 0xffff]++;
    if (!counts.some((number) => number >= least)) return;
    const tokens = new Map<string, number>();
    for (let at = 0; at < count; at++) {
      if (counts[this.#second[at] & 0xffff] < least) continue;
      const token = `${this.#first[at]} ${this.#second[at]}`;
      tokens.set(token, (tokens.get(token) ?? 0) + 1);
    }
    for (const [token, number] of tokens) {
      if (number < least || this.#planes.length >= MOST_PLANES) continue;
      const [first, second] = token.split(" ").map(Number);
      this.#addDense(first, second);
    }
  }

  #addDense(first: number, second: number): void {
    const known = this.#denseFirst.some((hash, at) => hash === first && this.#denseSecond[at] === second);
    if (known) return;
    const dense = this.#denseFirst.push(first) - 1;
    this.#denseSecond.push(second);
    this.#densePlane.push(this.#addPlane());
    let slot = first & (SLOTS - 1);
    while (this.#slots[slot] >= 0) slot = (slot + 1) & (SLOTS - 1);
    this.#slots[slot] = dense;
  }
}
