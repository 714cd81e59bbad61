import { assertEquals } from "@std/assert";
import type { CellKind, SentCell } from "../../../../src/jupyter/notebook/in_browser/cells.ts";
import { describeRows, findRows, type TableState } from "../../../../src/jupyter/notebook/in_browser/find_rows.ts";

const KINDS: CellKind[] = ["text", "number"];
const COLUMNS: SentCell[][] = [["b", "a", null, "B", "c"], [10, null, "9007199254740993", 2, "NaN"]];

function stateOf(changes: Partial<TableState> = {}): TableState {
  return {
    words: "",
    conditions: new Map(),
    sorted: -1,
    direction: 1,
    shown: [0, 1],
    pinned: -1,
    page: 0,
    pageRows: 20,
    ...changes,
  };
}

const find = (changes: Partial<TableState>) => findRows(COLUMNS, { count: 5, kinds: KINDS }, stateOf(changes));

Deno.test("rows come in order, null and NaN last in both directions", () => {
  assertEquals(find({}), [0, 1, 2, 3, 4]);
  assertEquals(find({ sorted: 1 }), [3, 0, 2, 1, 4]);
  assertEquals(find({ sorted: 1, direction: -1 }), [2, 0, 3, 1, 4]);
  assertEquals(find({ sorted: 0 }), [3, 1, 0, 4, 2]);
});

Deno.test("filters of columns and of the table all have to pass; hidden columns are not searched", () => {
  const conditions = new Map([[1, { text: "2..", chosen: [] }]]);

  assertEquals(find({ conditions }), [0, 2, 3]);
  assertEquals(find({ conditions, words: "b" }), [0, 3]);
  assertEquals(find({ words: "10" }), [0]);
  assertEquals(find({ words: "10", shown: [0] }), []);
});

Deno.test("a table says how many rows of how many, which page, and what filters do not reach", () => {
  const say = (found: number, count: number, limits = "", changes: Partial<TableState> = {}) =>
    describeRows(found, { count, limits }, stateOf(changes));

  assertEquals(say(5000, 5000), "5,000 rows, page 1 of 250");
  assertEquals(say(75, 5000, "", { page: 3 }), "75 of 5,000 rows, page 4 of 4");
  assertEquals(say(7, 5000), "7 of 5,000 rows");
  assertEquals(say(0, 1), "0 of 1 row");
  assertEquals(
    say(7, 1000, "only the first 1,000 of 15,000 rows are searched"),
    "7 of 1,000 rows; only the first 1,000 of 15,000 rows are searched",
  );
});
