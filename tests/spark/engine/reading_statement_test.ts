/** A lake on Spark is only read. */
import { assertEquals, assertThrows } from "@std/assert";
import { probeOf } from "../../../src/spark/engine/_reading_statement.ts";

Deno.test("probeOf() lets reading statements pass, and has Spark parse what may write", () => {
  for (const text of ["SELECT 1", " -- a\n(select 1)", "/* b */ VALUES (1)", "DESCRIBE lake", "show tables"]) {
    assertEquals(probeOf(text), undefined, text);
  }
  assertEquals(
    probeOf("WITH a AS (SELECT 1) SELECT 2 --"),
    "SELECT * FROM (WITH a AS (SELECT 1) SELECT 2 --\n) LIMIT 0",
  );
  assertEquals(probeOf("WITH a AS (SELECT 1) FROM a; \n"), "SELECT * FROM (WITH a AS (SELECT 1) FROM a\n) LIMIT 0");
  assertEquals(probeOf("FROM lake INSERT INTO t SELECT 1")?.startsWith("SELECT * FROM (FROM"), true);
  for (
    const text of ["DROP VIEW lake", "INSERT INTO t VALUES (1)", "SET a = 1", "", "CREATE TABLE t (a INT)", "selected"]
  ) {
    assertThrows(() => probeOf(text), TypeError, "a lake is only read");
  }
});
