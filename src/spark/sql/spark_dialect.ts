/** Spark's words, as of Spark 4.3 with `SPARK_SETTINGS`. */
import type { SqlDialect } from "./dialect.ts";
import { javaPattern } from "./regex.ts";

export const sparkDialect: SqlDialect = {
  name: "Spark",
  // deno-lint-ignore no-control-regex
  text: (value) => `'${value.replace(/[\\'\u0000-\u001f\u007f]/g, escaped)}'`,
  float(value) {
    if (Number.isNaN(value)) return "double('NaN')";
    if (!Number.isFinite(value)) return `double('${value < 0 ? "-" : ""}Infinity')`;
    if (Object.is(value, -0)) return "double('-0.0')";
    return value < 0 ? `(${value}D)` : `${value}D`;
  },
  // The least number of 64 bits has no literal: its digits alone are beyond them.
  whole: (value) => BigInt(value) === -(2n ** 63n) ? `bigint('${value}')` : value < 0 ? `(${value}L)` : `${value}L`,
  type: (type) =>
    ({
      text: "STRING",
      whole: "BIGINT",
      count: "BIGINT",
      float: "DOUBLE",
      boolean: "BOOLEAN",
      day: "DATE",
      list: "ARRAY<STRING>",
      null: "STRING",
    })[type],
  truncated: (value) => `try_cast(${value} AS BIGINT)`,
  parsed: (value) => `try_cast(${value} AS BIGINT)`,
  isNan: (value) => `isnan(${value})`,
  matches: (value, pattern) => `(${value} RLIKE ${sparkDialect.text(javaPattern(pattern))})`,
  holds: (value, text, where) =>
    `${{ first: "startswith", last: "endswith", anywhere: "contains" }[where]}(${value}, ${sparkDialect.text(text)})`,
  replaced: (value, pattern, by) =>
    `regexp_replace(${value}, ${sparkDialect.text(javaPattern(pattern))}, ${sparkDialect.text(by)})`,
  last: (value, count) => `right(${value}, ${count})`,
  withoutPrefix: (value, characters) => `trim(LEADING ${sparkDialect.text(characters)} FROM ${value})`,
  modulo: (value, divisor) => `pmod(${value}, ${divisor})`,
  dayNumber: (value) => `CAST(unix_date(${value}) AS BIGINT)`,
  ofSorted(value, make) {
    const made = make({
      count: "CAST(size(v) AS DOUBLE)",
      nth: (index) => `try_element_at(v, CAST(${index} AS INT) + 1)`,
    });
    // The index of a list without values could become 0, which is an error of its own.
    const filled = `CASE WHEN size(v) > 0 THEN ${made} END`;
    return `element_at(transform(array(array_sort(collect_list(${value}))), v -> ${filled}), 1)`;
  },
  end: (value, position, end) => `${end === "first" ? "min_by" : "max_by"}(${value}, ${position})`,
  spread: (value, { isRoot, isSample }) =>
    `${isRoot ? "stddev" : "var"}_${isSample ? "samp" : "pop"}(CAST(${value} AS DOUBLE))`,
  fail: (message) => `raise_error(${sparkDialect.text(message)})`,
};

function escaped(character: string): string {
  if (character === "\\" || character === "'") return `\\${character}`;
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
