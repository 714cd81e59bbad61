/** The values of a field with few, by code: read from their bytes when they are wanted. */
import { evaluateQuery, fold, type Key, type KeyKind, keyKind, type QueryNode } from "@seqreg/core/query";
import { halvesOf, keyWidth } from "../format/number_key.ts";
import { lowerBound } from "./_condition.ts";
import type { IndexFiles } from "./index_files.ts";
import { patternTest } from "./_pattern.ts";
import { exactly, type Range, within } from "./_range.ts";
import { textOf, type TokenHashes, valueToken } from "../format/tokens.ts";
import { Turns } from "../../schedule/turns.ts";
import { startSharedWork } from "../../schedule/work.ts";

export type FieldNode = Extract<QueryNode, { readonly field: number }>;

export class Dictionary {
  readonly size: number;
  readonly #files: IndexFiles;
  readonly #field: number;
  readonly #firstValue: number;
  /** Codes of values that say that they are missing. */
  readonly #missing: ReadonlySet<number>;

  constructor(files: IndexFiles, field: number) {
    const column = files.column(field);
    if (column.kind !== "few") throw new RangeError(`field ${field} has no dictionary`);
    this.#files = files;
    this.#field = field;
    this.size = column.values;
    this.#firstValue = column.firstValue;
    this.#missing = new Set(files.whole(`missing-${field}`));
  }

  value(code: number): string {
    const ends = this.#files.whole(`ends-${this.#field}`);
    return textOf(this.#files.bytes(`values-${this.#field}`), code === 0 ? 0 : ends[code - 1], ends[code]);
  }

  /** Returns all values, folded. */
  folded(): Promise<readonly string[]> {
    return this.#files.folded(this.#field, async () => {
      // Other requests may wait for the same: the first one neither ends it nor pays for it alone.
      const turns = new Turns(undefined, { work: startSharedWork(false) });
      const values: string[] = [];
      for (let code = 0; code < this.size; code++) {
        values.push(fold(this.value(code)));
        if ((code & 255) === 0 && turns.over) await turns.next();
      }
      return values;
    });
  }

  /** Finds the codes of values that have a token, unless its hashes meet those of another. */
  codesWith(token: TokenHashes): number[] {
    const { size } = this;
    return [...new Set(valueIdsOf(this.#files, token))].map((id) => id - this.#firstValue)
      .filter((code) => code >= 0 && code < size);
  }

  /** Finds the values that hold a condition: 1 for each code that does. */
  async holding(node: FieldNode, turns: Turns): Promise<Uint8Array> {
    const holds = new Uint8Array(this.size);
    if (this.size <= this.#files.manifest.bounds.readValues) {
      for (const code of holds.keys()) holds[code] = this.#evaluate(node, code);
      return holds;
    }
    const { hashKey } = this.#files.manifest;
    const check = (token: TokenHashes) => {
      for (const code of this.codesWith(token)) holds[code] = this.#evaluate(node, code);
    };
    switch (node.kind) {
      case "exists":
        holds.fill(1);
        for (const code of this.#missing) holds[code] = 0;
        break;
      case "equals":
        check(valueToken(this.#field, node.text, hashKey));
        if (node.within !== undefined) this.#holdKeys(holds, within(node.within));
        break;
      case "exact":
        for (const text of node.texts) {
          check(valueToken(this.#field, fold(text), hashKey));
          if (turns.over) await turns.next();
        }
        for (const key of node.keys) {
          this.#holdKeys(holds, exactly(key));
          if (turns.over) await turns.next();
        }
        break;
      case "key-range":
        this.#holdKeys(holds, node);
        break;
      default:
        await this.#readAll(node, holds, turns);
    }
    return holds;
  }

  #evaluate(node: FieldNode, code: number): 0 | 1 {
    const isAbsent = () => this.#missing.has(code);
    return evaluateQuery(node, recordOf(this.#field, this.value(code)), isAbsent) ? 1 : 0;
  }

  async #readAll(node: FieldNode, holds: Uint8Array, turns: Turns): Promise<void> {
    const test = node.kind === "matches" && !node.elements ? patternTest(node.pattern) : undefined;
    const folded = test === undefined ? [] : await this.folded();
    for (let code = 0; code < holds.length; code++) {
      holds[code] = test === undefined ? this.#evaluate(node, code) : test(folded[code]) ? 1 : 0;
      if ((code & 255) === 0 && turns.over) await turns.next();
    }
  }

  /** Keys are in order, those of dates by first days; of dates the last days are looked at. */
  #holdKeys(holds: Uint8Array, { from, to }: Range): void {
    const kind = keyKind(this.#files.fields[this.#field].type);
    if (kind === undefined) return;
    const keys = this.#files.numbers(`keys-${this.#field}`);
    const least = from === undefined ? 0 : firstCode(keys, kind, from.value, !from.inclusive);
    const end = firstCode(keys, kind, to === undefined ? Infinity : to.value, to?.inclusive ?? true);
    if (end <= least) return;
    holds.fill(1, least, end);
    if (kind !== "day" || to === undefined) return;
    for (let code = least; code < end; code++) {
      const last = keys[code * 2 + 1];
      if (last > to.value || (last === to.value && !to.inclusive)) holds[code] = 0;
    }
  }
}

/** Makes a record of one value. */
export function recordOf(field: number, value: string): string[] {
  const record: string[] = [];
  record[field] = value;
  return record;
}

/** Returns the longest part of a pattern without wildcards; `""` for none. */
export function longestLiteral(pattern: readonly (string | { readonly wildcard: string })[]): string {
  let longest = "";
  for (const part of pattern) if (typeof part === "string" && part.length > longest.length) longest = part;
  return longest;
}

/** Finds the first of ordered keys that is not below another, or above it; those that are not a number come last. */
function firstCode(keys: Float64Array, kind: KeyKind, wanted: Key, above: boolean): number {
  const width = keyWidth(kind);
  // Days are ordered by the first alone.
  const [first, second] = kind === "integer" ? halvesOf(wanted) : [Number(wanted), 0];
  let low = 0;
  let high = keys.length / width;
  while (low < high) {
    const middle = low + high >>> 1;
    const key = keys[middle * width];
    const next = kind === "integer" ? keys[middle * width + 1] : 0;
    const isBelow = key < first || (key === first && next < second);
    if (isBelow || (above && key === first && next === second)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Finds the values, of all fields, that have a token, unless its hashes meet those of another: ids in order, each as
 * often as the value has the token.
 */
export function valueIdsOf(files: IndexFiles, { first, second }: TokenHashes): Uint32Array {
  const firsts = files.whole("value-firsts");
  const low = lowerBound(firsts, first);
  const seconds = files.whole("value-seconds");
  const ids = files.whole("value-ids");
  const found = new Uint32Array(lowerBound(firsts, first + 1) - low);
  let count = 0;
  for (let at = 0; at < found.length; at++) if (seconds[low + at] === second) found[count++] = ids[low + at];
  return found.subarray(0, count);
}
