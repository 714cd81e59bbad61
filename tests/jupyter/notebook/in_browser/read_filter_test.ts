/** What a person writes into a filter. */
import { assert, assertEquals } from "@std/assert";
import { readFilter } from "../../../../src/jupyter/notebook/in_browser/read_filter.ts";

Deno.test("numbers, dates and texts are read as they are written", () => {
  const cases: [text: string, kind: "number" | "date" | "text", rule: unknown][] = [
    ["10..20", "number", { kind: "range", min: "10", max: "20" }],
    [" -1.5 .. 2e3 ", "number", { kind: "range", min: "-1.5", max: "2e3" }],
    ["10..", "number", { kind: "range", min: "10" }],
    ["..20", "number", { kind: "range", max: "20" }],
    [">5", "number", { kind: "range", min: "5", above: true }],
    [">= 5", "number", { kind: "range", min: "5" }],
    ["<=5", "number", { kind: "range", max: "5" }],
    ["<5", "number", { kind: "range", max: "5", below: true }],
    ["=5", "number", { kind: "range", min: "5", max: "5" }],
    ["12,345", "number", { kind: "range", min: "12345", max: "12345" }],
    ["2016", "date", { kind: "range", min: "2016", max: "2016" }],
    ["2016-01..2016-03", "date", { kind: "range", min: "2016-01", max: "2016-03" }],
    [">2016-02-29", "date", { kind: "range", min: "2016-02-29", above: true }],
    [" kenya ", "text", { kind: "holds", text: "kenya" }],
    ["10..20", "text", { kind: "holds", text: "10..20" }],
    ["=Kenya ", "text", { kind: "is", text: "Kenya " }],
    ["=", "text", { kind: "is", text: "" }],
    ["missing", "number", { kind: "missing" }],
    ["present", "text", { kind: "present" }],
    ["=missing", "text", { kind: "is", text: "missing" }],
    ["!kenya", "text", { kind: "holds", text: "kenya", not: true }],
    ["! =Kenya", "text", { kind: "is", text: "Kenya", not: true }],
    ["!10..20", "number", { kind: "range", min: "10", max: "20", not: true }],
    ["!missing", "date", { kind: "missing", not: true }],
    ["! !missing", "date", { kind: "missing" }],
    [`${"!".repeat(99_999)}x`, "text", { kind: "holds", text: "x", not: true }],
    ["=!x", "text", { kind: "is", text: "!x" }],
    ["!", "text", undefined],
    ["  ", "text", undefined],
  ];
  for (const [text, kind, rule] of cases) {
    const read: unknown = readFilter(text, kind);
    assertEquals(read, rule === undefined ? {} : { rule }, text);
  }
});

Deno.test("what cannot be read says what can", () => {
  for (const [text, kind] of [["many", "number"], ["1..x", "number"], ["..", "number"], [">", "number"]] as const) {
    assert(readFilter(text, kind).fault?.includes("write 12, 10..20"), text);
  }
  for (const text of ["2016-13", "2016-02-30", "16", "May 2016", "2016-01..soon"]) {
    assert(readFilter(text, "date").fault?.includes("write 2016, 2016-03"), text);
  }
});
