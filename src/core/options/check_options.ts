/** Checks options and arguments before any work: unknown keys, unknown values, wrong types. */
import { isRecord } from "./is_record.ts";
import { nearbyName } from "./nearest.ts";
import { faultOf, findFault, findUnknownKey } from "./_find_fault.ts";
import { quote, showKind, showValue } from "./_show_value.ts";
import type { OptionFault, OptionRule, OptionRules } from "./option_rule.ts";

/**
 * Checks the options that a function was called with.
 *
 * @param caller Name of the function in messages: `search()`.
 * @param options The passed options; `undefined` means no options.
 * @param rules The rules of its options, one for each key of their type.
 * @throws {TypeError} If a key is unknown, a required one is missing or a value has the wrong type. The message
 * includes the option, the allowed values and the nearest allowed name.
 * @throws {RangeError} If a value has the right type and is not an allowed one.
 */
export function checkOptions<Options>(
  caller: string,
  options: Options | undefined,
  rules: OptionRules<NoInfer<Options>>,
): void {
  const fault = findFault(options === undefined ? {} : options, rules, "");
  if (fault !== undefined) refuse(caller, fault, "option");
}

/**
 * Checks a first argument that others write into the options, which are the second: `search({ query, limit })`.
 *
 * @param caller What the argument is in messages: `the search`.
 * @param rules Every key of the argument's type, with its rule.
 * @throws {TypeError} If a key is unknown, an option perhaps, or a value has the wrong type.
 * @throws {RangeError} If a value has the right type and is not an allowed one.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 * import { checkFirst } from "./check_options.ts";
 * import * as rule from "./rules.ts";
 *
 * assertThrows(
 *   () => checkFirst("the search", JSON.parse('{ "query": "Zika", "limit": 3 }'), { query: rule.text }),
 *   TypeError,
 *   'unknown option "limit" of the search; allowed: query; an option is written in a second argument: (…, { … })',
 * );
 * ```
 */
export function checkFirst<Value>(caller: string, value: Value, rules: OptionRules<NoInfer<Value>>): void {
  const fault = findFault(value, rules, "");
  if (fault !== undefined) refuse(caller, fault, "option", true);
}

/**
 * Checks the keys of an object whose values are checked elsewhere, such as a request by its schema.
 *
 * @param caller Name of the function in messages: `client.search()`.
 * @param value The passed object; other values are left to the check of the values.
 * @throws {TypeError} If a key is unknown; the message includes the keys and the nearest one.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 * import { checkKeys } from "./check_options.ts";
 *
 * const search = (request: { readonly query: string }) => checkKeys("search()", request, { query: true });
 *
 * search({ query: "country:Kenya" });
 * assertThrows(() => search(JSON.parse('{ "qeury": "" }')), TypeError, 'unknown option "qeury" of search()');
 * ```
 */
export function checkKeys<Value extends object>(
  caller: string,
  value: Value | undefined,
  keys: Readonly<Record<keyof NoInfer<Value>, true>>,
): void {
  if (!isRecord(value)) return;
  const fault = findUnknownKey(value, keys, "");
  if (fault !== undefined) refuse(caller, fault, "option");
}

/**
 * Checks a single argument.
 *
 * @param caller Name of the function in messages: `downloadMediaType()`.
 * @param name Name of the argument in messages: `information`.
 * @param value What was passed; `undefined` is allowed unless the rule requires a value.
 * @throws {TypeError | RangeError} As {@linkcode checkOptions} does.
 */
export function checkArgument<Value>(
  caller: string,
  name: string,
  value: Value,
  rule: OptionRule<NoInfer<Exclude<Value, undefined>>>,
): void {
  const fault = faultOf(rule, value, name);
  if (fault !== undefined) refuse(caller, fault, "argument");
}

const SHOWN_PATH = 80;

function refuse(caller: string, fault: OptionFault, kind: "option" | "argument", isFirst = false): never {
  const { path, expected, value, names = [], isRange, isSecret } = fault;
  const near = typeof value === "string" && !isSecret ? nearbyName(value, names) : undefined;
  const question = near === undefined ? "" : `, did you mean "${near}"?`;
  if (expected === undefined) {
    const allowed = names.length === 0 ? "no options are allowed" : `allowed: ${names.join(", ")}`;
    const unknown = `unknown ${kind} ${quote(path, SHOWN_PATH)} of ${caller}`;
    const elsewhere = isFirst && question === "" ? "; an option is written in a second argument: (…, { … })" : "";
    throw new TypeError(`${unknown}${question === "" ? ";" : question} ${allowed}${elsewhere}`);
  }
  const subject = path === "" ? `the ${kind}s of ${caller}` : `${kind} ${quote(path, SHOWN_PATH)} of ${caller}`;
  const message = value === undefined
    ? `${subject} is missing: it must be ${expected}`
    : `${subject} must be ${expected}, not ${isSecret ? showKind(value) : showValue(value)}${question}`;
  throw isRange ? new RangeError(message) : new TypeError(message);
}
