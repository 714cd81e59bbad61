/** The allowed values of an option: one rule for each option, tied to the option's type. */

/** Why a value is not allowed. */
export interface OptionFault {
  /** Option at fault, and the path within it: `sort.order`, `filter[2].field`. */
  readonly path: string;
  /** The allowed values, in words that follow "must be"; absent for an unknown key. */
  readonly expected?: string;
  /** The value at fault, `undefined` for a missing option; for an unknown key, the key. */
  readonly value: unknown;
  /** Candidates for the nearest name: the allowed keys, or the allowed values. */
  readonly names?: readonly string[];
  /** Whether the type is right but the value is not: a RangeError. */
  readonly isRange?: boolean;
  /** Whether a message must not show the value. */
  readonly isSecret?: boolean;
}

export interface AnyRule {
  /** The allowed values, in words that follow "must be". */
  readonly expected: string;
  readonly isRequired: boolean;
  /** Finds the fault of a value other than `undefined`; `undefined` if it is allowed. */
  readonly fault: (value: unknown, path: string) => OptionFault | undefined;
}

/** The allowed values of one option. `Value` is exactly the option's type: a rule for another type does not compile. */
export interface OptionRule<in out Value> extends AnyRule {
  /** Never set: ties the rule to the type. */
  readonly exactly?: (value: Value) => Value;
}

export interface RequiredRule<in out Value> extends OptionRule<Value> {
  readonly isRequired: true;
}

/**
 * The rules of an options object: one for each of its keys.
 *
 * Declared with `satisfies`, so that an option without a rule, a rule without an option or a rule for another type does
 * not compile.
 */
export type OptionRules<Options> = {
  readonly [Key in keyof Options]-?: undefined extends Options[Key] ? OptionRule<Exclude<Options[Key], undefined>>
    : RequiredRule<Options[Key]>;
};
