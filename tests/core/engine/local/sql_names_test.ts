/** Names that SQL tells apart. */
import { assertEquals } from "@std/assert";
import { namedColumns, sqlNames } from "../../../../src/core/engine/local/sql_names.ts";

Deno.test("names that differ in case alone have numbers in SQL, free ones", () => {
  const cases: readonly (readonly [names: string[], sql: string[]])[] = [
    [["Country", "Host"], ["Country", "Host"]],
    [["Country", "country"], ["Country", "country_2"]],
    [["a", "A", "a_2", "A_3", "á", "Á"], ["a", "A_4", "a_2", "A_3", "á", "Á"]],
    [["id", "ID", "Id", "iD"], ["id", "ID_2", "Id_3", "iD_4"]],
    [["A_2", "a", "A", "a_2"], ["A_2", "a", "A_3", "a_2_2"]],
  ];
  for (const [names, sql] of cases) assertEquals(sqlNames(names), sql);
});

Deno.test("only columns that need other names are named by their place", () => {
  assertEquals(namedColumns("f()", ["a", "b"]), "f()");
  assertEquals(namedColumns("f()", ['"', "a", "A"]), 'f() AS files("""", "a", "A_2")');
  assertEquals(namedColumns("f()", ["a", "A"], ["a_2", "A"]), 'f() AS files("a_2", "A")');
});
