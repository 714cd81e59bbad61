import { assertEquals } from "@std/assert";
import { csvRow, tsvRow } from "../../../../src/core/io/csv/csv_text.ts";

Deno.test("csvRow() quotes what would be read as something else, and a row of one empty cell", () => {
  const rows: [cells: string[], text: string][] = [
    [["a", "b c", "=1"], "a,b c,=1"],
    [["a,b", 'c"d', "e\nf", "g\rh"], '"a,b","c""d","e\nf","g\rh"'],
    [[""], '""'],
    [["", ""], ","],
    [["a"], "a"],
    [[], ""],
  ];
  for (const [cells, text] of rows) assertEquals(csvRow(cells), text);
});

Deno.test("tsvRow() writes tabs, line ends and backslashes in two characters", () => {
  assertEquals(tsvRow(["a\tb", "c\nd", "e\rf", "g\\h", "", "i"]), "a\\tb\tc\\nd\te\\rf\tg\\\\h\t\ti");
});
