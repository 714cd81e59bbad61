/** SQL of the expressions of a plan, with their types: what has no type here has no meaning that engines share. */
import {
  type BinaryOperator,
  type LiteralValue,
  type PlanExpression,
  someExpression,
  type ValueType,
} from "@seqreg/core/engine/plan/plan";
import { aggregateSql, endSql, quantileSql, spreadSql } from "./_aggregate_sql.ts";
import { quotedName, type SqlDialect } from "./dialect.ts";
import { matchesEmpty } from "./regex.ts";
import { type Columns, isInteger, type TypedSql, WORDS } from "./typed_sql.ts";
import { unsupported } from "@seqreg/core/engine/plan/unsupported";

export type { Columns, TypedSql };

const COMPARISONS: Readonly<Partial<Record<BinaryOperator, string>>> = {
  eq: "=",
  neq: "<>",
  lt: "<",
  lteq: "<=",
  gt: ">",
  gteq: ">=",
};
const ARITHMETIC: Readonly<Partial<Record<BinaryOperator, string>>> = { add: "+", sub: "-", mul: "*" };

/** Aggregates that count a null, or may return one: what a filter() left out must not be null to them. */
const KEEPING_NULLS: ReadonlySet<string> = new Set(["countDistinct", "first", "last"]);

/** Writes expressions over some columns. */
export class ExpressionWriter {
  readonly #columns: Columns;
  readonly #dialect: SqlDialect;
  readonly #position: string | undefined;

  /** @param position SQL of the position of a row, if the rows have one. */
  constructor(columns: Columns, dialect: SqlDialect, position?: string) {
    this.#columns = columns;
    this.#dialect = dialect;
    this.#position = position;
  }

  /** SQL of a constant. */
  literal(value: LiteralValue, type: ValueType): string {
    const { text, float, whole } = this.#dialect;
    if (value === null) return type === "null" ? "NULL" : `CAST(NULL AS ${this.#dialect.type(type)})`;
    if (typeof value === "string") return type === "day" ? `DATE '${value}'` : text(value);
    if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
    return type === "float" ? float(Number(value)) : whole(value);
  }

  /**
   * SQL of an expression.
   *
   * @param skipsNulls Whether nulls are left out of what is computed of it: rows that a filter() leaves out are null.
   */
  write(expression: PlanExpression, skipsNulls = false): TypedSql {
    switch (expression.kind) {
      case "alias":
        return this.write(expression.of, skipsNulls);
      case "column": {
        const type = this.#columns.get(expression.name);
        if (type === undefined) throw unsupported(`the column ${JSON.stringify(expression.name)}, which is not there`);
        return { sql: quotedName(expression.name), type, over: "row" };
      }
      case "literal":
        return {
          sql: this.literal(expression.value, expression.type),
          type: expression.type,
          over: "constant",
        };
      case "rows":
        return { sql: "count(*)", type: "count", over: "group" };
      case "rank": {
        const of = this.write(expression.of);
        if (of.over !== "row" || of.type === "list") throw unsupported("rank() of anything but values of rows");
        const within = expression.within.map((one) => this.write(one).sql).join(", ");
        const ties = this.#position === undefined ? "" : `, ${this.#position} ASC`;
        const place = `row_number() OVER (PARTITION BY ${within} ORDER BY ${of.sql} ASC NULLS LAST${ties})`;
        const type = this.#dialect.type("count");
        return {
          sql: `CASE WHEN ${of.sql} IS NOT NULL THEN CAST(${place} AS ${type}) END`,
          type: "count",
          over: "row",
        };
      }
      case "aggregate":
        return aggregateSql(expression, this.#inner(expression.of, expression.aggregate), this.#dialect);
      case "quantile":
        return quantileSql(expression, this.#inner(expression.of, "quantile"), this.#dialect);
      case "spread":
        return spreadSql(expression, this.#inner(expression.of, expression.isRoot ? "std" : "var"), this.#dialect);
      case "end": {
        if (this.#position === undefined) throw unsupported(`${expression.end}() of rows without an order`);
        const inner = this.#inner(expression.of, expression.end);
        const kept = expression.of.kind === "only" ? this.write(expression.of.condition).sql : undefined;
        return endSql(expression, { inner, kept, position: this.#position }, this.#dialect);
      }
      case "cast":
        return this.#cast(this.write(expression.of, skipsNulls), expression.to, expression.strict);
      case "binary": {
        const { operator } = expression;
        // Of null and false, or of null and true, the other one is the result.
        const staysNull = skipsNulls && operator !== "and" && operator !== "or";
        return this.#binary(operator, this.write(expression.left, staysNull), this.write(expression.right, staysNull));
      }
      case "choice": {
        const [when, then, otherwise] = [expression.when, expression.then, expression.otherwise].map((one) =>
          this.write(one)
        );
        expect(when, ["boolean", "null"], "when()");
        const [a, b, type] = this.#alike(then, otherwise, "when()");
        return { sql: `CASE WHEN ${when.sql} THEN ${a} ELSE ${b} END`, type, over: overOf(when, then, otherwise) };
      }
      case "predicate": {
        const { predicate, of } = expression;
        const staysNull = skipsNulls && predicate !== "isNull" && predicate !== "isNotNull";
        return this.#predicate(predicate, this.write(of, staysNull));
      }
      case "isIn":
        return this.#isIn(this.write(expression.of, skipsNulls), expression.values);
      case "fillNull": {
        const [of, by] = [this.write(expression.of), this.write(expression.by)];
        const [a, b, type] = this.#alike(of, by, "fillNull()");
        return { sql: `coalesce(${a}, ${b})`, type, over: overOf(of, by) };
      }
      case "abs": {
        const of = this.write(expression.of, skipsNulls);
        expect(of, ["whole", "count", "float"], "abs()");
        return { ...of, sql: `abs(${of.sql})` };
      }
      case "matches": {
        const of = this.#text(expression.of, "contains()", skipsNulls);
        const sql = expression.isText
          ? this.#dialect.holds(of.sql, expression.pattern, "anywhere")
          : this.#dialect.matches(of.sql, expression.pattern);
        return { ...of, sql, type: "boolean" };
      }
      case "beginsWith":
      case "endsWith": {
        const of = this.#text(expression.of, "startsWith()", skipsNulls);
        const where = expression.kind === "beginsWith" ? "first" : "last";
        return { ...of, sql: this.#dialect.holds(of.sql, expression.text, where), type: "boolean" };
      }
      case "lastCharacters": {
        const of = this.#text(expression.of, "slice()", skipsNulls);
        return { ...of, sql: this.#dialect.last(of.sql, expression.count) };
      }
      case "withoutPrefix": {
        const of = this.#text(expression.of, "stripCharsStart()", skipsNulls);
        return { ...of, sql: this.#dialect.withoutPrefix(of.sql, expression.characters) };
      }
      case "replaceAll": {
        const of = this.#text(expression.of, "replaceAll()", skipsNulls);
        // Where a text is empty after a match, engines find one more, or do not.
        if (matchesEmpty(expression.pattern)) {
          throw unsupported("replaceAll() of a pattern that matches the empty text");
        }
        return { ...of, sql: this.#dialect.replaced(of.sql, expression.pattern, expression.by) };
      }
      case "only": {
        if (!skipsNulls) throw unsupported("filter() of values outside of an aggregate that leaves out nulls");
        const [of, condition] = [this.write(expression.of), this.write(expression.condition)];
        return { ...of, sql: `CASE WHEN ${condition.sql} THEN ${of.sql} END` };
      }
      case "withoutNulls":
        throw unsupported("dropNulls() outside of nUnique()");
    }
  }

  #text(of: PlanExpression, what: string, skipsNulls: boolean): TypedSql {
    const written = this.write(of, skipsNulls);
    expect(written, ["text"], what);
    return written;
  }

  /** SQL of the values of an aggregate. Most leave nulls out; the others see to a filter() that is all of them. */
  #inner(of: PlanExpression, what: string): TypedSql {
    const skipsNulls = !KEEPING_NULLS.has(what) || of.kind === "only" || of.kind === "withoutNulls";
    const inner = this.write(of.kind === "withoutNulls" ? of.of : of, skipsNulls);
    if (inner.over === "group") throw unsupported(`${what}() of what is an aggregate already`);
    if (inner.over === "constant") throw unsupported(`${what}() of a constant`);
    return inner;
  }

  #cast(of: TypedSql, to: ValueType, strict: boolean): TypedSql {
    const { sql, type } = of;
    const name = this.#dialect.type(to);
    const made = (sql: string): TypedSql => ({ ...of, sql, type: to });
    if (type === to) return of;
    if (type === "count" && to === "whole") return made(sql);
    if (type === "null") return made(`CAST(${sql} AS ${name})`);
    switch (`${type === "count" ? "whole" : type} ${to}`) {
      case "whole float":
      case "whole text":
      case "boolean whole":
      case "boolean text":
      case "day text":
        return made(`CAST(${sql} AS ${name})`);
      case "boolean float":
        return made(
          `CASE WHEN ${sql} THEN ${this.#dialect.float(1)} WHEN NOT ${sql} THEN ${this.#dialect.float(0)} END`,
        );
      case "day whole":
        return made(this.#dialect.dayNumber(sql));
      case "float whole":
        if (strict) break;
        return made(this.#dialect.truncated(sql));
      case "text whole":
        if (strict) break;
        return made(
          `CASE WHEN ${this.#dialect.matches(sql, "^[+-]?[0-9]+$")} THEN ${this.#dialect.parsed(sql)} END`,
        );
    }
    throw unsupported(`a cast of ${WORDS[type]} to ${WORDS[to]}`);
  }

  #binary(operator: BinaryOperator, left: TypedSql, right: TypedSql): TypedSql {
    const over = overOf(left, right);
    if (operator === "and" || operator === "or") {
      for (const side of [left, right]) expect(side, ["boolean", "null"], operator);
      return { sql: `(${left.sql} ${operator.toUpperCase()} ${right.sql})`, type: "boolean", over };
    }
    const [a, b, type] = this.#alike(left, right, operator);
    const comparison = COMPARISONS[operator];
    if (comparison !== undefined) {
      if (type === "list") throw unsupported("a comparison of lists");
      return { sql: `(${a} ${comparison} ${b})`, type: "boolean", over };
    }
    if (type === "count" && (operator === "sub" || operator === "mul")) {
      throw unsupported(
        `${operator} of counts, which wraps in polars, where they have 32 bits without a sign (cast them to pl.Int64)`,
      );
    }
    if (!isInteger(type) && type !== "float") throw unsupported(`${operator} of ${WORDS[type]}`);
    const arithmetic = ARITHMETIC[operator];
    if (arithmetic !== undefined) return { sql: `(${a} ${arithmetic} ${b})`, type, over };
    if (operator === "mod") {
      if (!isInteger(type) || right.over !== "constant" || /^\(?-/.test(b)) {
        throw unsupported("modulo by anything but a whole number above 0");
      }
      return { sql: this.#dialect.modulo(a, b), type, over };
    }
    if (type !== "float") throw unsupported("a division of whole numbers");
    return { sql: this.#quotient(a, b), type, over };
  }

  /** A quotient as IEEE 754 has it; engines raise errors at a division by zero, or give null. */
  #quotient(a: string, b: string): string {
    const { float, isNan } = this.#dialect;
    const infinite = (sign: number) => float(sign * Infinity);
    const isNegative = `(CAST(${b} AS ${this.#dialect.type("text")}) LIKE '-%')`;
    return `CASE WHEN ${b} <> ${float(0)} THEN ${a} / ${b} ` +
      `WHEN ${a} IS NULL OR ${b} IS NULL THEN NULL ` +
      `WHEN ${a} = ${float(0)} OR ${isNan(a)} THEN ${float(NaN)} ` +
      `WHEN (${a} > ${float(0)}) = ${isNegative} THEN ${infinite(-1)} ELSE ${infinite(1)} END`;
  }

  #predicate(predicate: string, of: TypedSql): TypedSql {
    const { sql, type } = of;
    const made = (sql: string): TypedSql => ({ ...of, sql, type: "boolean" });
    const known = (condition: string) => made(`CASE WHEN ${sql} IS NOT NULL THEN ${condition} END`);
    if (predicate === "isNull") return made(`(${sql} IS NULL)`);
    if (predicate === "isNotNull") return made(`(${sql} IS NOT NULL)`);
    if (predicate === "not") {
      expect(of, ["boolean", "null"], "not()");
      return made(`(NOT ${sql})`);
    }
    expect(of, ["float", "whole", "count"], predicate);
    const isFloat = type === "float";
    const infinity = this.#dialect.float(Infinity);
    switch (predicate) {
      case "isNan":
        return known(isFloat ? this.#dialect.isNan(sql) : "FALSE");
      case "isNotNan":
        return known(isFloat ? `NOT ${this.#dialect.isNan(sql)}` : "TRUE");
      case "isFinite":
        return known(isFloat ? `abs(${sql}) < ${infinity}` : "TRUE");
      case "isInfinite":
        return known(isFloat ? `abs(${sql}) = ${infinity}` : "FALSE");
    }
    throw unsupported(predicate);
  }

  #isIn(of: TypedSql, values: readonly LiteralValue[]): TypedSql {
    const known = values.filter((value) => value !== null);
    const isNumber = isInteger(of.type) || of.type === "float";
    const fits = known.every((value) =>
      of.type === "text" ? typeof value === "string" : isNumber ? typeof value !== "string" : false
    );
    if (!fits || known.length < values.length) throw unsupported(`isIn() of ${WORDS[of.type]} with other values`);
    const list = known.map((value) => this.literal(value, typeof value === "number" ? "float" : of.type));
    const sql = list.length === 0 ? "FALSE" : `${of.sql} IN (${list.join(", ")})`;
    return { ...of, sql: `CASE WHEN ${of.sql} IS NOT NULL THEN ${sql} END`, type: "boolean" };
  }

  /** Two values as one type: nulls take the other's, whole numbers with floats become floats. */
  #alike(one: TypedSql, other: TypedSql, what: string): [one: string, other: string, type: ValueType] {
    if (one.type === other.type) return [one.sql, other.sql, one.type];
    if (one.type === "null") return [this.#cast(one, other.type, false).sql, other.sql, other.type];
    if (other.type === "null") return [one.sql, this.#cast(other, one.type, false).sql, one.type];
    if (isInteger(one.type) && isInteger(other.type)) return [one.sql, other.sql, "whole"];
    const types = [one.type, other.type];
    if (types.some(isInteger) && types.includes("float")) {
      return [this.#cast(one, "float", false).sql, this.#cast(other, "float", false).sql, "float"];
    }
    throw unsupported(`${what} of ${WORDS[one.type]} and ${WORDS[other.type]}`);
  }
}

function expect({ type }: TypedSql, types: readonly ValueType[], what: string): void {
  if (!types.includes(type)) throw unsupported(`${what} of ${WORDS[type]}`);
}

function overOf(...parts: readonly TypedSql[]): TypedSql["over"] {
  const overs = parts.map(({ over }) => over);
  if (overs.includes("row") && overs.includes("group")) throw unsupported("an aggregate together with values of rows");
  return overs.find((over) => over !== "constant") ?? "constant";
}

/** Whether an expression has a meaning only where rows have an order: ends, and ranks of equal values. */
export function needsOrder(expression: PlanExpression, columns: Columns): boolean {
  return someExpression(expression, (one) => {
    if (one.kind === "end") return true;
    if (one.kind !== "rank") return false;
    // Rows that are equal in every column may be numbered in any order.
    const known = [one.of, ...one.within].flatMap((part) => part.kind === "column" ? part.name : []);
    return [...columns.keys()].some((name) => !known.includes(name));
  });
}
