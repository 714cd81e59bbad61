/** What DuckDB must not be asked of a lake in a store; `tests/checks/objects/moto.ts` asks it. */
import { assertEquals } from "@std/assert";
import { explaining, tellsKeys } from "../../../../src/core/engine/local/object_sql.ts";

const plan = (name: string, called?: string) =>
  JSON.stringify([{ name: "PROJECTION", children: [{ name, children: [], extra_info: { Function: called } }] }]);

Deno.test("plans that show keys are recognised by their functions, at any depth", () => {
  const telling = [
    "DUCKDB_SECRETS",
    "DUCKDB_SECRETS ",
    "WHICH_SECRET",
    "ENABLE_LOGGING",
    "DUCKDB_LOGS",
    "DUCKDB_LOGS_PARSED",
  ];
  for (const name of telling) {
    assertEquals([tellsKeys(plan(name)), tellsKeys(plan("TABLE_FUNCTION", name))], [true, true], name);
  }
  for (const name of ["READ_PARQUET", "DUCKDB_SETTINGS", "HASH_GROUP_BY"]) {
    assertEquals(tellsKeys(plan(name)), false, name);
  }
  assertEquals(
    tellsKeys(JSON.stringify([{ name: "FILTER", extra_info: { Expression: "x = 'DUCKDB_SECRETS'" } }])),
    false,
  );
});

Deno.test("the plan of a statement that lists something is that of a SELECT from it", () => {
  assertEquals(explaining("FROM lake"), "EXPLAIN (FORMAT JSON) FROM lake");
  assertEquals(explaining("-- all\nDESCRIBE lake;"), "EXPLAIN (FORMAT JSON) SELECT * FROM (-- all\nDESCRIBE lake\n)");
});
