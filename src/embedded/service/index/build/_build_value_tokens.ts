/**
 * Builds the tokens of the values of fields with few: both hashes and the value's id, in the order of the first hashes;
 * a token that a value has twice is there twice.
 */
import type { Field } from "@seqreg/core/query";
import { type SortLanes, sortLanes } from "./_radix.ts";
import { type HashKey, Tokeniser } from "../format/tokens.ts";
import type { Turns } from "../../schedule/turns.ts";

/** Values that are read before others get their turn. */
const AT_ONCE = 1024;

export class ValueTokens {
  readonly #key: HashKey;
  readonly #encoder = new TextEncoder();
  /** First hashes, second hashes, ids. */
  #lanes: SortLanes = [0, 1, 2].map(() => new Uint32Array(1 << 12));
  #count = 0;
  #values = 0;

  constructor(key: HashKey) {
    this.#key = key;
  }

  /** Adds the values of a field, by code; returns the id of the first. */
  async add(field: Field, values: readonly string[], turns: Turns): Promise<number> {
    const firstValue = this.#values;
    const tokeniser = new Tokeniser(field, this.#key);
    for (const [code, value] of values.entries()) {
      const bytes = this.#encoder.encode(value);
      tokeniser.read(bytes, 0, bytes.length);
      const { first, second, count } = tokeniser;
      if (this.#count + count > this.#lanes[0].length) this.#grow(this.#count + count);
      const [firsts, seconds, ids] = this.#lanes;
      for (let at = 0; at < count; at++) {
        firsts[this.#count] = first[at];
        seconds[this.#count] = second[at];
        ids[this.#count++] = firstValue + code;
      }
      if (code % AT_ONCE === 0 && turns.over) await turns.next();
    }
    this.#values += values.length;
    return firstValue;
  }

  /** Returns the tokens in order: first hashes, second hashes, ids. */
  finish(): SortLanes {
    return sortLanes(this.#lanes, this.#lanes.map(({ length }) => new Uint32Array(length)), this.#count)
      .map((lane) => lane.subarray(0, this.#count));
  }

  #grow(least: number): void {
    this.#lanes = this.#lanes.map((lane) => {
      const grown = new Uint32Array(least * 2);
      grown.set(lane.subarray(0, this.#count));
      return grown;
    });
  }
}
