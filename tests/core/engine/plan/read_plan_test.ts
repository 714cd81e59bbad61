/**
 * Plans are those that the pinned version of polars writes, and what they become in SQL. `deno test -A
 * tests/core/engine/plan/read_plan_test.ts -- --update` writes `golden.json` anew: read what changed.
 */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Buffer } from "node:buffer";
import pl from "nodejs-polars";
import type { LazyDataFrame } from "nodejs-polars";
import config from "../../../../deno.json" with { type: "json" };
import { planOf, readPlan, serializedPlan } from "../../../../src/core/engine/plan/read_plan.ts";
import { columnsOf, VALUE_TYPES } from "../../../../src/spark/engine/plan_types.ts";
import { compileQuery } from "../../../../src/spark/sql/query_sql.ts";
import { sparkDialect } from "../../../../src/spark/sql/spark_dialect.ts";
import { COLUMNS, QUERIES, REFUSED, SCANNED } from "./_queries.ts";
import { planWithoutBytes } from "./_recorded.ts";

const GOLDEN = new URL("golden.json", import.meta.url);

interface Golden {
  readonly polars: string;
  readonly queries: Readonly<Record<string, { readonly plan: unknown; readonly sql: string }>>;
}

const TABLE = {
  name: "table",
  rows: 20,
  view: "files of table",
  position: '"row"',
  columns: new Map(Object.entries(COLUMNS).map(([name, dtype]) => [name, VALUE_TYPES[dtype]])),
};

async function sqlOf(query: LazyDataFrame): Promise<string> {
  const { sql } = compileQuery(await planOf(query), {
    dialect: sparkDialect,
    tableOf(paths) {
      assertEquals(paths, [SCANNED]);
      return TABLE;
    },
    columnsOf: (arrow) => columnsOf(pl.readIPCStream(Buffer.from(arrow))),
  });
  return sql;
}

const golden: Golden = await (async () => {
  if (!Deno.args.includes("--update")) return JSON.parse(await Deno.readTextFile(GOLDEN));
  const queries: Record<string, { plan: unknown; sql: string }> = {};
  for (const [name, query] of Object.entries(QUERIES)) {
    queries[name] = { plan: planWithoutBytes(serializedPlan(query())), sql: await sqlOf(query()) };
  }
  const written = { polars: String(pl.version), queries };
  await Deno.writeTextFile(GOLDEN, JSON.stringify(written, null, 1) + "\n");
  return written;
})();

Deno.test("plans and their SQL are the committed ones", async (t) => {
  assertEquals(golden.polars, String(pl.version), "another version of polars: read what its plans changed");
  assertEquals(config.imports["nodejs-polars"], `npm:nodejs-polars@${golden.polars}`);
  assertEquals(Object.keys(golden.queries), Object.keys(QUERIES));
  for (const [name, query] of Object.entries(QUERIES)) {
    await t.step(name, async () => {
      assertEquals(planWithoutBytes(serializedPlan(query())), golden.queries[name].plan);
      assertEquals(await sqlOf(query()), golden.queries[name].sql);
    });
  }
});

Deno.test("what has no translation is refused, and named", async (t) => {
  for (const [name, [query, part]] of Object.entries(REFUSED)) {
    await t.step(name, async () => {
      const error = await assertRejects(() => sqlOf(query()), TypeError);
      assert(error.message.includes(part), error.message);
    });
  }
});

Deno.test("plans with other values and fields than polars writes are refused, and named", () => {
  const others: Readonly<Record<string, readonly [found: string, changed: string]>> = {
    "the literal": ['{"Float64":-0.5}', '{"Float64":"-0.5"}'],
    "Cast without dtype": ['"dtype":{"Literal":"Int64"},', ""],
  };
  const plan = serializedPlan(QUERIES.literals());
  for (const [part, [found, changed]] of Object.entries(others)) {
    assert(plan.includes(found), plan);
    assertThrows(() => readPlan(plan.replace(found, changed), () => []), TypeError, part);
  }
});
