/** Finds the first fault of an object of options. */
import { isRecord } from "./is_record.ts";
import type { AnyRule, OptionFault } from "./option_rule.ts";

export type RulesByKey = Readonly<Record<string, AnyRule>>;

/** Finds the first fault of an object whose keys have rules; its path begins with `path`. */
export function findFault(options: unknown, rules: RulesByKey, path: string): OptionFault | undefined {
  if (!isRecord(options)) return { path, expected: describeKeys(rules, path), value: options };
  const unknown = findUnknownKey(options, rules, path);
  if (unknown !== undefined) return unknown;
  for (const key in rules) {
    const fault = faultOf(rules[key], options[key], key);
    if (fault !== undefined) return { ...fault, path: within(path, fault.path) };
  }
  return undefined;
}

/** Finds the first key of an object that is not among the known ones. */
export function findUnknownKey(options: object, known: object, path: string): OptionFault | undefined {
  for (const key of Object.keys(options)) {
    if (!Object.hasOwn(known, key)) return { path: within(path, key), value: key, names: Object.keys(known) };
  }
  return undefined;
}

/** Finds the fault of a value that may be absent. */
export function faultOf(rule: AnyRule, value: unknown, path: string): OptionFault | undefined {
  if (value !== undefined) return rule.fault(value, path);
  return rule.isRequired ? { path, expected: rule.expected, value } : undefined;
}

/** Describes an object by its keys: `an object, { sort: { column, order? } }`. */
export function describeKeys(rules: RulesByKey, path: string): string {
  const keys = Object.keys(rules).map((key) => rules[key].isRequired ? key : `${key}?`);
  const object = keys.length === 0 ? "{}" : `{ ${keys.join(", ")} }`;
  return `an object, ${path === "" ? object : `{ ${path}: ${object} }`}`;
}

function within(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
