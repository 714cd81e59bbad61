import { assertStrictEquals } from "@std/assert";
import * as tables from "../../../../src/core/tables/mod.ts";

Deno.test("older names of makers of tables are those that took their place", () => {
  assertStrictEquals(tables.accessionsTable, tables.tableFromAccessions);
  assertStrictEquals(tables.archiveTable, tables.tableFromArchive);
  assertStrictEquals(tables.definitionsTable, tables.tableFromDefinitions);
  assertStrictEquals(tables.fastaTable, tables.tableFromFasta);
});
