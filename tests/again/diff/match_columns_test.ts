import { assertEquals, assertThrows } from "@std/assert";
import { describeColumns, matchColumns } from "../../../src/again/diff/match_columns.ts";
import { pairByWords } from "../../../src/again/diff/propose_renames.ts";

Deno.test("matchColumns() finds the smallest set of moved columns", () => {
  assertEquals(matchColumns(["a", "b", "c", "d"], ["d", "a", "b", "c"]).moved, ["d"]);
  assertEquals(matchColumns(["a", "b", "c"], ["a", "x", "b", "c"]).moved, []);
});

Deno.test("matchColumns() compares a renamed column under both names", () => {
  const matched = matchColumns(["id", "old"], ["id", "new"], { rename: { old: "new" } });
  assertEquals(matched.compared, [["id", "id"], ["old", "new"]]);
  assertEquals(describeColumns(matched, []).renamed, [["old", "new"]]);
});

Deno.test("matchColumns() refuses one new name for two columns", () => {
  const rename = { a: "c", b: "c" };
  assertThrows(() => matchColumns(["id", "a", "b"], ["id", "c"], { rename }), RangeError, 'with "c": leave one');
});

Deno.test("matchColumns() names the nearest column of a wrong name", () => {
  assertThrows(
    () => matchColumns(["id", "Country"], ["id", "Country"], { fields: ["Contry"] }),
    RangeError,
    'did you mean "Country"?',
  );
});

Deno.test("describeColumns() proposes names with the same words, and leaves ambiguous ones alone", () => {
  const columns = describeColumns(matchColumns(["id", "Host Age", "x"], ["id", "age_host", "y"]), [["x", "y"]]);
  assertEquals(columns.proposed, [["Host Age", "age_host"], ["x", "y"]]);
  assertEquals([columns.added, columns.removed], [[], []]);
  assertEquals(pairByWords(["a b"], ["b a", "B-A"]), []);
  assertEquals(pairByWords(["bv_brc_host", "exemplar"], ["host_bvbrc", "is_exemplar"]), [
    ["bv_brc_host", "host_bvbrc"],
    ["exemplar", "is_exemplar"],
  ]);
});
