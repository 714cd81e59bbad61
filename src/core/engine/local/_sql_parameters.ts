/** Values bound to the parameters of a statement of DuckDB. */
import type { DuckDBPreparedStatement } from "@duckdb/node-api";
import { countOf } from "../../contract/count_of.ts";
import { quoteValue } from "../../contract/ledger.ts";
import type { SqlParameter, SqlParameters } from "../engine.ts";

/** The greatest whole number of DuckDB's type HUGEINT; a greater one would be cut to its 128 bits. */
const MOST_HUGE = 2n ** 127n - 1n;
/** The first number that a BIGINT does not hold. */
const BEYOND_BIGINT = 2 ** 63;

/**
 * Binds values to the parameters of a statement.
 *
 * @throws {TypeError} If a value has no type of SQL, such as a `Date`, or its parameter is missing, or the other way
 * round.
 * @throws {RangeError} If a whole number exceeds 128 bits.
 */
export function bindParameters(statement: DuckDBPreparedStatement, parameters: SqlParameters): void {
  if (typeof parameters !== "object" || parameters === null) {
    throw new TypeError("Cannot bind the parameters: expected a list of values, or an object of values by name");
  }
  const values: [name: string, value: SqlParameter][] = isList(parameters)
    ? Array.from(parameters, (value, index) => [String(index + 1), value])
    : Object.entries(parameters);
  checkCount(statement.parameterCount, values.length);
  const names = Array.from(values, (_, index) => statement.parameterName(index + 1));
  for (const [index, [name, value]] of values.entries()) {
    const at = isList(parameters) ? index : names.indexOf(name);
    if (at === -1) {
      throw new TypeError(
        `Cannot bind parameter ${quoteValue(name)}: the SQL has ${
          names.map((name) => `$${name}`).join(", ")
        }; values ` +
          "of ? are a list",
      );
    }
    bindValue(statement, at + 1, value, name);
  }
}

/** DuckDB's own message about this contains neither the query nor the caller's values. */
function checkCount(wanted: number, given: number): void {
  if (wanted === given) return;
  throw new TypeError(
    `Cannot run the SQL: it has ${countOf(wanted, "parameter")} (?, $1 or $name), and ${
      countOf(given, "value")
    } came for them`,
  );
}

function bindValue(statement: DuckDBPreparedStatement, at: number, value: unknown, name: string): void {
  if (typeof value === "number" && Number.isInteger(value) && Math.abs(value) >= BEYOND_BIGINT) {
    return statement.bindDouble(at, value);
  }
  if (typeof value === "bigint" && (value > MOST_HUGE || value < -MOST_HUGE)) {
    throw new RangeError(`Cannot bind parameter ${name}: ${value} exceeds the 128 bits of a HUGEINT`);
  }
  if (typeof value === "string" && !value.isWellFormed()) {
    throw new TypeError(`Cannot bind parameter ${name}: its text is not valid Unicode`);
  }
  if (value === null || isBindable(value)) return statement.bindValue(at, value);
  const type = value === undefined ? "undefined" : typeof value === "object" ? value.constructor.name : typeof value;
  const advice = value instanceof Date ? '; write a day as text, such as "2013-12-05", and CAST(? AS DATE)' : "";
  throw new TypeError(
    `Cannot bind parameter ${name}: expected a text, number, bigint, boolean or null, not ${type}${advice}`,
  );
}

function isBindable(value: unknown): value is string | number | bigint | boolean {
  return ["string", "number", "bigint", "boolean"].includes(typeof value);
}

function isList(parameters: SqlParameters): parameters is readonly SqlParameter[] {
  return Array.isArray(parameters);
}
