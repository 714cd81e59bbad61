/** The rules that options are declared with: `import * as rule from "…/rules.ts"`. */
import { isRecord } from "./is_record.ts";
import { describeKeys, faultOf, findFault } from "./_find_fault.ts";
import type { OptionRule, OptionRules, RequiredRule } from "./option_rule.ts";

export const text: OptionRule<string> = like("a text", isText);

/** A text of a certain form; `expected` describes it in words that follow "must be". */
export function textLike(expected: string, pattern: RegExp): OptionRule<string> {
  return {
    expected,
    isRequired: false,
    fault: (value, path) =>
      isText(value) && pattern.test(value) ? undefined : { path, expected, value, isRange: isText(value) },
  };
}

/** The path of a file or folder; an empty text, as of a variable that is not set, would be the working folder. */
export const path: OptionRule<string> = textLike("a path", /[^]/);

/** `true` or `false`. */
export const flag: OptionRule<boolean> = like("true or false", (value) => typeof value === "boolean");

/** A signal that ends the work. */
export const signal: OptionRule<AbortSignal> = like(
  "an AbortSignal, such as AbortSignal.timeout(60_000)",
  (value) => value instanceof AbortSignal,
);

export const texts: OptionRule<readonly string[]> = listOf(text, "texts");

export const anything: OptionRule<unknown> = like("a value", () => true);

export interface Bounds {
  /** The least. */
  readonly from?: number;
  /** The value that it must be greater than. */
  readonly above?: number;
  /** The greatest; Infinity allows Infinity itself. */
  readonly to?: number;
}

export function wholeNumber(bounds: Bounds = {}): OptionRule<number> {
  return numberRule("a whole number", bounds, (value) => Number.isSafeInteger(value) || value === bounds.to);
}

export function number(bounds: Bounds = {}): OptionRule<number> {
  return numberRule("a number", bounds, (value) => Number.isFinite(value) || value === bounds.to);
}

/** One of some values, which are all values of the option's type. */
export function oneOf<const Value extends string | number | boolean>(values: readonly Value[]): OptionRule<Value> {
  const allowed = new Set<unknown>(values);
  const types = new Set<string>(values.map((value) => typeof value));
  const shown = values.map((value) => JSON.stringify(value));
  const expected = shown.length === 1 ? shown[0] : `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}`;
  const names = values.map(String);
  return {
    expected,
    isRequired: false,
    fault: (value, path) =>
      allowed.has(value) ? undefined : { path, expected, value, names, isRange: types.has(typeof value) },
  };
}

export function callback<Value>(): OptionRule<Value> {
  return like("a function", (value) => typeof value === "function");
}

export function instanceOf<Value>(
  expected: string,
  type: abstract new (...values: never[]) => Value,
): OptionRule<Value> {
  return like(expected, (value) => value instanceof type);
}

/** Values that a custom test accepts; `expected` describes them in words that follow "must be". */
export function like<Value>(expected: string, accepts: (value: unknown) => boolean): OptionRule<Value> {
  return {
    expected,
    isRequired: false,
    fault: (value, path) => accepts(value) ? undefined : { path, expected, value },
  };
}

/** A list whose values follow a rule; `plural` is their name. */
export function listOf<Value>(rule: OptionRule<Value>, plural: string, { from = 0 }: Bounds = {}): OptionRule<
  readonly Value[]
> {
  const each = required(rule);
  const expected = `a list of ${from === 0 ? "" : `at least ${from} `}${plural}`;
  return {
    expected,
    isRequired: false,
    fault(value, path) {
      if (!Array.isArray(value)) return { path, expected, value };
      if (value.length < from) return { path, expected, value, isRange: true };
      for (let index = 0; index < value.length; index++) {
        // A path is built for a fault only: lists can be long.
        if (faultOf(each, value[index], "") !== undefined) return faultOf(each, value[index], `${path}[${index}]`);
      }
      return undefined;
    },
  };
}

/** An object of values by any key; `plural` is their name. */
export function recordOf<Value>(
  rule: OptionRule<Value>,
  plural: string,
): OptionRule<Readonly<Record<string, Value>>> {
  const each = required(rule);
  const expected = `an object of ${plural}`;
  return {
    expected,
    isRequired: false,
    fault(value, path) {
      if (!isRecord(value)) return { path, expected, value };
      for (const key of Object.keys(value)) {
        const fault = faultOf(each, value[key], `${path}.${key}`);
        if (fault !== undefined) return fault;
      }
      return undefined;
    },
  };
}

/** An object with options of its own. */
export function shape<Options>(rules: OptionRules<NoInfer<Options>>): OptionRule<Options> {
  return {
    expected: describeKeys(rules, ""),
    isRequired: false,
    fault: (value, path) => findFault(value, rules, path),
  };
}

/** Values that one of two rules allows. */
export function either<First, Second>(
  first: OptionRule<First>,
  second: OptionRule<Second>,
): OptionRule<First | Second> {
  const expected = `${first.expected} or ${second.expected}`;
  return {
    expected,
    isRequired: false,
    fault(value, path) {
      const one = first.fault(value, path);
      const other = one && second.fault(value, path);
      if (one === undefined || other === undefined) return undefined;
      // A fault within a value of the right form is more specific than both forms together.
      const within = [one, other].find((fault) => fault.path !== path);
      const names = [...one.names ?? [], ...other.names ?? []];
      return within ?? { path, expected, value, names, isRange: one.isRange || other.isRange };
    },
  };
}

/** A rule's values, or `null`. */
export function nullable<Value>(rule: OptionRule<Value>): OptionRule<Value | null> {
  return {
    expected: rule.expected,
    isRequired: false,
    fault: (value, path) => value === null ? undefined : rule.fault(value, path),
  };
}

/** A rule's values; messages do not show the value, which may be a secret. */
export function concealed<Value>(rule: OptionRule<Value>): OptionRule<Value> {
  return {
    expected: rule.expected,
    isRequired: false,
    fault(value, path) {
      const fault = rule.fault(value, path);
      return fault && { ...fault, isSecret: true };
    },
  };
}

/** What a rule allows, and it must be given. */
export function required<Value>(rule: OptionRule<Value>): RequiredRule<Value> {
  return { expected: rule.expected, fault: rule.fault, isRequired: true };
}

function numberRule(kind: string, bounds: Bounds, isNumber: (value: number) => boolean): OptionRule<number> {
  const { from = -Infinity, above = -Infinity, to = Infinity } = bounds;
  const expected = [
    kind,
    from > -Infinity ? ` from ${grouped(from)}` : "",
    above > -Infinity ? ` above ${grouped(above)}` : "",
    to < Infinity ? `${from > -Infinity ? "" : " up"} to ${grouped(to)}` : "",
  ].join("");
  return {
    expected,
    isRequired: false,
    fault(value, path) {
      if (typeof value !== "number") return { path, expected, value };
      const isAllowed = isNumber(value) && value >= from && (value > above || above === -Infinity) && value <= to;
      return isAllowed ? undefined : { path, expected, value, isRange: true };
    },
  };
}

/** Groups digits; Intl would cost start-up. */
function grouped(value: number): string {
  return String(value).replace(/\d(?=(\d{3})+$)/g, "$&,");
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
