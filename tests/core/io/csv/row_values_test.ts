/** What of a row is a value. */
import { assertEquals } from "@std/assert";
import { cellsOfWidth, hasNoValue } from "../../../../src/core/io/csv/row_values.ts";

Deno.test("hasNoValue() takes empty cells and white space for nothing, but not the one empty cell of a row", () => {
  const cases: [cells: string[], nothing: boolean][] = [
    [["", ""], true],
    [[" ", "\t", "\r\n"], true],
    [["    "], true],
    [[""], false],
    [["", "a"], false],
    [["NA"], false],
  ];
  for (const [cells, nothing] of cases) assertEquals(hasNoValue(cells), nothing, JSON.stringify(cells));
});

Deno.test("cellsOfWidth() leaves out cells without a value beyond the header, and nothing else", () => {
  assertEquals(cellsOfWidth(["a", "b"], 2), ["a", "b"]);
  assertEquals(cellsOfWidth(["a", "b", "", " "], 2), ["a", "b"]);
  assertEquals(cellsOfWidth(["a", "", ""], 2), ["a", ""]);
  assertEquals(cellsOfWidth(["a", "b", "", "c"], 2), undefined);
  assertEquals(cellsOfWidth(["a"], 2), undefined);
});
