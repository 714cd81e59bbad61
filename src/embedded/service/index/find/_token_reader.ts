/** Looks tokens of rows up. */
import { type Bits, BitsCondition, type Condition, lowerBound, RowsCondition } from "./_condition.ts";
import { FREQUENT_NUMBERS, RARE_ENTRIES } from "../build/build_tokens.ts";
import type { IndexFiles } from "./index_files.ts";
import type { TokenHashes } from "../format/tokens.ts";

/** Rows that have something, and how often. */
export interface Hits {
  readonly condition: Condition;
  /** Adds how often each of the positions in a block has it. */
  add(block: number, positions: Uint16Array, count: number, scores: Uint32Array): void;
}

/** Hits as a list: each row once, and how often. */
export class ListedHits implements Hits {
  readonly condition: RowsCondition;
  readonly #hits: Uint32Array;
  readonly #blockRows: number;

  constructor(rows: Uint32Array, hits: Uint32Array, blockRows: number) {
    this.condition = new RowsCondition(rows, blockRows);
    this.#hits = hits;
    this.#blockRows = blockRows;
  }

  /** Makes hits of a list that names a row as often as it has one. */
  static ofRepeated(rows: Uint32Array, blockRows: number): ListedHits {
    const distinct: number[] = [];
    const hits: number[] = [];
    for (const row of rows) {
      if (distinct.at(-1) === row) hits[hits.length - 1]++;
      else {
        distinct.push(row);
        hits.push(1);
      }
    }
    return new ListedHits(Uint32Array.from(distinct), Uint32Array.from(hits), blockRows);
  }

  add(block: number, positions: Uint16Array, count: number, scores: Uint32Array): void {
    const { rows } = this.condition;
    const first = block * this.#blockRows;
    let next = this.condition.firstIndex(block);
    for (let at = 0; at < count && next < rows.length; at++) {
      const row = first + positions[at];
      while (next < rows.length && rows[next] < row) next++;
      if (rows[next] === row) scores[at] += this.#hits[next];
    }
  }
}

/** Hits as planes of bits, the second for rows that have two, and the rest as a list. */
export class PlaneHits implements Hits {
  readonly condition: Condition;
  readonly #planes: readonly Bits[];
  readonly #rest: ListedHits | undefined;

  constructor(planes: readonly Bits[], rows: number, rest: ListedHits | undefined) {
    this.condition = new BitsCondition(planes[0], rows);
    this.#planes = planes;
    this.#rest = rest;
  }

  add(block: number, positions: Uint16Array, count: number, scores: Uint32Array): void {
    for (const plane of this.#planes) {
      const words = plane.block(block);
      for (let at = 0; at < count; at++) scores[at] += words[positions[at] >>> 5] >>> (positions[at] & 31) & 1;
    }
    this.#rest?.add(block, positions, count, scores);
  }
}

/** What is known of a token: rows that have it, or rows that may. */
export type FoundToken =
  | { readonly kind: "rows"; readonly hits: Hits }
  | { readonly kind: "candidates"; readonly rows: Uint32Array };

export function findToken(files: IndexFiles, token: TokenHashes): FoundToken {
  const hits = findFrequent(files, token);
  return hits === undefined ? { kind: "candidates", rows: findRare(files, token.first) } : { kind: "rows", hits };
}

function findFrequent(files: IndexFiles, { first, second }: TokenHashes): Hits | undefined {
  const entries = files.whole("frequent");
  let low = 0;
  let high = entries.length / FREQUENT_NUMBERS;
  while (low < high) {
    const middle = low + high >>> 1;
    const at = middle * FREQUENT_NUMBERS;
    if (entries[at] < first || (entries[at] === first && entries[at + 1] < second)) low = middle + 1;
    else high = middle;
  }
  const at = low * FREQUENT_NUMBERS;
  if (entries[at] !== first || entries[at + 1] !== second) return undefined;
  const [rows, planes, offsetLow, offsetHigh, listed] = entries.subarray(at + 2, at + FREQUENT_NUMBERS);
  const position = offsetLow + offsetHigh * 2 ** 32;
  const blockBytes = files.blockRows / 8;
  const planeBytes = files.blocks * blockBytes;
  const list = new Uint32Array(files.frequent.read(position + planes * planeBytes, listed * 4).buffer);
  const repeated = list.length === 0 ? undefined : ListedHits.ofRepeated(list, files.blockRows);
  if (planes === 0 && repeated !== undefined) return repeated;
  const bits = Array.from({ length: planes }, (_, plane): Bits => ({
    block(number) {
      const bytes = files.frequent.piece(position + plane * planeBytes + number * blockBytes, blockBytes);
      return new Uint32Array(bytes.buffer);
    },
  }));
  return new PlaneHits(bits, rows, repeated);
}

/** Finds the rows of rare tokens with this hash. */
function findRare(files: IndexFiles, hash: number): Uint32Array {
  const fences = files.whole("rare-fences");
  const { rareTokens } = files.manifest;
  const found: number[] = [];
  // The first may stand in the block before the first that begins with it.
  for (let block = Math.max(0, lowerBound(fences, hash) - 1); block < fences.length && fences[block] <= hash; block++) {
    const bytes = files.rare.piece(block * RARE_ENTRIES * 8, RARE_ENTRIES * 8);
    const numbers = new Uint32Array(bytes.buffer);
    const count = Math.min(RARE_ENTRIES, rareTokens - block * RARE_ENTRIES);
    for (let at = 0; at < count; at++) if (numbers[at] === hash) found.push(numbers[RARE_ENTRIES + at]);
  }
  return Uint32Array.from(new Set(found)).sort();
}
