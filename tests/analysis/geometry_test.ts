/** What is drawn is as long as its number: bars are read back from the picture. */
import { assert, assertEquals } from "@std/assert";
import pl from "nodejs-polars";
import { fieldCompleteness, lengthDistribution, recordsInTime, topTaxa, worldMap } from "../../src/analysis/mod.ts";

/** Width or height of every bar of a picture, in the order in which they stand in it. */
function bars(svg: string, side: "width" | "height"): number[] {
  const drawing = svg.slice(svg.indexOf('class="seqreg-plot"'));
  const group = /<g[^>]*data-mark="(?:bar|rect)"[^>]*>((?:<rect[^>]*>(?:<title>[^<]*<\/title><\/rect>)?)+)<\/g>/g;
  return [...drawing.matchAll(group)].flatMap(([, rects]) =>
    [...rects.matchAll(/<rect[^>]*>/g)].map(([rect]) => Number(new RegExp(` ${side}="([0-9.]+)"`).exec(rect)?.[1] ?? 0))
  );
}

function assertProportional(sizes: readonly number[], numbers: readonly number[]): void {
  assertEquals(sizes.length, numbers.length);
  const scale = Math.max(...sizes) / Math.max(...numbers);
  for (const [index, number] of numbers.entries()) {
    assert(Math.abs(sizes[index] - number * scale) < 0.6, `bar ${index}: ${sizes[index]} for ${number} at ${scale}`);
  }
}

const species = ["a", "a", "a", "a", "b", "b", "c", null];

Deno.test("bars of taxa are as long as their counts", async () => {
  const { chart, frame } = await topTaxa(pl.DataFrame({ Species: species }), { top: 2 });

  assertEquals(frame.getColumn("records").toArray(), [4, 2, 1, 1]);
  assertProportional(bars(chart?.svg ?? "", "width"), [4, 2, 1, 1]);
});

Deno.test("bars of lengths are as high as their counts", async () => {
  const { chart, frame } = await lengthDistribution(pl.DataFrame({ length: [10, 11, 120, 1300, 1400, 1500] }), {
    binsPerDecade: 1,
  });

  assertProportional(bars(chart?.svg ?? "", "height"), frame.getColumn("records").toArray().map(Number));
});

Deno.test("bars of time are as high as their counts, stacked by precision", async () => {
  const { chart, frame } = await recordsInTime(
    pl.DataFrame({ Date: ["2013", "2013-02", "2013-02-03", "2014", "2014"] }),
  );

  assertProportional(bars(chart?.svg ?? "", "height"), frame.getColumn("records").toArray().map(Number));
});

Deno.test("bars of completeness are shares of all records", async () => {
  const { chart } = await fieldCompleteness(pl.DataFrame({ full: ["x", "y", "z", "w"], half: ["x", "?", "y", null] }));

  // The two grey bars behind are all records.
  assertProportional(bars(chart?.svg ?? "", "width"), [4, 4, 4, 2, 1]);
});

Deno.test("months of a century make a small picture, each as high as its number", async () => {
  const dates = Array.from({ length: 1500 }, (_, month) => {
    const name = `${1900 + Math.floor(month / 12)}-${String(month % 12 + 1).padStart(2, "0")}`;
    return month % 7 === 3 ? [] : [name, `${name}-05`, ...month % 2 === 0 ? [`${name}-06`] : []];
  }).flat();
  for (const cumulative of [false, true]) {
    const { chart, frame } = await recordsInTime(pl.DataFrame({ Date: dates }), { by: "month", cumulative });
    const svg = chart?.svg ?? "";
    assert(svg.length < 75_000, `${svg.length} letters`);
    const [, days] = /<g[^>]*fill="#0072b2"[^>]*><path d="([^"]*)"/.exec(svg) ?? [];
    const levels = new Set([...days.matchAll(/[,V]([0-9.]+)/g)].map(([, y]) => Number(y)));
    const counts = frame.toRecords().filter(({ precision }) => precision === "day").map(({ records }) =>
      Number(records)
    );
    const [base, top] = [Math.max(...levels), Math.min(...levels)];
    const scale = (base - top) / Math.max(...counts);
    for (const count of counts.slice(0, 20)) {
      assert([...levels].some((y) => Math.abs(base - y - count * scale) < 0.6), `${count} at ${scale}`);
    }
  }
});

Deno.test("countries too small for the map are dots, and only these", async () => {
  for (const [names, dots] of [[["Kenya"], 0], [["Kenya", "Singapore", "Malta", "Malta"], 2]] as const) {
    const { chart } = await worldMap(pl.DataFrame({ Country: [...names] }));
    const circles = [...(chart?.svg ?? "").matchAll(/<circle[^>]*>/g)].map(([circle]) => circle);
    assertEquals(circles.length, dots);
    assertEquals(circles.filter((circle) => /fill="none"|NaN/.test(circle)), []);
  }
});
