import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { csvRow } from "../../../../src/core/io/csv/csv_text.ts";
import { findSeparator, type Separator, SEPARATOR_NAMES } from "../../../../src/core/io/csv/separator.ts";

Deno.test("findSeparator() tells semicolons and tabs from commas", async (t) => {
  const cases: Record<string, [head: string, separator: Separator]> = {
    "commas": ["a,b\n1,2\n", ","],
    "semicolons": ["a;b\n1;2\n", ";"],
    "semicolons with decimal commas": ["id;gc;length\na;0,48;12\nb;0,51;13\n", ";"],
    "semicolons, a name with a comma": ["id;city, country\na;Lima, Peru\nb;Cuba\n", ";"],
    "semicolons, a quoted name with commas": ['id;"a,b,c"\nx;"1,2"\n', ";"],
    "tabs": ["a\tb\n1\t2\n", "\t"],
    "tabs, cells with commas and semicolons": ["a\tb\n1, 2; 3\t2\n", "\t"],
    "tabs, a name with a comma": ["strain\tcity, country\tdate\nA\tLima\t2013\n", "\t"],
    "tabs, every cell of a column with a comma": ["strain\tcity, country\tdate\nA\tLima, Peru\t2013\n", "\t"],
    "commas, a name with semicolons": ["id,a; b; c\nx,1; 2\ny,1\n", ","],
    "commas, quoted cells with semicolons and line breaks": ['id,"a;b"\nx,"1;\r\n2;"\n', ","],
    "commas, a name with a tab": ["strain,host\tname,date\nA,bat,2013\n", ","],
    "commas, a ragged row": ["a,b\n1\n2,3\n", ","],
    "commas and semicolons, all rows ragged": ["a,b;c\n1\n2;3,4\n", ","],
    "tabs, a quote that never ends": ['strain\tnote\na\t"so it goes\n', "\t"],
    "tabs, a quote that never ends in the header": ['"strain\tnote\na\tb\n', "\t"],
    "one column": ["Registry Accession\nvj000000000001\n", ","],
    "one column, cells with semicolons": ["Notes\na; b\nc\n", ","],
    "a header alone": ["a;b;c", ";"],
    "a byte order mark, CRLF": ["\uFEFFa;b\r\n1;2\r\n", ";"],
    "a quote that never ends": ['a;b\n1;"2\n', ";"],
    "a quote within a cell": ['disk;size\n5" disk;5\n', ";"],
    "nothing": ["", ","],
  };
  for (const [what, [head, separator]] of Object.entries(cases)) {
    await t.step(what, () => {
      assertEquals(findSeparator(head), separator);
      assertEquals(findSeparator(new TextEncoder().encode(head)), separator);
    });
  }
});

Deno.test("findSeparator() takes every table that is written with commas for one, unless its names hold others", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", "1", ",", ";", "\t", '"', "\n", " ") });
  const table = fc.integer({ min: 2, max: 5 }).chain((width) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 })
  );
  fc.assert(fc.property(table, (cells) => {
    const rows = [cells[0].map((text) => text.replace(/[;\t]/g, "_")), ...cells];
    assertEquals(findSeparator(rows.map((row) => `${csvRow(row)}\n`).join("")), ",");
  }));
});

Deno.test("every separator has a name for messages", () => {
  assertEquals(SEPARATOR_NAMES, { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars" });
});
