/** Many queries as one statement, so that a cluster is asked once for all of them. */
import pl from "nodejs-polars";
import type { DataFrame, LazyDataFrame } from "nodejs-polars";
import { messageOf } from "../../../src/core/errors.ts";
import type { ValueType } from "../../../src/core/engine/plan/plan.ts";
import { inTypes } from "../../../src/spark/engine/plan_types.ts";
import { quotedName, type SqlDialect } from "../../../src/spark/sql/dialect.ts";
import type { QueryStatement } from "../../../src/spark/sql/query_sql.ts";
import { compareResult, type GeneratedCase } from "./_generated.ts";

/** An engine that runs what queries become. */
export interface StatementEngine {
  readonly dialect: SqlDialect;
  compile(query: LazyDataFrame): Promise<QueryStatement>;
  /** Runs a statement. */
  sql(statement: string): Promise<DataFrame>;
}

/** Column that numbers the queries, from 0. */
const QUERY = "query";

/**
 * Runs queries as the branches of one UNION ALL. Every value comes in a column of its own type, as the branch computed
 * it; columns that a branch does not have are null. The order of rows is that of the branches' own.
 */
export async function collectTogether(
  queries: readonly LazyDataFrame[],
  engine: StatementEngine,
): Promise<DataFrame[]> {
  const compiled = await Promise.all(queries.map((query) => engine.compile(query)));
  const placed = compiled.map(({ columns }) => placesOf(columns));
  const widths = new Map<ValueType, number>();
  for (const { counts } of placed) {
    for (const [type, count] of counts) widths.set(type, Math.max(count, widths.get(type) ?? 0));
  }
  const all = [...widths].flatMap(([type, width]) => Array.from({ length: width }, (_, at) => ({ type, at })));
  const branches = compiled.map(({ sql, frames, columns }, number) => {
    if (frames.length > 0) throw new TypeError("a query that reads frames is run alone");
    const { places } = placed[number];
    const names = new Map([...columns.keys()].map((name) => [places.get(name)!, quotedName(name)]));
    const items = all.map(({ type, at }) => {
      const value = names.get(placeName(type, at)) ?? `CAST(NULL AS ${engine.dialect.type(type)})`;
      return `${value} AS ${quotedName(placeName(type, at))}`;
    });
    return `SELECT ${engine.dialect.whole(number)} AS "${QUERY}", ${items.join(", ")} FROM (${sql}) AS q${number}`;
  });
  const whole = await engine.sql(branches.join("\nUNION ALL\n"));
  return compiled.map(({ columns }, number) => {
    const { places } = placed[number];
    const rows = whole.filter(pl.col(QUERY).eq(pl.lit(number)));
    const named = rows.select(...[...columns.keys()].map((name) => pl.col(places.get(name)!).alias(name)));
    return inTypes(pl, named, columns);
  });
}

function placeName(type: ValueType, at: number): string {
  return `${type}${at}`;
}

/** A column for each of a query's own, the first of its type first. */
function placesOf(columns: QueryStatement["columns"]): {
  readonly places: ReadonlyMap<string, string>;
  readonly counts: ReadonlyMap<ValueType, number>;
} {
  const counts = new Map<ValueType, number>();
  const places = new Map<string, string>();
  for (const [name, type] of columns) {
    const at = counts.get(type) ?? 0;
    counts.set(type, at + 1);
    places.set(name, placeName(type, at));
  }
  return { places, counts };
}

/**
 * Runs cases here and as one statement there; describes what differs. Where the statement fails, each case runs alone,
 * and its own error is the difference.
 */
export async function compareTogether(cases: readonly GeneratedCase[], engine: StatementEngine): Promise<string[]> {
  const alone = async ({ query }: GeneratedCase) => (await collectTogether([query], engine))[0];
  const results: (DataFrame | string)[] = await collectTogether(cases.map(({ query }) => query), engine)
    .catch(() => Promise.all(cases.map((one) => alone(one).catch((cause) => messageOf(cause)))));
  const faults = await Promise.all(results.map(async (result, at) => {
    const difference = typeof result === "string" ? result : await compareResult(cases[at], result);
    return difference === undefined ? [] : [`${cases[at].name}: ${difference}`];
  }));
  return faults.flat();
}
