/** The order of a field's values: by what the field sorts by, values without it last. */
import { isMissing, trimWhiteSpace } from "@seqreg/core/contract/values";
import { findValueWords, valueKindOf } from "@seqreg/core/contract/values/value_words";
import { compareCodePoints, compareKeys, type Field, type KeyKind, keyKind, readKeys } from "@seqreg/core/query";
import { keyWidth, writeNumbers } from "../format/number_key.ts";

export interface DictionaryOrder {
  /** For each index in the new order, the value's previous index. */
  readonly order: Uint32Array;
  /** For each rank, the number of its group: values of one group count as equal. */
  readonly groups: Uint32Array;
  readonly groupCount: number;
  /** Whether the last group is of values that the field does not sort by. */
  readonly hasNone: boolean;
  /** Ranks of values that mean that they are missing. */
  readonly missing: Uint32Array;
  /** For floats one, for integers and dates two numbers a value in order, NaN for none; `undefined` for texts. */
  readonly keys: Float64Array | undefined;
}

const SURROGATE = /[\ud800-\udfff]/;

export function orderValues(field: Field, values: readonly string[]): DictionaryOrder {
  const kind = keyKind(field.type);
  const words = valueWordsOf(field, values);
  const isMissingAt = values.map((value) => isMissing(value) && !words.has(trimWhiteSpace(value)));
  const ordered = kind === undefined ? orderTexts(values, isMissingAt) : orderKeys(field, kind, values);
  const missing = [...ordered.order.keys()].filter((rank) => isMissingAt[ordered.order[rank]]);
  return { ...ordered, missing: Uint32Array.from(missing) };
}

/** The words for missing that are values in a field: the segment NA, the code of Namibia. */
function valueWordsOf({ type, name, alias }: Field, values: readonly string[]): ReadonlySet<string> {
  const kind = type === "string" ? valueKindOf(alias) ?? valueKindOf(name) : undefined;
  return kind === undefined ? new Set() : findValueWords(kind, values);
}

type Ordered = Omit<DictionaryOrder, "missing">;

/** Missing values are one group, the last. */
function orderTexts(values: readonly string[], isMissingAt: readonly boolean[]): Ordered {
  const compare = values.some((value) => SURROGATE.test(value))
    ? compareCodePoints
    : (a: string, b: string) => a < b ? -1 : a > b ? 1 : 0;
  const order = Uint32Array.from(values.keys())
    .sort((a, b) => Number(isMissingAt[a]) - Number(isMissingAt[b]) || compare(values[a], values[b]));
  const none = isMissingAt.filter((missing) => missing).length;
  const present = values.length - none;
  return {
    order,
    groups: order.map((_, rank) => Math.min(rank, present)),
    groupCount: present + (none > 0 ? 1 : 0),
    hasNone: none > 0,
    keys: undefined,
  };
}

/** Values of equal keys are one group, and values without the last. */
function orderKeys(field: Field, kind: KeyKind, values: readonly string[]): Ordered {
  const read = values.map((value) => readKeys(value, field));
  const compare = (a: number, b: number): number => {
    const [left, right] = [read[a], read[b]];
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
    return compareKeys(left.start, right.start);
  };
  const order = Uint32Array.from(values.keys()).sort((a, b) => compare(a, b) || a - b);
  const groups = new Uint32Array(values.length);
  for (let rank = 1; rank < order.length; rank++) {
    groups[rank] = groups[rank - 1] + (compare(order[rank - 1], order[rank]) === 0 ? 0 : 1);
  }
  const width = keyWidth(kind);
  const keys = new Float64Array(values.length * width);
  for (const [rank, value] of order.entries()) writeNumbers(keys, rank * width, kind, read[value]);
  return {
    order,
    groups,
    groupCount: values.length === 0 ? 0 : groups[values.length - 1] + 1,
    hasNone: values.length > 0 && read[order[values.length - 1]] === undefined,
    keys,
  };
}
