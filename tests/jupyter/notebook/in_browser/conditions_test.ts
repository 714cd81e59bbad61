import { assertEquals } from "@std/assert";
import type { CellKind, SentCell } from "../../../../src/jupyter/notebook/in_browser/cells.ts";
import {
  type ColumnCondition,
  countValues,
  describeCondition,
  emptyCondition,
  isActive,
  operatorsOf,
  testOf,
} from "../../../../src/jupyter/notebook/in_browser/conditions.ts";

/** The cells that a filter lets through. */
function passing(kind: CellKind, cells: readonly SentCell[], changes: Partial<ColumnCondition>): SentCell[] {
  const { test, fault } = testOf({ ...emptyCondition(kind), ...changes }, kind);
  assertEquals(fault, "");
  return cells.filter(test);
}

Deno.test("a filter of texts ignores case, and says what it does with null", () => {
  const cells = ["Kenya", "KENYA (north)", "Peru", "", null, ["kenya, and more", 3000] as const];
  const pass = (operator: string, text: string) => passing("text", cells, { operator, text });

  assertEquals(pass("contains", " kenya "), [cells[0], cells[1], cells[5]]);
  assertEquals(pass("lacks", "kenya"), ["Peru", "", null]);
  assertEquals(pass("starts", "pe"), ["Peru"]);
  assertEquals(pass("is", "kenya"), ["Kenya"]);
  assertEquals(pass("null", ""), [null]);
  assertEquals(pass("value", "").length, 5);
  assertEquals(pass("contains", "null"), [], "a null holds no text");
});

Deno.test("a filter of numbers is exact beyond 2^53, and NaN and null pass no comparison", () => {
  const cells = [1, 2.5, 1000, "9007199254740993", "9007199254740992", "NaN", "Infinity", null, -3];
  const pass = (operator: string, text: string, end = "") => passing("number", cells, { operator, text, end });

  assertEquals(pass("range", "2.5", "1000"), [2.5, 1000]);
  assertEquals(pass("range", "", "1"), [1, -3]);
  assertEquals(pass("range", "1000"), [1000, "9007199254740993", "9007199254740992", "Infinity"]);
  assertEquals(pass("=", "9007199254740993"), ["9007199254740993"]);
  assertEquals(pass("<", "1"), [-3]);
  assertEquals(pass("≤", "1"), [1, -3]);
  assertEquals(pass(">", "9007199254740992"), ["9007199254740993", "Infinity"]);
  assertEquals(pass("≥", "+1e3").length, 4);
  assertEquals(pass("≠", "1"), cells.slice(1));
  assertEquals(pass("≠", ""), cells, "nothing typed filters nothing");
});

Deno.test("a filter of days compares as far as the day is written", () => {
  const cells = ["2013-05-02", "2013-12-31", "2014-01-01", "2013", null, "2013-05-02T10:00:00.000Z"];
  const pass = (operator: string, text: string, end = "") => passing("date", cells, { operator, text, end });

  assertEquals(pass("=", "2013-05"), ["2013-05-02", "2013-05-02T10:00:00.000Z"]);
  assertEquals(pass("range", "2013", "2013"), ["2013-05-02", "2013-12-31", "2013", "2013-05-02T10:00:00.000Z"]);
  assertEquals(pass(">", "2013"), ["2014-01-01"]);
  assertEquals(pass("<", "2013-06-01"), ["2013-05-02", "2013-05-02T10:00:00.000Z"]);
});

Deno.test("a partial date matches what it lies within, however it is written", () => {
  const cells = ["2015", "2015-XX-XX", "2015-12", "2015-12-XX", "2016-02-XX", "2015-12-15"];
  const pass = (operator: string, text: string, end = "") => passing("date", cells, { operator, text, end });

  assertEquals(pass("range", "2015-12-01", "2015-12-31"), ["2015-12", "2015-12-XX", "2015-12-15"]);
  assertEquals(pass("range", "2015-01-01", "2016-02-29"), cells);
  assertEquals(pass("range", "2015-12", "2016-01"), ["2015-12", "2015-12-XX", "2015-12-15"]);
  assertEquals(pass("range", "2016-02-01", "2016-02-28"), []);
  assertEquals([pass(">", "2015-12-15"), pass("<", "2015-12-15")], [["2016-02-XX"], []]);
  assertEquals([pass("≥", "2015-12-01"), pass("≤", "2015-12-31")], [cells.slice(2), [...cells.slice(0, 4), cells[5]]]);
  assertEquals([pass("=", "2015-12"), pass("=", "2015-12-15")], [["2015-12", "2015-12-XX", "2015-12-15"], [cells[5]]]);
});

Deno.test("what is not a number or day is a fault, and lets every row pass", () => {
  for (const text of ["1,000", "1.2.3", "ten", "0x10", "--1", "1 000", "∞"]) {
    const { test, fault } = testOf({ ...emptyCondition("number"), operator: ">", text }, "number");
    assertEquals([fault, test(1)], [`"${text}" is not a number: write 1500 or 0.25`, true]);
  }
  for (const text of ["May", "5/2013", "2013-5", "2013-05-"]) {
    const { test, fault } = testOf({ ...emptyCondition("date"), end: text }, "date");
    assertEquals([fault, test("2013")], [`"${text}" is not a day: write 2013, 2013-05 or 2013-05-31`, true]);
  }
});

Deno.test("values are counted, chosen apart by type, and combined with a comparison", () => {
  const cells: SentCell[] = ["1", "1", "2", null, "null", ["1", 500]];

  assertEquals(countValues(cells, [0, 1, 2, 3, 4, 5])[0], { cell: "1", count: 2 });
  assertEquals(countValues(cells, [0, 1, 2, 3, 4, 5]).length, 5, "a null is not a text, a cut text not its beginning");
  assertEquals(passing("text", cells, { chosen: [null, "2"] }), ["2", null]);
  assertEquals(passing("text", cells, { chosen: ["1", "2"], operator: "is", text: "2" }), ["2"]);
  assertEquals(passing("number", [1, 2, null], { chosen: [1, null], operator: "range", text: "1" }), [1]);
});

Deno.test("a filter is described in words, and is off when it holds nothing back", () => {
  const say = (kind: CellKind, changes: Partial<ColumnCondition>) =>
    describeCondition({ ...emptyCondition(kind), ...changes }, kind);

  assertEquals(say("text", { text: "ken" }), 'contains "ken"');
  assertEquals(say("text", { text: "ken", operator: "lacks" }), 'does not contain "ken"');
  assertEquals(say("number", { text: "10", end: "20" }), "from 10 to 20");
  assertEquals(say("number", { text: "10", operator: "≥" }), "≥ 10");
  assertEquals(say("text", { chosen: ["a", null, "b", "c", "d"] }), "a, null, b and 2 more");
  assertEquals(say("date", { operator: "null" }), "is null");
  for (const kind of ["text", "number", "date", "sequence"] as const) {
    assertEquals(isActive(emptyCondition(kind)), false);
    for (const [operator] of operatorsOf(kind)) {
      const isAlone = operator === "null" || operator === "value";
      assertEquals(isActive({ ...emptyCondition(kind), operator, end: " " }), isAlone);
    }
  }
});
