/** Values bound to the `?` and `:name` of a Spark statement: sent as typed literals, never as text of the statement. */

/** A value whose type is stated. */
export type TypedParameter =
  | { readonly long: bigint | number }
  | { readonly double: number }
  /** A day as `YYYY-MM-DD`, of the years 0001 to 9999. */
  | { readonly date: string };

/**
 * A value bound to a `?` or a `:name`. A whole number is a BIGINT, any other number a DOUBLE, a text a STRING; a
 * {@linkcode TypedParameter} states its type.
 */
export type SparkParameter = string | number | bigint | boolean | null | TypedParameter;

/** Values of `?` in their order, or of `:name` by name. */
export type SparkParameters = readonly SparkParameter[] | Readonly<Record<string, SparkParameter>>;

/** A literal as the protocol has it: `spark.connect.Expression.Literal`. */
export interface Literal {
  /** The value, by the name of its type in the protocol. */
  readonly literalType:
    | { readonly case: "null"; readonly value: { readonly kind: { readonly case: "null"; readonly value: object } } }
    | { readonly case: "boolean"; readonly value: boolean }
    | { readonly case: "long"; readonly value: bigint }
    | { readonly case: "double"; readonly value: number }
    | { readonly case: "string"; readonly value: string }
    | { readonly case: "date"; readonly value: number };
}

/** Arguments of a statement as the protocol has them: `spark.connect.SQL`. */
export interface BoundArguments {
  /** Values of `?`. */
  readonly posArguments?: readonly { readonly exprType: { readonly case: "literal"; readonly value: Literal } }[];
  /** Values of `:name`. */
  readonly namedArguments?: Readonly<
    Record<string, { readonly exprType: { readonly case: "literal"; readonly value: Literal } }>
  >;
}

const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;
const DAY = 86_400_000;

/**
 * Returns the arguments of a statement as typed literals.
 *
 * @throws {TypeError} If a value has no type of Spark, such as a `Date`, or a name is not one.
 * @throws {RangeError} If a whole number exceeds 64 bits, or a day is not of the calendar.
 */
export function boundArguments(parameters: SparkParameters = []): BoundArguments {
  const expression = (value: SparkParameter, name: string) =>
    ({ exprType: { case: "literal", value: literalOf(value, name) } }) as const;
  if (isList(parameters)) {
    const posArguments = parameters.map((value, index) => expression(value, `${index + 1}`));
    return posArguments.length === 0 ? {} : { posArguments };
  }
  if (typeof parameters !== "object" || parameters === null) {
    throw new TypeError("Cannot bind the parameters: expected a list of values, or an object of values by name");
  }
  const entries = Object.entries(parameters).map(([name, value]) => {
    if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) {
      throw new TypeError(`Cannot bind parameter ${JSON.stringify(name)}: expected a name of letters, digits and _`);
    }
    return [name, expression(value, name)] as const;
  });
  return entries.length === 0 ? {} : { namedArguments: Object.fromEntries(entries) };
}

function isList(parameters: SparkParameters): parameters is readonly SparkParameter[] {
  return Array.isArray(parameters);
}

function literalOf(value: SparkParameter, name: string): Literal {
  if (value === null) return { literalType: { case: "null", value: { kind: { case: "null", value: {} } } } };
  if (typeof value === "boolean") return { literalType: { case: "boolean", value } };
  if (typeof value === "bigint") return long(value, name);
  if (typeof value === "string") {
    if (!value.isWellFormed()) throw new TypeError(`Cannot bind parameter ${name}: its text is not valid Unicode`);
    return { literalType: { case: "string", value } };
  }
  if (typeof value === "number") {
    return Number.isSafeInteger(value) && !Object.is(value, -0)
      ? long(BigInt(value), name)
      : { literalType: { case: "double", value } };
  }
  if (typeof value === "object") {
    const keys = Object.keys(value);
    if (keys.length === 1) {
      if ("double" in value && typeof value.double === "number") {
        return { literalType: { case: "double", value: value.double } };
      }
      if ("long" in value && typeof value.long === "bigint") return long(value.long, name);
      if ("long" in value && Number.isSafeInteger(value.long)) return long(BigInt(value.long), name);
      if ("date" in value && typeof value.date === "string") return day(value.date, name);
    }
  }
  throw new TypeError(
    `Cannot bind parameter ${name}: expected a text, number, bigint, boolean or null, ` +
      'or { date: "2026-01-31" }, { long: 7n } or { double: 0.5 }',
  );
}

function long(value: bigint, name: string): Literal {
  if (value < LEAST || value > MOST) {
    throw new RangeError(`Cannot bind parameter ${name}: ${value} exceeds the 64 bits of a BIGINT`);
  }
  return { literalType: { case: "long", value } };
}

function day(text: string, name: string): Literal {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  if (Number.isNaN(time) || text.startsWith("0000") || new Date(time).toISOString().slice(0, 10) !== text) {
    throw new RangeError(`Cannot bind parameter ${name}: expected a day such as 2026-01-31`);
  }
  return { literalType: { case: "date", value: time / DAY } };
}
