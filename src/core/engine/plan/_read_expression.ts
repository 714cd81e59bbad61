/** Expressions of polars' serialized plan. */
import { formatDay, readPartialDate } from "../../contract/values/mod.ts";
import type {
  Aggregate,
  BinaryOperator,
  LiteralValue,
  PlanExpression,
  Predicate,
  QuantileMethod,
  ValueType,
} from "./plan.ts";
import { bytes, fields, list, quoted, type Tagged, tagged, text } from "./_json.ts";
import { unsupported } from "./unsupported.ts";

/** Reads the values of a column that is an Arrow IPC stream. */
export type ReadValues = (arrow: Uint8Array) => readonly LiteralValue[];

const TYPES: Readonly<Record<string, ValueType>> = {
  String: "text",
  Int64: "whole",
  Float64: "float",
  Boolean: "boolean",
  Date: "day",
  Null: "null",
};

const OPERATORS: Readonly<Record<string, BinaryOperator>> = {
  Eq: "eq",
  NotEq: "neq",
  Lt: "lt",
  LtEq: "lteq",
  Gt: "gt",
  GtEq: "gteq",
  Plus: "add",
  Minus: "sub",
  Multiply: "mul",
  RustDivide: "div",
  TrueDivide: "div",
  Modulus: "mod",
  And: "and",
  Or: "or",
};

/** Operators that compare days with a time that is the beginning of one, as with the day. */
const COMPARISONS: ReadonlySet<BinaryOperator> = new Set(["eq", "neq", "lt", "lteq", "gt", "gteq"]);

const METHODS: Readonly<Record<string, QuantileMethod>> = {
  Nearest: "nearest",
  Lower: "lower",
  Higher: "higher",
  Linear: "linear",
};

const PREDICATES: Readonly<Record<string, Predicate>> = {
  IsNull: "isNull",
  IsNotNull: "isNotNull",
  IsNan: "isNan",
  IsNotNan: "isNotNan",
  IsFinite: "isFinite",
  IsInfinite: "isInfinite",
  Not: "not",
};

/** Texts that a cast to a float reads as what a literal cannot be. */
const NOT_FINITE: Readonly<Record<string, number>> = { NaN: NaN, Infinity: Infinity, "-Infinity": -Infinity };

export function readExpression(value: unknown, readValues: ReadValues): PlanExpression {
  const read = (one: unknown) => readExpression(one, readValues);
  const node = tagged(value, "an expression");
  const { name, body } = node;
  switch (name) {
    case "Len":
      return { kind: "rows" };
    case "Column":
      return { kind: "column", name: text(body, name) };
    case "Alias": {
      const [of, alias] = list(body, name);
      return { kind: "alias", of: read(of), name: text(alias, name) };
    }
    case "Literal":
      return readLiteral(body);
    case "Cast": {
      const { expr, dtype, options } = fields(node, ["expr", "dtype", "options"]);
      if (options !== "Strict" && options !== "NonStrict") throw unsupported(`Cast with options ${quoted(options)}`);
      return cast(read(expr), typeOf(tagged(dtype, name)), options === "Strict");
    }
    case "BinaryExpr": {
      const { left, op, right } = fields(node, ["left", "op", "right"]);
      const operator = OPERATORS[text(op, name)];
      if (operator === undefined) throw unsupported(`the operator ${quoted(op)}`);
      const side = (one: unknown) => COMPARISONS.has(operator) ? readDay(one) ?? read(one) : read(one);
      return { kind: "binary", operator, left: side(left), right: side(right) };
    }
    case "Ternary": {
      const { predicate, truthy, falsy } = fields(node, ["predicate", "truthy", "falsy"]);
      return { kind: "choice", when: read(predicate), then: read(truthy), otherwise: read(falsy) };
    }
    case "Filter": {
      const { input, by } = fields(node, ["input", "by"]);
      return { kind: "only", of: read(input), condition: read(by) };
    }
    case "Agg":
      return readAggregate(tagged(body, name), read);
    case "Over": {
      const over = fields(node, ["function", "partition_by"], { order_by: [null], mapping: ["GroupsToRows"] });
      return { kind: "rank", of: read(rankedBy(over.function)), within: list(over.partition_by, name).map(read) };
    }
    case "Function": {
      const call = fields(node, ["input", "function"]);
      return readFunction(tagged(call.function, name), list(call.input, name), { read, readValues });
    }
  }
  throw unsupported(`the expression ${name}`);
}

/** The value by which rows are ranked: of the functions over groups this alone is read. */
function rankedBy(value: unknown): unknown {
  const called = tagged(value, "over()");
  if (called.name !== "Function") throw unsupported(`${called.name} within over()`);
  const call = fields(called, ["input", "function"]);
  const rank = tagged(call.function, "over()");
  if (rank.name !== "Rank") throw unsupported(`${rank.name} within over()`);
  fields(rank, [], { options: [{ method: "Ordinal", descending: false }], seed: [null] });
  return list(call.input, "over()")[0];
}

function typeOf({ name, body }: Tagged): ValueType {
  const type = name === "Literal" && typeof body === "string" ? TYPES[body] : undefined;
  if (type === undefined) throw unsupported(`the type ${quoted(name === "Literal" ? body : { [name]: body })}`);
  return type;
}

function cast(of: PlanExpression, to: ValueType, strict: boolean): PlanExpression {
  if (of.kind === "literal") {
    const { value } = of;
    if (to === "float" && typeof value === "string" && Object.hasOwn(NOT_FINITE, value)) {
      return { kind: "literal", type: "float", value: NOT_FINITE[value] };
    }
    if (to === "whole" && typeof value === "number" && Number.isSafeInteger(value)) {
      return { kind: "literal", type: "whole", value };
    }
    if (value === null) return { kind: "literal", type: to, value: null };
    if (to === "day" && typeof value === "string") return dayOf(value);
  }
  return { kind: "cast", of, to, strict };
}

/** The literal of a day, `2020-02-03`. */
function dayOf(text: string): PlanExpression {
  const isDay = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) && readPartialDate(text) !== undefined;
  if (!isDay) throw unsupported(`the date ${quoted(text)} (expected YYYY-MM-DD)`);
  return { kind: "literal", type: "day", value: text };
}

const DAY_MS = 86_400_000;
/** Units of times as polars writes them, in a millisecond. */
const IN_A_MILLISECOND: Readonly<Record<string, number>> = { Milliseconds: 1, Microseconds: 1e3, Nanoseconds: 1e6 };

/** The literal of a time of JavaScript that is the beginning of a day in UTC; `undefined` for every other node. */
function readDay(value: unknown): PlanExpression | undefined {
  let node: Tagged = { name: "", body: value };
  for (const name of ["Literal", "Scalar", "Datetime"]) {
    if (typeof node.body !== "object" || node.body === null || !(name in node.body)) return undefined;
    node = tagged(node.body, "Literal");
  }
  const [time, unit, zone] = list(node.body, node.name);
  const day = Number(time) / (IN_A_MILLISECOND[String(unit)] ?? NaN) / DAY_MS;
  if (zone !== null || !Number.isInteger(day)) throw unsupported("a comparison with a time within a day");
  return dayOf(formatDay(day));
}

function readLiteral(body: unknown): PlanExpression {
  const literal = (type: ValueType, value: LiteralValue): PlanExpression => ({ kind: "literal", type, value });
  const scalar = tagged(body, "Literal");
  if (scalar.name !== "Scalar") throw unsupported(`the literal ${quoted(body)}`);
  const { name, body: value } = tagged(scalar.body, "Literal");
  if (name === "Null") return literal("null", null);
  if (name === "String" && typeof value === "string") return literal("text", value);
  if (name === "Boolean" && typeof value === "boolean") return literal("boolean", value);
  if (name === "Float64") {
    // JSON has no number for them, and polars writes null for all three.
    if (value === null) {
      throw unsupported(
        'a literal that is not finite (write pl.lit("NaN").cast(pl.Float64), "Infinity" or "-Infinity")',
      );
    }
    if (typeof value === "number") return literal("float", value);
  }
  if (name === "Datetime") throw unsupported("a date outside of a comparison");
  if (/^U?Int(8|16|32|64)$/.test(name) && Number.isSafeInteger(value)) return literal("whole", Number(value));
  throw unsupported(`the literal ${quoted(scalar.body)}`);
}

function readAggregate(node: Tagged, read: (value: unknown) => PlanExpression): PlanExpression {
  const of = (aggregate: Aggregate, value: unknown): PlanExpression => ({
    kind: "aggregate",
    aggregate,
    of: read(value),
  });
  switch (node.name) {
    case "Sum":
      return of("sum", node.body);
    case "NUnique":
      return of("countDistinct", node.body);
    case "Count":
      return of("count", fields(node, ["input"], { include_nulls: [false] }).input);
    case "Min":
      return of("min", fields(node, ["input"], { propagate_nans: [false] }).input);
    case "Max":
      return of("max", fields(node, ["input"], { propagate_nans: [false] }).input);
    case "Mean":
      return of("mean", node.body);
    case "Median":
      return { kind: "quantile", of: read(node.body), at: 0.5, method: "linear" };
    case "First":
    case "Last":
      return { kind: "end", of: read(node.body), end: node.name === "First" ? "first" : "last" };
    case "Std":
    case "Var": {
      const [value, degrees] = list(node.body, node.name);
      if (degrees !== 0 && degrees !== 1) throw unsupported(`${node.name} with ${quoted(degrees)} degrees of freedom`);
      return { kind: "spread", of: read(value), isRoot: node.name === "Std", isSample: degrees === 1 };
    }
  }
  throw unsupported(`the aggregate ${node.name}`);
}

interface Readers {
  readonly read: (value: unknown) => PlanExpression;
  readonly readValues: ReadValues;
}

function readFunction(node: Tagged, input: readonly unknown[], { read, readValues }: Readers): PlanExpression {
  const [first, second] = input;
  switch (node.name) {
    case "FillNull":
      return { kind: "fillNull", of: read(first), by: read(second) };
    case "Abs":
      return { kind: "abs", of: read(first) };
    case "DropNulls":
      return { kind: "withoutNulls", of: read(first) };
    case "Boolean": {
      const boolean = tagged(node.body, node.name);
      if (boolean.name === "IsIn") {
        fields(boolean, [], { nulls_equal: [false] });
        return { kind: "isIn", of: read(first), values: listedValues(second, readValues) };
      }
      const predicate = PREDICATES[boolean.name];
      if (predicate === undefined || boolean.body !== undefined) throw unsupported(`the function ${boolean.name}`);
      return { kind: "predicate", predicate, of: read(first) };
    }
    case "Quantile": {
      const { method } = fields({ name: node.name, body: node.body }, ["method"]);
      const at = read(second);
      const known = METHODS[text(method, node.name)];
      if (known === undefined) throw unsupported(`Quantile with method ${quoted(method)}`);
      if (at.kind !== "literal" || typeof at.value !== "number") throw unsupported("Quantile at other than a number");
      return { kind: "quantile", of: read(first), at: at.value, method: known };
    }
    case "StringExpr":
      return readTextFunction(tagged(node.body, node.name), input, read);
  }
  throw unsupported(`the function ${node.name}`);
}

function listedValues(value: unknown, readValues: ReadValues): readonly LiteralValue[] {
  let values = tagged(value, "isIn()");
  for (const name of ["Literal", "Scalar", "List"]) {
    if (values.name !== name) throw unsupported("isIn() of anything but listed values");
    if (name !== "List") values = tagged(values.body, "isIn()");
  }
  return readValues(bytes(values.body, "isIn()"));
}

function readTextFunction(
  node: Tagged,
  [first, ...rest]: readonly unknown[],
  read: (value: unknown) => PlanExpression,
): PlanExpression {
  const of = read(first);
  const constants = rest.map((one) => {
    const argument = read(one);
    if (argument.kind !== "literal") throw unsupported(`${node.name} with anything but a constant`);
    return argument.value;
  });
  const [one, other] = constants;
  switch (node.name) {
    case "Contains": {
      const { literal } = fields(node, ["literal"], { strict: [true, false] });
      return { kind: "matches", of, pattern: text(one, node.name), isText: literal === true };
    }
    case "StartsWith":
      return { kind: "beginsWith", of, text: text(one, node.name) };
    case "EndsWith":
      return { kind: "endsWith", of, text: text(one, node.name) };
    case "StripCharsStart":
      return { kind: "withoutPrefix", of, characters: text(one, node.name) };
    case "Slice":
      if (typeof one === "number" && one < 0 && other === null) return { kind: "lastCharacters", of, count: -one };
      break;
    case "Strptime": {
      const [type, options] = list(node.body, node.name);
      fields({ name: node.name, body: options }, ["strict", "exact", "cache"], { format: ["%Y-%m-%d", null] });
      const isConstant = of.kind === "literal" && of.type === "text";
      if (!isConstant || typeOf(tagged(type, node.name)) !== "day") {
        throw unsupported("strptime() of other than a date");
      }
      return dayOf(String(of.value));
    }
    case "Replace": {
      fields(node, [], { n: [-1], literal: [false] });
      const by = text(other, node.name);
      if (/[$\\]/.test(by)) throw unsupported("a replacement by parts of what was found");
      return { kind: "replaceAll", of, pattern: text(one, node.name), by };
    }
  }
  throw unsupported(`the function of texts ${node.name} with ${constants.map(quoted).join(", ")}`);
}
