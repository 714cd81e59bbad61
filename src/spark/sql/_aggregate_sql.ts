/** SQL of aggregates. */
import type { PlanExpression } from "@seqreg/core/engine/plan/plan";
import { unsupported } from "@seqreg/core/engine/plan/unsupported";
import type { SqlDialect } from "./dialect.ts";
import { isInteger, type TypedSql, WORDS } from "./typed_sql.ts";

type Of<Kind extends PlanExpression["kind"]> = PlanExpression & { readonly kind: Kind };

function made(sql: string, type: TypedSql["type"]): TypedSql {
  return { sql, type, over: "group" };
}

/** Sums, counts, extremes and means. */
export function aggregateSql(
  { aggregate, of }: Of<"aggregate">,
  { sql, type }: TypedSql,
  dialect: SqlDialect,
): TypedSql {
  switch (aggregate) {
    case "sum":
      if (type === "boolean") return made(`coalesce(sum(CASE WHEN ${sql} THEN 1 ELSE 0 END), 0)`, "count");
      // The sum of floats depends on their order, which no two engines share.
      if (!isInteger(type)) throw unsupported(`sum() of ${WORDS[type]}`);
      return made(`CAST(coalesce(sum(${sql}), 0) AS ${dialect.type("whole")})`, type);
    case "count":
      return made(`count(${sql})`, "count");
    case "countDistinct": {
      if (type === "list") throw unsupported("nUnique() of lists");
      if (of.kind === "withoutNulls") return made(`count(DISTINCT ${sql})`, "count");
      if (of.kind === "only") throw unsupported("nUnique() of filtered values with nulls");
      return made(`(count(DISTINCT ${sql}) + CASE WHEN count(${sql}) < count(*) THEN 1 ELSE 0 END)`, "count");
    }
    case "min":
    case "max":
      if (type === "list" || type === "null") throw unsupported(`${aggregate}() of ${WORDS[type]}`);
      if (type !== "float") return made(`${aggregate}(${sql})`, type);
      // To polars what is not a number is neither least nor greatest, unless there is nothing else.
      return made(
        `coalesce(${aggregate}(CASE WHEN NOT ${dialect.isNan(sql)} THEN ${sql} END), ${aggregate}(${sql}))`,
        type,
      );
    case "mean": {
      const float = dialect.type("float");
      if (type === "float") return made(`avg(${sql})`, "float");
      const number = type === "boolean" ? `CASE WHEN ${sql} THEN 1 WHEN NOT ${sql} THEN 0 END` : sql;
      if (type !== "boolean" && !isInteger(type)) throw unsupported(`mean() of ${WORDS[type]}`);
      // The sum is exact, so that one division is all that is rounded.
      return made(`(CAST(sum(${number}) AS ${float}) / CAST(nullif(count(${sql}), 0) AS ${float}))`, "float");
    }
  }
}

/** Quantiles: of all values in order those between which one lies, then as polars chooses. */
export function quantileSql(
  { at, method }: Of<"quantile">,
  { sql, type }: TypedSql,
  dialect: SqlDialect,
): TypedSql {
  if (!isInteger(type) && type !== "float") throw unsupported(`median() or quantile() of ${WORDS[type]}`);
  if (!(at >= 0 && at <= 1)) throw unsupported("quantile() beyond 0 to 1");
  const float = dialect.type("float");
  const value = type === "float" ? sql : `CAST(${sql} AS ${float})`;
  const quantile = dialect.ofSorted(value, ({ count, nth }) => {
    const place = `(${dialect.float(at)} * (${count} - ${dialect.float(1)}))`;
    if (method === "nearest") return nth(`round(${place})`);
    const [low, high] = [nth(`floor(${place})`), nth(`ceil(${place})`)];
    if (method === "lower" || method === "higher") return method === "lower" ? low : high;
    const between = `(${place} - floor(${place})) * (${high} - ${low}) + ${low}`;
    return `CASE WHEN ${low} = ${high} THEN ${low} ELSE ${between} END`;
  });
  return made(quantile, "float");
}

export function spreadSql(expression: Of<"spread">, { sql, type }: TypedSql, dialect: SqlDialect): TypedSql {
  if (!isInteger(type) && type !== "float") throw unsupported(`std() or var() of ${WORDS[type]}`);
  return made(dialect.spread(sql, expression), "float");
}

/** First and last values by the position of their rows; of those that an expression keeps. */
export function endSql(
  { of, end }: Of<"end">,
  { inner, kept, position }: {
    readonly inner: TypedSql;
    readonly kept: string | undefined;
    readonly position: string;
  },
  dialect: SqlDialect,
): TypedSql {
  const keeps = of.kind === "withoutNulls" ? `${inner.sql} IS NOT NULL` : kept;
  const by = keeps === undefined ? position : `CASE WHEN ${keeps} THEN ${position} END`;
  return made(dialect.end(inner.sql, by, end), inner.type);
}
