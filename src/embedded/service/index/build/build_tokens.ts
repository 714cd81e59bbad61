/**
 * Builds the tokens of rows: rare ones as hash and row, to be verified; frequent ones as lists of rows or as planes of
 * bits, one plane for rows that have the token, the next for those that have it twice, and so on.
 *
 * A list of rows names a row as often as the row has the token.
 */
import { join } from "node:path";
import { type BuildState, DENSE_FILE, TOKENS_FILE } from "./build_state.ts";
import { FileReader } from "../../files/file_reader.ts";
import { FileWriter } from "../../files/file_writer.ts";
import { FREQUENT_FILE, RARE_FILE } from "../format/index_file.ts";
import { type SortLanes, sortLanes } from "./_radix.ts";
import { type DenseToken, MOST_TOKEN_PLANES, PARTS } from "./token_writer.ts";
import type { Turns } from "../../schedule/turns.ts";

/** Entries of a block of rare tokens: so many hashes, then as many rows. */
export const RARE_ENTRIES = 1024;
/** Tokens that are sorted at once, if they are of one part or several. */
const AT_ONCE = 1 << 19;
/**
 * Numbers of an entry of a frequent token: both hashes, rows, planes, offset in the file (low, high), rows in a list.
 */
export const FREQUENT_NUMBERS = 7;

export interface BuiltTokens {
  /** Number of rare ones, a row each. */
  readonly rare: number;
  /** First hash of each block of rare ones. */
  readonly fences: Uint32Array;
  /** Entries of frequent ones, ordered by both hashes. */
  readonly frequent: Uint32Array;
}

export async function buildTokens(folder: string, state: BuildState, turns: Turns): Promise<BuiltTokens> {
  using builder = new TokenBuilder(folder, state, turns);
  return await builder.build();
}

class TokenBuilder implements Disposable {
  readonly #state: BuildState;
  readonly #turns: Turns;
  readonly #tokens: FileReader;
  readonly #denseFile: FileReader;
  readonly #rareFile: FileWriter;
  readonly #frequentFile: FileWriter;
  readonly #dense: Map<string, DenseToken>;
  readonly #denseSlots = new Uint8Array(1 << 16);
  readonly #frequent: number[][] = [];
  readonly #fences: number[] = [];
  readonly #rareHashes = new Uint32Array(RARE_ENTRIES);
  readonly #rareRows = new Uint32Array(RARE_ENTRIES);
  #rareUsed = 0;
  #rare = 0;

  constructor(folder: string, state: BuildState, turns: Turns) {
    this.#state = state;
    this.#turns = turns;
    this.#tokens = new FileReader(join(folder, TOKENS_FILE));
    this.#denseFile = new FileReader(join(folder, DENSE_FILE));
    this.#rareFile = new FileWriter(join(folder, RARE_FILE), { sums: true });
    this.#frequentFile = new FileWriter(join(folder, FREQUENT_FILE), { sums: true });
    this.#dense = new Map(state.tokens.dense.map((token) => [`${token.first} ${token.second}`, token]));
    for (const { first } of state.tokens.dense) this.#denseSlots[first & 0xffff] = 1;
  }

  async build(): Promise<BuiltTokens> {
    const { divisions } = this.#state.tokens;
    const sizes = Array.from(
      { length: PARTS },
      (_, part) => divisions.reduce((sum, { starts }) => sum + starts[part + 1] - starts[part], 0),
    );
    for (let part = 0; part < PARTS;) {
      let end = part + 1;
      let size = sizes[part];
      while (end < PARTS && size + sizes[end] <= AT_ONCE) size += sizes[end++];
      if (size > 0) await this.#buildParts(part, end, size);
      part = end;
    }
    for (const token of this.#dense.values()) this.#writeFrequent(token.first, token.second, new Uint32Array(0));
    if (this.#rareUsed > 0) this.#writeRare();
    this.#rareFile.close();
    this.#frequentFile.close();
    this.#frequent.sort(([a, b], [c, d]) => a - c || b - d);
    return {
      rare: this.#rare,
      fences: Uint32Array.from(this.#fences),
      frequent: Uint32Array.from(this.#frequent.flat()),
    };
  }

  [Symbol.dispose](): void {
    for (const file of [this.#tokens, this.#denseFile]) file[Symbol.dispose]();
  }

  /** Sorts the tokens of parts next to each other, and takes them apart. */
  async #buildParts(part: number, end: number, size: number): Promise<void> {
    const lanes: SortLanes = [0, 1, 2].map(() => new Uint32Array(size));
    let at = 0;
    for (const { position, starts } of this.#state.tokens.divisions) {
      const [from, to, all] = [starts[part], starts[end], starts[PARTS]];
      if (from === to) continue;
      for (const [lane, array] of lanes.entries()) {
        const bytes = new Uint8Array(array.buffer, at * 4, (to - from) * 4);
        this.#tokens.readInto(bytes, position + (lane * all + from) * 4);
      }
      at += to - from;
      if (this.#turns.over) await this.#turns.next();
    }
    const [first, second, rows] = sortLanes(lanes, lanes.map(() => new Uint32Array(size)), size);
    for (let from = 0; from < size;) {
      let to = from + 1;
      let same = true;
      for (; to < size && first[to] === first[from]; to++) same &&= second[to] === second[from];
      if (same) this.#take(first[from], second[from], rows, from, to);
      else this.#takeMixed(first[from], second.subarray(from, to), rows.subarray(from, to));
      from = to;
      if ((from & 1023) < 8 && this.#turns.over) await this.#turns.next();
    }
  }

  /** Takes apart tokens whose first hashes are the same. */
  #takeMixed(first: number, second: Uint32Array, rows: Uint32Array): void {
    const lanes: SortLanes = [second.slice(), rows.slice()];
    const [seconds, sorted] = sortLanes(lanes, lanes.map(({ length }) => new Uint32Array(length)), rows.length);
    for (let from = 0; from < seconds.length;) {
      let to = from + 1;
      while (to < seconds.length && seconds[to] === seconds[from]) to++;
      this.#take(first, seconds[from], sorted, from, to);
      from = to;
    }
  }

  /** Takes the rows of a token, which are put in order where they stand. */
  #take(first: number, second: number, rows: Uint32Array, from: number, to: number): void {
    for (let at = from + 1; at < to; at++) {
      if (rows[at] >= rows[at - 1]) continue;
      rows.subarray(from, to).sort();
      break;
    }
    // Most tokens are rare: a table tells at once that one is not dense.
    const key = this.#denseSlots[first & 0xffff] === 1 ? `${first} ${second}` : "";
    if (to - from > this.#state.bounds.verifiedRows || this.#dense.has(key)) {
      this.#writeFrequent(first, second, rows.subarray(from, to));
      this.#dense.delete(key);
      return;
    }
    for (let at = from; at < to; at++) {
      if (at > from && rows[at] === rows[at - 1]) continue;
      if (this.#rareUsed === RARE_ENTRIES) this.#writeRare();
      this.#rareHashes[this.#rareUsed] = first;
      this.#rareRows[this.#rareUsed++] = rows[at];
    }
  }

  #writeRare(): void {
    this.#fences.push(this.#rareHashes[0]);
    this.#rare += this.#rareUsed;
    this.#rareFile.append(this.#rareHashes);
    this.#rareFile.append(this.#rareRows);
    this.#rareUsed = 0;
  }

  #writeFrequent(first: number, second: number, rows: Uint32Array): void {
    const { recordCount, bounds } = this.#state;
    const dense = this.#dense.get(`${first} ${second}`);
    this.#frequentFile.align();
    const { position } = this.#frequentFile;
    const offset = [position % 2 ** 32, Math.floor(position / 2 ** 32)];
    if (dense === undefined && rows.length < recordCount / 32) {
      this.#frequentFile.append(rows);
      this.#frequent.push([first, second, countDistinct(rows), 0, ...offset, rows.length]);
      return;
    }
    const blockWords = Math.ceil(bounds.blockRows / 32);
    const words = Math.ceil(recordCount / bounds.blockRows) * blockWords;
    const planes = (dense?.planes ?? []).map((blocks) => {
      const plane = new Uint32Array(words);
      for (const [block, position] of blocks) {
        const part = plane.subarray(block * blockWords, (block + 1) * blockWords);
        this.#denseFile.readInto(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), position);
      }
      return plane;
    });
    const rest: number[] = [];
    for (const row of rows) {
      const at = Math.floor(row / bounds.blockRows) * blockWords + (row % bounds.blockRows >>> 5);
      const bit = 1 << (row % bounds.blockRows & 31);
      let depth = 0;
      while (depth < planes.length && (planes[depth][at] & bit) !== 0) depth++;
      if (depth === MOST_TOKEN_PLANES) rest.push(row);
      else {
        if (depth === planes.length) planes.push(new Uint32Array(words));
        planes[depth][at] |= bit;
      }
    }
    for (const plane of planes) this.#frequentFile.append(plane);
    this.#frequentFile.append(Uint32Array.from(rest));
    this.#frequent.push([first, second, countBits(planes[0]), planes.length, ...offset, rest.length]);
  }
}

function countDistinct(rows: Uint32Array): number {
  let count = 0;
  for (let at = 0; at < rows.length; at++) if (at === 0 || rows[at] !== rows[at - 1]) count++;
  return count;
}

function countBits(words: Uint32Array): number {
  let count = 0;
  for (let at = 0; at < words.length; at++) {
    let word = words[at];
    word -= word >>> 1 & 0x55555555;
    word = (word & 0x33333333) + (word >>> 2 & 0x33333333);
    count += Math.imul(word + (word >>> 4) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}
