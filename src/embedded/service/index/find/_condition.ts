/** Conditions on rows, asked a block at a time: which of these positions hold? */
import type { IndexFiles } from "./index_files.ts";
import { takeAway, withBuffer } from "./_positions.ts";

export interface Condition {
  /** Rows that hold it, at most. */
  readonly most: number;
  /** Keeps those of the positions in a block that hold; `into` may be `from`. Returns how many. */
  select(block: number, from: Uint16Array, count: number, into: Uint16Array): number;
}

export class EveryRow implements Condition {
  constructor(readonly most: number) {}

  select(_block: number, from: Uint16Array, count: number, into: Uint16Array): number {
    if (into !== from) into.set(from.subarray(0, count));
    return count;
  }
}

/** Rows whose code in a field is one of some. */
export class CodesCondition implements Condition {
  readonly #files: IndexFiles;

  /** `holds` has a 1 for each code that holds, and `most` is how many rows have these. */
  constructor(files: IndexFiles, readonly field: number, readonly holds: Uint8Array, readonly most: number) {
    this.#files = files;
  }

  select(block: number, from: Uint16Array, count: number, into: Uint16Array): number {
    const codes = this.#files.codes(this.field, block);
    const { holds } = this;
    let found = 0;
    for (let at = 0; at < count; at++) {
      const position = from[at];
      into[found] = position;
      found += holds[codes[position]];
    }
    return found;
  }
}

/** Some rows, in order. */
export class RowsCondition implements Condition {
  readonly #blockRows: number;

  constructor(readonly rows: Uint32Array, blockRows: number) {
    this.#blockRows = blockRows;
  }

  get most(): number {
    return this.rows.length;
  }

  /** Finds the index of the first row that is not before a block. */
  firstIndex(block: number): number {
    return lowerBound(this.rows, block * this.#blockRows);
  }

  select(block: number, from: Uint16Array, count: number, into: Uint16Array): number {
    const { rows } = this;
    const first = block * this.#blockRows;
    let next = this.firstIndex(block);
    const end = lowerBound(rows, first + this.#blockRows);
    let found = 0;
    for (let at = 0; at < count && next < end; at++) {
      const position = from[at];
      while (next < end && rows[next] - first < position) next++;
      if (next < end && rows[next] - first === position) into[found++] = position;
    }
    return found;
  }
}

/** Finds the first index of a number that is not below another. */
export function lowerBound(numbers: Uint32Array, number: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = low + high >>> 1;
    if (numbers[middle] < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Bits of rows, a block at a time. */
export interface Bits {
  block(number: number): Uint32Array;
}

/** Rows whose bits are set. */
export class BitsCondition implements Condition {
  constructor(readonly bits: Bits, readonly most: number) {}

  select(block: number, from: Uint16Array, count: number, into: Uint16Array): number {
    const words = this.bits.block(block);
    let found = 0;
    for (let at = 0; at < count; at++) {
      const position = from[at];
      into[found] = position;
      found += words[position >>> 5] >>> (position & 31) & 1;
    }
    return found;
  }
}

/** Rows that do not hold a condition. */
export class NotCondition implements Condition {
  constructor(readonly condition: Condition, readonly most: number) {}

  select(block: number, from: Uint16Array, count: number, into: Uint16Array): number {
    return withBuffer((taken) => {
      const takenCount = this.condition.select(block, from, count, taken);
      return takeAway(from, count, { taken, takenCount, into });
    });
  }
}

/** Rows that hold all of some conditions; the first is the rarest. */
export class AndCondition implements Condition {
  readonly most: number;

  constructor(readonly conditions: readonly Condition[]) {
    this.most = Math.min(...conditions.map(({ most }) => most));
  }

  select(block: number, from: Uint16Array, count: number, into: Uint16Array): number {
    let left = from;
    for (const condition of this.conditions) {
      if (count === 0) return 0;
      count = condition.select(block, left, count, into);
      left = into;
    }
    return count;
  }
}

/** Rows that hold any of some conditions. */
export class OrCondition implements Condition {
  readonly most: number;

  constructor(readonly conditions: readonly Condition[], rows: number) {
    this.most = Math.min(rows, conditions.reduce((sum, { most }) => sum + most, 0));
  }

  select(block: number, from: Uint16Array, count: number, into: Uint16Array): number {
    return withBuffer((rest) =>
      withBuffer((taken) => {
        let left = count;
        rest.set(from.subarray(0, count));
        for (const condition of this.conditions) {
          if (left === 0) break;
          const takenCount = condition.select(block, rest, left, taken);
          left = takeAway(rest, left, { taken, takenCount, into: rest });
        }
        return takeAway(from, count, { taken: rest, takenCount: left, into });
      })
    );
  }
}
