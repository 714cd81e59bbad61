import { assert, assertEquals, assertRejects } from "@std/assert";
import { ParseError } from "../../../../src/core/errors.ts";
import { writeDefinitions } from "../../../../src/embedded/service/operations/export_definitions.ts";
import { tableFromDefinitions } from "../../../../src/core/tables/mod.ts";
import { bytesOf } from "../_frames.ts";
import { COUNTRY, LENGTH } from "../_fields.ts";

Deno.test("tableFromDefinitions() reads what the embedded registry writes, in both formats", async (t) => {
  for (const format of ["csv", "json"] as const) {
    await t.step(format, async () => {
      const bytes = await writeDefinitions([LENGTH, COUNTRY], format);
      const table = await tableFromDefinitions(bytes, { format, asked: ["Country", "Sequence Length"] });
      assertEquals(table.definitions, [COUNTRY, LENGTH]);
      assertEquals(table.recognised, { name: "name", alias: "alias", type: "type" });
      assertEquals(table.rows, 2);
      assert(table.ledger.complete);
      assertEquals((await table.frame()).getColumn("name").toArray(), ["Sequence Length", "Country"]);
    });
  }
});

Deno.test("tableFromDefinitions() keeps the digits of integers within lists and objects", async () => {
  const json = '[{"name":"Country","range":{"max":9007199254740993},"example":[-12345678901234567890]}]';
  const table = await tableFromDefinitions(bytesOf(json), { format: "json", asked: ["Country"] });
  assertEquals(table.texts("range"), ['{"max":9007199254740993}']);
  assertEquals(table.definitions[0].example, "[-12345678901234567890]");
});

Deno.test("tableFromDefinitions() refuses what is not a list of definitions", async () => {
  for (const text of ["", "{", "[1]", '{"a": 1}', "<html>"]) {
    await assertRejects(
      () => tableFromDefinitions(bytesOf(text), { format: "json", name: "d.json" }),
      ParseError,
      "d.json",
    );
  }
});
