import { assertEquals } from "@std/assert";
import type { CellKind, SentCell } from "../../../../src/jupyter/notebook/in_browser/cells.ts";
import {
  type ColumnCondition,
  countValues,
  describeCondition,
  isActive,
  testOf,
} from "../../../../src/jupyter/notebook/in_browser/conditions.ts";

/** The cells that a filter lets through. */
function passing(kind: CellKind, cells: readonly SentCell[], changes: Partial<ColumnCondition>): SentCell[] {
  const { test, fault } = testOf({ text: "", chosen: [], ...changes }, kind);
  assertEquals(fault, "");
  return cells.filter(test);
}

Deno.test("a filter of texts ignores case, and null is neither a text nor its negation", () => {
  const cells = ["Kenya", "KENYA (north)", "Peru", "", null, ["kenya, and more", 3000] as const];
  const pass = (text: string) => passing("text", cells, { text });

  assertEquals(pass(" kenya "), [cells[0], cells[1], cells[5]]);
  assertEquals(pass("!kenya"), ["Peru", "", null]);
  assertEquals(pass("! kenya"), ["Peru", "", null]);
  assertEquals(pass("=Kenya"), ["Kenya"]);
  assertEquals(pass("=kenya"), [], "exactly");
  assertEquals(pass("!=Kenya"), cells.slice(1));
  assertEquals(pass("="), [""]);
  assertEquals(pass("missing"), [null]);
  assertEquals(pass("present").length, 5);
  assertEquals([pass("!missing").length, pass("!!missing")], [5, [null]]);
  assertEquals(pass("null"), [], "a null holds no text");
  assertEquals(pass("!"), cells, "nothing is negated");
});

Deno.test("a filter of numbers is exact beyond 2^53, and NaN and null pass no comparison", () => {
  const cells = [1, 2.5, 1000, "9007199254740993", "9007199254740992", "NaN", "Infinity", null, -3];
  const pass = (text: string) => passing("number", cells, { text });

  assertEquals(pass("2.5..1000"), [2.5, 1000]);
  assertEquals(pass("..1"), [1, -3]);
  assertEquals(pass("1000.."), [1000, "9007199254740993", "9007199254740992", "Infinity"]);
  assertEquals(pass("9007199254740993"), ["9007199254740993"]);
  assertEquals(pass("<1"), [-3]);
  assertEquals(pass("≤1"), [1, -3]);
  assertEquals(pass(">9007199254740992"), ["9007199254740993", "Infinity"]);
  assertEquals(pass("≥ +1e3").length, 4);
  assertEquals(pass("1,000"), [1000]);
  assertEquals(pass("!1"), cells.slice(1));
  assertEquals(pass("!>1"), [1, "NaN", null, -3]);
});

Deno.test("a filter of days compares as far as the day is written", () => {
  const cells = ["2013-05-02", "2013-12-31", "2014-01-01", "2013", null, "2013-05-02T10:00:00.000Z"];
  const pass = (text: string) => passing("date", cells, { text });

  assertEquals(pass("2013-05"), ["2013-05-02", "2013-05-02T10:00:00.000Z"]);
  assertEquals(pass("2013..2013"), ["2013-05-02", "2013-12-31", "2013", "2013-05-02T10:00:00.000Z"]);
  assertEquals(pass(">2013"), ["2014-01-01"]);
  assertEquals(pass("<2013-06-01"), ["2013-05-02", "2013-05-02T10:00:00.000Z"]);
});

Deno.test("a partial date matches what it lies within, however it is written", () => {
  const cells = ["2015", "2015-XX-XX", "2015-12", "2015-12-XX", "2016-02-XX", "2015-12-15"];
  const pass = (text: string) => passing("date", cells, { text });

  assertEquals(pass("2015-12-01..2015-12-31"), ["2015-12", "2015-12-XX", "2015-12-15"]);
  assertEquals(pass("2015-01-01..2016-02-29"), cells);
  assertEquals(pass("2015-12..2016-01"), ["2015-12", "2015-12-XX", "2015-12-15"]);
  assertEquals(pass("2016-02-01..2016-02-28"), []);
  assertEquals([pass(">2015-12-15"), pass("<2015-12-15")], [["2016-02-XX"], []]);
  assertEquals([pass(">=2015-12-01"), pass("<=2015-12-31")], [cells.slice(2), [...cells.slice(0, 4), cells[5]]]);
  assertEquals([pass("2015-12"), pass("=2015-12-15")], [["2015-12", "2015-12-XX", "2015-12-15"], [cells[5]]]);
});

Deno.test("what is not a number or day is a fault, and lets every row pass", () => {
  for (
    const [kind, text] of [["number", ">ten"], ["number", "0x10"], ["number", "!--1"], ["date", "2013-5"]] as const
  ) {
    const { test, fault } = testOf({ text, chosen: [] }, kind);
    assertEquals([fault.startsWith(`"${text.replace("!", "")}" is not a`), test("2013")], [true, true]);
  }
});

Deno.test("values are counted, chosen apart by type, and combined with a comparison", () => {
  const cells: SentCell[] = ["1", "1", "2", null, "null", ["1", 500]];

  assertEquals(countValues(cells, [0, 1, 2, 3, 4, 5])[0], { cell: "1", count: 2 });
  assertEquals(countValues(cells, [0, 1, 2, 3, 4, 5]).length, 5, "a null is not a text, a cut text not its beginning");
  assertEquals(passing("text", cells, { chosen: [null, "2"] }), ["2", null]);
  assertEquals(passing("text", cells, { chosen: ["1", "2"], text: "=2" }), ["2"]);
  assertEquals(passing("number", [1, 2, null], { chosen: [1, null], text: "1.." }), [1]);
});

Deno.test("a filter is described as it was written, and is off when it holds nothing back", () => {
  const say = (changes: Partial<ColumnCondition>) => describeCondition({ text: "", chosen: [], ...changes });

  assertEquals(say({ text: " !ken " }), "!ken");
  assertEquals(say({ chosen: ["a", null, "b", "c", "d"] }), "a, null, b and 2 more");
  assertEquals(say({ text: "10..20", chosen: [12] }), "10..20; 12");
  assertEquals([{ text: " ", chosen: [] }, { text: "x", chosen: [] }, { text: "", chosen: [null] }].map(isActive), [
    false,
    true,
    true,
  ]);
});
