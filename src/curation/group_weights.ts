/** Weights of groups by the values of their fields. */
import { listSome } from "@seqreg/core/contract/ledger";
import { groupKey, isMissing } from "@seqreg/core/contract/values";

/** The weight of the groups that have some values. */
export interface GroupWeight {
  /** Values by field, each named as in `by`; `default` in all of them, or none at all, is for all other groups. */
  readonly values: Readonly<Record<string, string>>;
  /** Weight; 0 draws nothing. Groups that differ in other fields share it equally. */
  readonly weight: number;
}

/** What stands for the groups that no other weight names. */
const DEFAULT = "default";

/** The value of groups without one. */
const MISSING = "?";

/** Groups that an error names. */
const NAMED = 5;

/**
 * Finds the weight of each group.
 *
 * @throws {RangeError} If a weight names a field that is not in `by`, two are for the same values, or a group has none.
 */
export function groupWeights(
  groups: readonly { readonly values: readonly string[] }[],
  { by, weights }: { readonly by: readonly string[]; readonly weights: readonly GroupWeight[] },
): number[] {
  const names = by.filter((name) => weights.some(({ values }) => Object.hasOwn(values, name)));
  const places = names.map((name) => by.indexOf(name));
  const keys = groups.map(({ values }) => keyOf(places.map((at) => values[at])));
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const present = places.map((at) => new Set(groups.map(({ values }) => values[at])));
  const known = new Map<string, number>();
  for (const { values, weight } of weights) {
    const unknown = Object.keys(values).find((name) => !by.includes(name));
    if (unknown !== undefined) {
      throw new RangeError(`Cannot use weights by "${unknown}": expected fields of the groups, ${by.join(", ")}`);
    }
    const isDefault = names.every((name) => !Object.hasOwn(values, name) || values[name] === DEFAULT);
    const lacking = isDefault ? undefined : names.find((name) => !Object.hasOwn(values, name));
    if (lacking !== undefined) {
      throw new RangeError(`Cannot use a weight of ${describe(values)}: expected a value of ${lacking} too`);
    }
    const key = isDefault ? DEFAULT : keyOf(names.map((name, index) => valueOf(values[name], present[index])));
    if (!isDefault && !counts.has(key) && Object.values(values).includes(DEFAULT)) {
      throw new RangeError(`Cannot use a weight of ${describe(values)}: expected "default" in all fields, or in none`);
    }
    if (known.has(key)) throw new RangeError(`Cannot use two weights of ${describe(values)}: expected one`);
    known.set(key, weight);
  }
  const without = [...counts.keys()].filter((key) => !known.has(key));
  if (without.length > 0 && !known.has(DEFAULT)) {
    const named = listSome(without.map((key) => JSON.parse(key).join("|")), NAMED);
    throw new RangeError(`Cannot draw by weights: groups have no weight (${named}); add them, or one for "default"`);
  }
  return keys.map((key) => (known.get(key) ?? known.get(DEFAULT)!) / counts.get(key)!);
}

/** The value of a group that a text means: a word for missing is `?`, unless it is a value, as of a field of codes. */
function valueOf(text: string, present: ReadonlySet<string>): string {
  const value = groupKey(text);
  return isMissing(text) && !present.has(value) ? MISSING : value;
}

function keyOf(values: readonly string[]): string {
  return JSON.stringify(values);
}

function describe(values: Readonly<Record<string, string>>): string {
  return Object.entries(values).map(([name, value]) => `${name}=${value}`).join(", ") || DEFAULT;
}
