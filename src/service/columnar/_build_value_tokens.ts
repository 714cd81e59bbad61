/** Builds the tokens of the values of fields with few: hash and value's id, in the order of the hashes. */
import type { Field } from "../_fields.ts";
import { type Lanes, sortLanes } from "./_radix.ts";
import { type HashKey, Tokeniser } from "./_tokens.ts";
import type { Turns } from "./_turns.ts";

/** Values that are read before others get their turn. */
const AT_ONCE = 1024;

/** Gathers tokens of values. */
export class ValueTokens {
  readonly #key: HashKey;
  readonly #encoder = new TextEncoder();
  #hashes = new Uint32Array(1 << 12);
  #ids = new Uint32Array(1 << 12);
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
      const { first, count } = tokeniser;
      if (this.#count + count > this.#hashes.length) this.#grow(this.#count + count);
      for (let at = 0; at < count; at++) {
        this.#hashes[this.#count] = first[at];
        this.#ids[this.#count++] = firstValue + code;
      }
      if (code % AT_ONCE === 0 && turns.over) await turns.next();
    }
    this.#values += values.length;
    return firstValue;
  }

  /** Gives the tokens in order. */
  finish(): { readonly hashes: Uint32Array; readonly ids: Uint32Array } {
    const lanes: Lanes = [this.#hashes, this.#ids];
    const [hashes, ids] = sortLanes(lanes, lanes.map(({ length }) => new Uint32Array(length)), this.#count);
    return { hashes: hashes.subarray(0, this.#count), ids: ids.subarray(0, this.#count) };
  }

  #grow(least: number): void {
    const grow = (array: Uint32Array) => {
      const grown = new Uint32Array(least * 2);
      grown.set(array.subarray(0, this.#count));
      return grown;
    };
    this.#hashes = grow(this.#hashes);
    this.#ids = grow(this.#ids);
  }
}
