/** Which rows above a table are titles. */
import { assertEquals } from "@std/assert";
import { isTitle } from "../../../../src/core/io/csv/titles.ts";

Deno.test("isTitle() tells titles from a header with data by the rows below", async (t) => {
  const cases: Record<string, [cells: number, below: number[], isTitle: boolean]> = {
    "a title": [1, [4, 4], true],
    "a title and a date": [1, [2, 4, 2, 1], true],
    "a title above a header without data": [1, [4], true],
    "pairs above a table": [2, [2, 2, 6, 6, 6], true],
    "a description above cells that are mostly empty": [1, [1, 1, 1, 8, 2, 2], true],
    "a header": [3, [6, 6], false],
    "a header of two columns": [2, [2, 2, 3], false],
    "a header of two columns above a wider row": [2, [2, 2, 2, 2, 2, 4], false],
    "a header of two columns, a wider row among its data": [2, [2, 2, 2, 2, 2, 4, 2, 2], false],
    "a list above a wider row": [1, [1, 1, 1, 4, 1], false],
    "a single row": [1, [], false],
  };
  for (const [what, [cells, below, expected]] of Object.entries(cases)) {
    await t.step(what, () => assertEquals(isTitle(cells, below), expected));
  }
});
