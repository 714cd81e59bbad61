/** What a chart is where its caller said nothing: room, ticks, colours, legend, and notes in place of warnings. */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import pl from "nodejs-polars";
import { CATEGORY_COLOURS, chart, SEQUENCE_COLOURS } from "../../../src/analysis/mod.ts";
import { textWidth } from "../../../src/analysis/chart/_text_width.ts";
import { SERIES_COLOURS } from "../../../src/analysis/chart/palette.ts";

const META = { title: "Records", description: "Records.", source: { n: 1, records: "all" } } as const;
const COUNTRIES = ["Bosnia and Herzegovina", "Saint Vincent and the Grenadines", "Kenya", "Chad", "Peru", "Fiji"];

function rowsOf(names: readonly string[]) {
  return names.map((name, index) => ({ name, n: (index * 7) % 11 + 1 }));
}

/** Lines of the labels of an axis, and where they are anchored. */
function ticks(svg: string, axis: string): { lines: string[]; x: number; y: number }[] {
  const groups = svg.split("<g data-mark=").filter((group) => group.startsWith(`"${axis}-axis tick label"`));
  return groups.flatMap((inside) =>
    [...inside.matchAll(/<text[^>]*translate\(([-0-9.]+),([-0-9.]+)\)[^>]*>(.*?)<\/text>/g)].map(([, x, y, text]) => ({
      lines: text.includes("<tspan") ? [...text.matchAll(/<tspan[^>]*>([^<]*)</g)].map(([, line]) => line) : [text],
      x: Number(x),
      y: Number(y),
    }))
  );
}

function texts(svg: string, axis: string): string[] {
  return ticks(svg, axis).map(({ lines }) => lines.join(" "));
}

function legend(svg: string): [label: string, colour: string][] {
  const above = svg.slice(0, svg.indexOf('class="seqreg-plot"'));
  return [...above.matchAll(/<rect [^>]*fill="([^"]*)"[^>]*><text[^>]*>([^<]*)</g)].map((
    [, colour, label],
  ) => [label, colour]);
}

Deno.test("names below an axis are broken into lines, or lean, so that none is on another", async () => {
  const few = await chart((plot) => ({ marks: [plot.barY(rowsOf(COUNTRIES), { x: "name", y: "n" })] }), META);
  const placed = ticks(few.svg, "x").sort((a, b) => a.x - b.x);
  assertEquals(placed.map(({ lines }) => lines.join(" ")), [...COUNTRIES].sort());
  assert(placed.some(({ lines }) => lines.length > 1));
  for (const [index, { lines, x }] of placed.slice(1).entries()) {
    const half = (texts: readonly string[]) => Math.max(...texts.map((text) => textWidth(text, 12))) / 2;
    assert(x - half(lines) > placed[index].x + half(placed[index].lines), lines.join("|"));
  }

  const more = Array.from({ length: 30 }, (_, index) => `Family number ${index}`);
  const leaning = await chart((plot) => ({ marks: [plot.barY(rowsOf(more), { x: "name", y: "n" })] }), META);
  assertEquals(texts(leaning.svg, "x").length, 30);
  assertStringIncludes(leaning.svg, "rotate(-45)");
  assertEquals(leaning.notes, []);
});

Deno.test("where names have no room some are left out, and a note says so", async () => {
  const names = Array.from({ length: 300 }, (_, index) => `Species ${index}`);
  const below = await chart((plot) => ({ marks: [plot.barY(rowsOf(names), { x: "name", y: "n" })] }), META);
  assertEquals(below.notes, ["Of 300 names on the x axis one in 7 is written"]);
  assertEquals(texts(below.svg, "x").length, 43);
  const bars = await chart((plot) => ({ marks: [plot.barX(rowsOf(names), { y: "name", x: "n" })] }), META);
  assertEquals(bars.notes, ["Of 300 names on the y axis one in 3 is written"]);

  const days = names.map((_, index) => new Date(Date.UTC(2021, 0, 1 + index)).toISOString().slice(0, 10));
  const dates = await chart((plot) => ({ marks: [plot.lineY(rowsOf(days), { x: "name", y: "n" })] }), META);
  assertEquals(dates.notes.length, 1, "days that are left out need no note");
});

Deno.test("rows with names are high enough for all of them", async () => {
  const names = Array.from({ length: 150 }, (_, index) => `Species ${index}`);
  const { svg, notes } = await chart((plot) => ({ marks: [plot.barX(rowsOf(names), { y: "name", x: "n" })] }), META);
  const places = ticks(svg, "y").map(({ y }) => y).sort((a, b) => a - b);
  assertEquals(places.length, 150);
  for (const [index, y] of places.slice(1).entries()) assert(y - places[index] >= 12, `${y - places[index]}`);
  assertEquals(notes, []);
});

Deno.test("what the caller chose stays", async () => {
  const rows = rowsOf(Array.from({ length: 30 }, (_, index) => `Family number ${index}`));
  const { svg } = await chart((plot) => ({
    height: 200,
    marginLeft: 80,
    x: { tickRotate: -90 },
    color: { range: ["#123456"] },
    marks: [plot.barY(rows, { x: "name", y: "n", fill: () => "one" })],
  }), META);
  assertStringIncludes(svg, "rotate(-90)");
  assertStringIncludes(svg, `fill="#123456"`);
  assertStringIncludes(svg, `viewBox="0 0 720 200"`);
  assertEquals(texts(svg, "x").length, 30);
});

Deno.test("names of facets are broken into lines", async () => {
  const rows = COUNTRIES.flatMap((name) => [{ name, k: "a", n: 1 }, { name, k: "b", n: 2 }]);
  const { svg } = await chart((plot) => ({ marks: [plot.barY(rows, { fx: "name", x: "k", y: "n" })] }), META);
  assertEquals(texts(svg, "fx").sort(), [...COUNTRIES].sort());
  assert(ticks(svg, "fx").some(({ lines }) => lines.length > 1));
  const narrow = COUNTRIES.flatMap((name) => [1, 2].map((n) => ({ name: `${name} ${n}`, k: "a", n })));
  const leaning = await chart((plot) => ({ marks: [plot.barY(narrow, { fx: "name", x: "k", y: "n" })] }), META);
  assertEquals(ticks(leaning.svg, "fx").filter(({ lines }) => lines.length > 1), [], "no word is broken");
  assertStringIncludes(leaning.svg, "rotate(-45)");
});

Deno.test("years have no commas, and whole numbers no decimals", async () => {
  const rows = [{ year: 2000, n: 1 }, { year: 2010, n: 2 }, { year: 2020, n: 3 }];
  const { svg } = await chart((plot) => ({ marks: [plot.dot(rows, { x: "year", y: "n" })] }), META);
  const years = texts(svg, "x").filter((text) => text !== "");
  assert(years.includes("2010") && years.every((text) => /^20[0-9]{2}$/.test(text)), years.join());
  assertEquals(texts(svg, "y"), ["1", "2", "3"]);
  assertStringIncludes(svg, "<title>year: 2010\nn: 2</title>");
  const one = await chart((plot) => ({ marks: [plot.dot([{ a: 5.25, b: 7 }], { x: "a", y: "b" })] }), META);
  assertEquals([texts(one.svg, "x"), texts(one.svg, "y")], [["5.25"], ["7"]]);
});

Deno.test("series have colours of the palette and a legend without being asked", async () => {
  const rows = ["all", "unique"].flatMap((set) => [{ set, x: 1, y: 2 }, { set, x: 2, y: 3 }]);
  const { svg } = await chart((plot) => ({ marks: [plot.line(rows, { x: "x", y: "y", stroke: "set" })] }), META);
  assertEquals(legend(svg), [["all", CATEGORY_COLOURS[0]], ["unique", CATEGORY_COLOURS[1]]]);
  assertStringIncludes(svg, ">set</text>");
  const plain = await chart((plot) => ({ marks: [plot.barX(rowsOf(COUNTRIES), { x: "n", y: "name" })] }), META);
  assertEquals(legend(plain.svg), []);
  assertStringIncludes(plain.svg, `fill="${CATEGORY_COLOURS[0]}"`);
  const own = await chart((plot) => ({ marks: [plot.barX(rowsOf(["a"]), { x: "n", y: "name", fill: "n" })] }), {
    ...META,
    legend: [{ label: "mine", colour: "#000000" }],
  });
  assertEquals(legend(own.svg), [["mine", "#000000"]]);
});

Deno.test("more series than colours are said; colours that an axis names need no legend", async () => {
  const rows = Array.from({ length: 12 }, (_, index) => ({ family: `F${index}`, n: index }));
  const shared = await chart((plot) => ({ marks: [plot.dot(rows, { x: "n", y: "n", fill: "family" })] }), META);
  assertEquals(legend(shared.svg).length, 12);
  assertEquals(shared.notes, [
    `12 values of family share ${SERIES_COLOURS.length} colours: show the largest by name and the others together`,
  ]);
  const named = await chart((plot) => ({ marks: [plot.barX(rows, { x: "n", y: "family", fill: "family" })] }), META);
  assertEquals([legend(named.svg), named.notes], [[], []]);
});

Deno.test("numbers have classes with round limits, whose colours follow the page", async () => {
  const rows = Array.from({ length: 40 }, (_, index) => ({ index, n: index * 6.5 }));
  const { svg } = await chart((plot) => ({ marks: [plot.dot(rows, { x: "index", y: "n", fill: "n" })] }), META);
  const entries = legend(svg);
  assertEquals(entries.map(([label]) => label), [
    "below 50",
    "50 to 100",
    "100 to 150",
    "150 to 200",
    "200 to 250",
    "250 and more",
  ]);
  assertEquals([entries[0][1], entries.at(-1)?.[1]], [SEQUENCE_COLOURS[0], SEQUENCE_COLOURS.at(-1)]);
  assertStringIncludes(svg, "<style>.seqreg-");
  const few = await chart(
    (plot) => ({ marks: [plot.dot([1, 2, 3], { x: (n: number) => n, fill: (n: number) => n })] }),
    META,
  );
  assertEquals(legend(few.svg).map(([label]) => label), ["below 2", "2 to 3", "3 and more"]);
});

Deno.test("series by their symbols have colours too, and a legend", async () => {
  const rows = [{ set: "a", n: 1 }, { set: "b", n: 2 }];
  const { svg } = await chart((plot) => ({ marks: [plot.dot(rows, { x: "n", symbol: "set" })] }), META);
  assertEquals(legend(svg), [["a", CATEGORY_COLOURS[0]], ["b", CATEGORY_COLOURS[1]]]);
  const one = await chart((plot) => ({ marks: [plot.dot(rows, { x: "n", symbol: "plus" })] }), META);
  assertEquals(legend(one.svg), []);
});

Deno.test("what the drawing library warns of is a note, once, and not printed", async () => {
  const rows = ["2021-01-01", "2021-01-02", "2021-01-03"].map((day, n) => ({ day, n }));
  const printed: unknown[] = [];
  const { warn } = console;
  console.warn = (...parts: unknown[]) => void printed.push(parts);
  try {
    const { svg, notes } = await chart((plot) => ({ marks: [plot.lineY(rows, { x: "day", y: "n" })] }), META);
    assertEquals(notes, [
      "The x axis has dates as texts, side by side and not in time: give dates, such as x: (row) => new Date(row.date)",
    ]);
    assertEquals(svg.includes("\u26a0"), false);
  } finally {
    console.warn = warn;
  }
  assertEquals(printed, []);
});

Deno.test("rows that boxes and bins leave out are counted", async (t) => {
  const rows = [{ g: "a", n: 1 }, { g: "a", n: 2 }, { g: "b", n: null }, { g: "b", n: NaN }, { g: "c", n: 3 }];
  const note = ["Not drawn: 2 of 5 rows, without a value on an axis"];
  const specs: Readonly<Record<string, [spec: Parameters<typeof chart>[0], notes: readonly string[]]>> = {
    boxY: [(plot) => ({ marks: [plot.boxY(rows, { x: "g", y: "n" })] }), note],
    boxX: [(plot) => ({ marks: [plot.boxX(rows, { x: "n" })] }), note],
    binX: [(plot) => ({ marks: [plot.rectY(rows, plot.binX({ y: "count" }, { x: "n" }))] }), note],
    "binY with thresholds": [
      (plot) => ({ marks: [plot.rectX(rows, plot.binY({ x: "count" }, { y: { value: "n", thresholds: 2 } }))] }),
      note,
    ],
    "of values alone": [(plot) => ({ marks: [plot.boxY(rows.slice(0, 2), { x: "g", y: "n" })] }), []],
  };
  for (const [name, [spec, notes]] of Object.entries(specs)) {
    await t.step(name, async () => assertEquals((await chart(spec, META)).notes, notes));
  }
});

Deno.test("rows that are not drawn are counted", async () => {
  const rows = [{ a: 1, b: 2 }, { a: null, b: 2 }, { a: 3, b: NaN }, { a: 0, b: 1 }];
  const lost = async (log: boolean) => {
    const { notes } = await chart((plot) => ({
      ...log && { x: { type: "log" } },
      marks: [plot.dot(rows, { x: "a", y: "b" })],
    }), META);
    return notes;
  };
  assertEquals(await lost(false), ["Not drawn: 2 of 4 rows, without a value on an axis"]);
  assertEquals(await lost(true), [
    "Not drawn: 3 of 4 rows, without a value on an axis; one of logarithms has values above 0 alone",
  ]);
  const none = await chart((plot) => ({ marks: [plot.dot([], { x: "a", y: "b" })] }), META);
  assertEquals(none.notes, ["Nothing is drawn: there are no rows"]);
});

Deno.test("a polars frame is drawn by its rows, BigInts as numbers, a missing name as such", async () => {
  const frame = pl.DataFrame({ Country: ["Kenya", "Kenya", null] }).groupBy("Country").agg(
    pl.len().cast(pl.Int64).alias("records"),
  );
  const { svg } = await chart((plot) => ({ marks: [plot.barX(frame, { x: "records", y: "Country" })] }), META);
  assertEquals(texts(svg, "y").sort(), ["Kenya", "missing"]);
  assertEquals(texts(svg, "x"), ["0", "1", "2"]);
  const { barX } = await import("@observablehq/plot");
  const rows = [{ name: "a", n: 2n }, { name: "b", n: 1n }];
  for (const data of [rows, pl.DataFrame({ name: ["a", "b"], n: [2, 1] })]) {
    const own = await chart({ marks: [barX(data, { x: "n", y: "name" })] }, META);
    assertEquals(texts(own.svg, "y"), ["a", "b"], "also with marks of the library itself");
  }
});

Deno.test("a title is enough: marks and axes are described, and the source line says that nothing is stated", async () => {
  const { svg, description, caption } = await chart(
    (plot) => ({ marks: [plot.barX(rowsOf(COUNTRIES), { x: "n", y: "name" }), plot.ruleX([0])] }),
    { title: "Records by country" },
  );
  assertEquals(description, "Bars. Axes: n, name.");
  assertEquals(caption, "Number and source of the data not stated.");
  assertStringIncludes(svg, `aria-label="Records by country. Bars. Axes: n, name."`);
});

Deno.test("dots at the edge of a picture do not cover the axes", async () => {
  const { svg } = await chart((plot) => ({ marks: [plot.dot([[0, 0], [1, 1]], { x: "0", y: "1" })] }), META);
  const places = [...svg.matchAll(/<circle [^>]*?c[xy]="([0-9.]+)"[^>]*?c[xy]="([0-9.]+)"/g)].flatMap((
    [, a, b],
  ) => [a, b]);
  const axis = Math.min(...ticks(svg, "y").map(({ x }) => x));
  assert(places.length === 4 && Math.min(...places.map(Number)) > axis - 60, places.join());
  const [first] = svg.match(/cx="([0-9.]+)"/g) ?? [];
  assertEquals(first, `cx="46"`, "six pixels from the margin of 40");
});

Deno.test("a field that no row has is refused with the one that was meant", async () => {
  const rows = rowsOf(COUNTRIES);
  const draw = (options: Record<string, string>) =>
    chart((plot) => ({ marks: [plot.barX(rows, { x: "n", y: "name", ...options })] }), META);
  await assertRejects(
    () => draw({ y: "nmae" }),
    TypeError,
    `no row has the field "nmae" (option y). Did you mean "name"?`,
  );
  await assertRejects(() => draw({ fill: "Continent" }), TypeError, `"Continent" (option fill). Fields: name, n`);
  await draw({ fill: "steelblue" });
  const lazy: unknown = pl.DataFrame({ a: [1] }).lazy();
  await assertRejects(
    () => chart((plot) => ({ marks: [Reflect.apply(plot.dot, undefined, [lazy, { x: "a" }])] }), META),
    TypeError,
    "draw await frame.collect()",
  );
});
