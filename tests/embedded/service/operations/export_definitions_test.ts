import { assertEquals } from "@std/assert";
import { readWorkbookTable } from "../../../../src/core/io/workbook/workbook_table.ts";
import { writeDefinitions } from "../../../../src/embedded/service/operations/export_definitions.ts";

Deno.test("writeDefinitions() escapes what a format cannot hold", async () => {
  const definition = {
    name: 'a,"b"',
    alias: "a_b",
    type: "string",
    description: "\u0000x",
    unit: "",
    example: "=1",
  } as const;
  const decoder = new TextDecoder();
  assertEquals(
    decoder.decode(await writeDefinitions([definition], "csv")),
    'name,alias,type,description,unit,example\n"a,""b""",a_b,string,\u0000x,,=1\n',
  );
  assertEquals(JSON.parse(decoder.decode(await writeDefinitions([definition], "json"))), [definition]);
  assertEquals(decoder.decode((await writeDefinitions([definition], "xlsx")).subarray(0, 2)), "PK");
});

Deno.test("a workbook of definitions gives back every text", async () => {
  const texts = [
    ...["a\rb\r\nc\nd", "_x0041_", "_x000d_x0042_", "\0\x1f\x7f\x85\t", "\ufffd \ufffe \ufdd0 \u{1fffe}", " a "],
    ...["constructor", "__proto__", "toString", "=1", "<&>", "\u{1f9ec}"],
  ];
  const definitions = texts.map((text, index) => {
    const name = `field ${index}`;
    return { name, alias: text, type: "string", description: text, unit: "", example: `${text}.` } as const;
  });
  const { table } = await readWorkbookTable(await writeDefinitions(definitions, "xlsx"), { name: "definitions.xlsx" });
  const cell = (row: readonly string[], column: string) => row[table.columns.indexOf(column)];
  assertEquals(table.rows.map((row) => cell(row, "description")), texts);
  assertEquals(table.rows.map((row) => cell(row, "alias")), texts);
  assertEquals(table.rows.map((row) => cell(row, "example")), texts.map((text) => `${text}.`));
});
