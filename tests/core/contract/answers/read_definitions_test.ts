import { assertEquals, assertStringIncludes } from "@std/assert";
import { definitionRows } from "../../../../src/core/client/definition_rows.ts";
import { fieldAlias } from "../../../../src/core/contract/fields/field_alias.ts";
import { readDefinitions } from "../../../../src/core/contract/answers/read_definitions.ts";
import { tableFromDefinitions } from "../../../../src/core/tables/mod.ts";
import { testWithRealData } from "../../../_needs.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

Deno.test("definitions are read in every shape that JSON has for them", async (t) => {
  const country = { name: "Country", type: "keyword" };
  const length = { name: "Sequence Length", type: "integer" };
  const shapes: Record<string, unknown> = {
    "an array": [country, length],
    "an array in an object": { total: 2, fields: [country, length] },
    "objects by name": { Country: { type: "keyword" }, "Sequence Length": { type: "integer" } },
    "objects by name in an object": {
      fields: { Country: { type: "keyword" }, "Sequence Length": { type: "integer" } },
    },
    "types by name": { Country: "keyword", "Sequence Length": "integer" },
    "objects by alias, with their names": { country, sequence_length: length },
  };
  for (const [what, shape] of Object.entries(shapes)) {
    await t.step(what, async () => {
      const asked = ["Country", "Sequence Length"];
      const text = `\uFEFF${JSON.stringify(shape)}`;
      const { definitions, ledger } = await tableFromDefinitions(bytesOf(text), { format: "json", asked });
      assertEquals(definitions.map(({ name, type }) => [name, type]), [
        ["Country", "string"],
        ["Sequence Length", "integer"],
      ]);
      assertEquals([ledger.complete, ledger.warnings], [true, []]);
    });
  }
});

Deno.test("definitions have columns of any name, and N/A for what is absent", () => {
  const rows = [
    {
      x_field_id: "sequence_length",
      x_name: "Sequence Length",
      x_fields_type: "integer",
      other_fieldtype: "text",
      x_description: "How long",
      x_example: "N/A",
    },
    {
      x_field_id: "is_reference",
      x_name: "Reference",
      x_fields_type: "boolean",
      other_fieldtype: "combo",
      x_description: "N/A",
      x_example: "true",
    },
    {
      x_field_id: "place",
      x_name: "Place",
      x_fields_type: "geo_point",
      other_fieldtype: "N/A",
      x_description: "",
      x_example: "",
    },
  ];
  const { definitions, recognised, warnings } = readDefinitions(rows, []);
  assertEquals(recognised, { name: "x_name", alias: "x_field_id", type: "x_fields_type" });
  assertEquals(definitions, [
    {
      name: "Sequence Length",
      alias: "sequence_length",
      type: "integer",
      description: "How long",
      unit: "",
      example: "",
    },
    { name: "Reference", alias: "is_reference", type: "boolean", description: "", unit: "", example: "true" },
    { name: "Place", alias: "place", type: "string", description: "", unit: "", example: "" },
  ]);
  assertEquals(warnings, []);
  assertEquals(readDefinitions(rows, ["is_reference"]).definitions.map(({ name }) => name), ["Reference"]);
  assertEquals(readDefinitions(rows.slice(1, 2), ["Reference"]).definitions[0].alias, "is_reference");
});

Deno.test("one unknown type makes one field text", () => {
  const { definitions, entries, warnings, reasons } = readDefinitions([
    { name: "Country", type: "keyword" },
    { name: "Sequence Length", type: "frobnicated" },
    { name: "GC Content", type: "float" },
  ], ["Country", "Sequence Length", "GC Content"]);
  assertEquals(definitions.map(({ type }) => type), ["string", "string", "float"]);
  assertEquals(reasons, []);
  assertStringIncludes(warnings.join(), 'Sequence Length ("frobnicated")');
  assertEquals(entries.map(({ code, count }) => [code, count]), [["types-unknown", 1]]);
});

for (const version of ["1.0", "1.1"]) {
  testWithRealData(
    `readDefinitions() understands the published schema ${version} by its values`,
    async (real) => {
      const path = new URL(`schema/definitions_v${version}.json`, real);
      const published: Record<string, string>[] = JSON.parse(await Deno.readTextFile(path));
      const key = (ending: string) => `vjdbv${version}_${ending}`;
      const types: Record<string, string> = { keyword: "string", text: "string" };
      const expected = published.map((row) => ({
        name: row[key("name")],
        alias: row[key("field_id")],
        type: types[row[key("fields_type")]] ?? row[key("fields_type")],
      }));
      const names = expected.map(({ name }) => name);
      for (const asked of [[], names, expected.map(({ alias }) => alias)]) {
        const { definitions, recognised, missing, reasons, warnings } = readDefinitions(published, asked);
        assertEquals(recognised, { name: key("name"), alias: key("field_id"), type: key("fields_type") });
        assertEquals(definitions.map(({ name, alias, type }) => ({ name, alias, type })), expected);
        assertEquals([missing, reasons, warnings], [[], [], []]);
      }
      // One field, or a few, show less of what the columns are.
      for (const [index, row] of published.entries()) {
        const { definitions } = readDefinitions(definitionRows([row], [names[index]]), [names[index]]);
        assertEquals(definitions.map(({ name, type }) => [name, type]), [[names[index], expected[index].type]]);
        if (fieldAlias(names[index]) === expected[index].alias) {
          assertEquals(definitions[0].alias, expected[index].alias);
        }
      }
    },
  );
}

Deno.test("readDefinitions() recognises columns by their values", async (t) => {
  const asked = ["Country", "Sequence Length"];
  await t.step("other names", () => {
    const { definitions, recognised, missing } = readDefinitions([
      { Public: "Country", Key: "country", Kind: "VARCHAR(20)", Note: "string" },
      { Public: "Sequence Length", Key: "sequence_length", Kind: "bigint", Note: "string" },
    ], [...asked, "Isolate"]);
    assertEquals(recognised, { name: "Public", alias: "Key", type: "Kind" });
    assertEquals(definitions.map(({ name, alias, type }) => [name, alias, type]), [
      ["Country", "country", "string"],
      ["Sequence Length", "sequence_length", "integer"],
    ]);
    assertEquals(missing, ["Isolate"]);
  });
  await t.step("integers beyond 2^53 within a list", () => {
    const { definitions } = readDefinitions([{ name: "Country", example: [9007199254740993n, 1] }], asked);
    assertEquals(definitions[0].example, "[9007199254740993,1]");
  });
  await t.step("no types", () => {
    const { definitions, warnings } = readDefinitions([{ n: "Country", about: "free words" }], ["Country"]);
    assertEquals(definitions[0].type, "string");
    assertEquals(warnings.length, 1);
  });
  await t.step("no names", () => {
    const { definitions, reasons } = readDefinitions([{ a: 1 }], asked);
    assertEquals(definitions.map(({ name, type }) => [name, type]), [["Country", "string"], [
      "Sequence Length",
      "string",
    ]]);
    assertEquals(reasons, ["no column of the definitions has the requested names: every field is treated as text"]);
  });
  await t.step("nothing came", () => assertEquals(readDefinitions([], asked).missing, asked));
});
