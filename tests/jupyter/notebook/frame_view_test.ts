import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { viewOf } from "../../../src/jupyter/notebook/show.ts";
import { checkBundle } from "./_views.ts";

Deno.test("a polars frame is shown with its types, big integers exact", async () => {
  const { default: pl } = await import("nodejs-polars");
  const frame = pl.DataFrame([
    pl.Series("name", ["a", null]),
    pl.Series("count", ["1152921504606846976", "7"]).cast(pl.Int64),
    pl.Series("day", [new Date("1874-12-08T00:00:00Z"), null]),
    pl.Series("parts", [["x", "y"], []]),
    pl.DataFrame({ a: [1, 2], b: ["<b>", "y"] }).toStruct("pair"),
  ]);
  const view = await viewOf(frame, "counts");

  for (
    const text of [
      "counts: 2 rows × 5 columns",
      "1152921504606846976",
      "1874-12-08",
      "List(String)",
      "Struct",
      '["x","y"]',
    ]
  ) {
    assertStringIncludes(view["text/plain"], text);
  }
  checkBundle(view);
});

Deno.test("integers within lists are shown exactly", async () => {
  const { default: pl } = await import("nodejs-polars");
  const texts = pl.DataFrame([pl.Series("ids", [["1152921504606846977", "7", null], []], pl.List(pl.String))]);
  const view = await viewOf(texts.select(pl.col("ids").cast(pl.List(pl.Int64))));

  for (const text of ["[1152921504606846977,7,null]", "[]", "List(Int64)"]) {
    assertStringIncludes(view["text/plain"], text);
  }
});

Deno.test("a column of days shows days, one of instants the time too", async () => {
  const { default: pl } = await import("nodejs-polars");
  const frame = pl.DataFrame([pl.Series("at", [new Date("2013-12-08T10:30:00Z")])]);
  const view = await viewOf(frame.withColumns(pl.col("at").cast(pl.Date).alias("day")));

  assertStringIncludes(view["text/plain"], "2013-12-08T10:30:00.000Z");
  assertMatch(view["text/plain"], /2013-12-08\s*$/m);
});

Deno.test("times of nanoseconds and microseconds are shown exactly, before 1970 too", async () => {
  const { default: pl } = await import("nodejs-polars");
  const cases: readonly (readonly [unit: "ns" | "us" | "ms", number: string, shown: string])[] = [
    ["ns", "1577934245678999999", "2020-01-02T03:04:05.678999999Z"],
    ["ns", "1577934245679000000", "2020-01-02T03:04:05.679Z"],
    ["ns", "-1", "1969-12-31T23:59:59.999999999Z"],
    ["us", "-1", "1969-12-31T23:59:59.999999Z"],
    ["us", "1577934245678000", "2020-01-02T03:04:05.678Z"],
    ["ms", "1577934245678", "2020-01-02T03:04:05.678Z"],
  ];
  for (const [unit, number, shown] of cases) {
    const numbers = pl.DataFrame([pl.Series("t", [number, null], pl.String)]).select(pl.col("t").cast(pl.Int64));
    const view = await viewOf(numbers.select(pl.col("t").cast(pl.Datetime(unit))));
    assertStringIncludes(view["text/plain"], shown, unit);
  }
});

Deno.test("a frame without rows or without columns still says what it is", async () => {
  const { default: pl } = await import("nodejs-polars");

  assertStringIncludes((await viewOf(pl.DataFrame({ a: [1] }).head(0)))["text/plain"], "frame: 0 rows × 1 column");
  assertStringIncludes((await viewOf(pl.DataFrame({})))["text/plain"], "frame: 0 rows × 0 columns");
});

Deno.test("a frame of nested columns is shown, though polars gives no rows of it", async () => {
  const { default: pl } = await import("nodejs-polars");
  const view = await viewOf(pl.DataFrame({ big: [2n ** 60n], part: [{ a: 1, b: ["<b>"] }] }));

  assertStringIncludes(view["text/plain"], "1152921504606846976");
  assertStringIncludes(view["text/plain"], '{"a":1,"b":["<b>"]}');
  checkBundle(view);
});

Deno.test("a frame of which not all rows are sent says how to see them; one that is whole does not", async () => {
  const { default: pl } = await import("nodejs-polars");
  const words = Array.from({ length: 100_500 }, (_, row) => (row * 2654435761 % 2 ** 32).toString(36).repeat(3));
  const long = await viewOf(pl.DataFrame({ word: words }), "words");
  const short = await viewOf(pl.DataFrame({ word: words.slice(0, 10) }), "words");

  assertStringIncludes(long["text/html"] ?? "", "await live(frame) shows all rows");
  assertEquals(short["text/html"]?.includes("await live("), false);
});
