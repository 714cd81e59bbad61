/**
 * What an option may be: one rule for each option, tied to the option's type.
 *
 * @module
 */

/** Why a value is not allowed. */
export interface OptionFault {
  /** Option at fault, and the place within it: `sort.order`, `filter[2].field`. */
  readonly path: string;
  /** What is allowed, in words that follow "must be"; absent for an unknown key. */
  readonly expected?: string;
  /** The value at fault, `undefined` for an option that is missing; of an unknown key the key. */
  readonly value: unknown;
  /** Names among which the nearest is looked for: the allowed keys, or the allowed values. */
  readonly names?: readonly string[];
  /** Whether the type is right and the value is not: a RangeError. */
  readonly isRange?: boolean;
  /** Whether a message must not show the value. */
  readonly isSecret?: boolean;
}

/** A rule without the type that it is tied to. */
export interface AnyRule {
  /** What is allowed, in words that follow "must be". */
  readonly expected: string;
  /** Whether the option must be given. */
  readonly isRequired: boolean;
  /** Finds what is wrong with a value other than `undefined`; `undefined` when it is allowed. */
  readonly fault: (value: unknown, path: string) => OptionFault | undefined;
}

/** What one option may be. `Value` is the option's type exactly: a rule for another type does not compile. */
export interface OptionRule<in out Value> extends AnyRule {
  /** Never set: ties the rule to the type. */
  readonly exactly?: (value: Value) => Value;
}

/** The rule of an option that must be given. */
export interface RequiredRule<in out Value> extends OptionRule<Value> {
  /** The option must be given. */
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
