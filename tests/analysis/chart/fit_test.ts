/** No text of a picture stands beyond its sides; `tests/browser/charts.ts` measures the same in a browser. */
import { assert, assertEquals } from "@std/assert";
import pl from "nodejs-polars";
import { textWidth } from "../../../src/analysis/chart/_text_width.ts";
import { wrap } from "../../../src/analysis/chart/words.ts";
import { chart, completenessBySource, hostRange } from "../../../src/analysis/mod.ts";

const META = { title: "Records", description: "Records.", source: { n: 1, records: "all" } } as const;

/** Texts of one kind in a picture, each with where it is anchored. */
function placed(svg: string, mark: string): { text: string; x: number }[] {
  const groups = [...svg.matchAll(new RegExp(`<g data-mark="${mark}"([^>]*)>(.*?)</g>`, "g"))];
  return groups.flatMap(([, group, inside]) =>
    [...inside.matchAll(/<text[^>]*translate\(([-0-9.]+)[^>]*>([^<]*)</g)].map(([, x, text]) => ({
      text,
      x: Number(x) + Number(/translate\(([-0-9.]+)/.exec(group)?.[1] ?? 0),
    }))
  );
}

Deno.test("names and numbers beside an axis have room, however long they are", async () => {
  const names = ["W".repeat(34), "病毒".repeat(15), "a"];
  const { svg, width } = await chart(
    (plot) => ({ marks: [plot.barX(names, { y: (name: string) => name, x: (_: string, at: number) => at })] }),
    META,
  );
  const shown = placed(svg, "y-axis tick label");
  assertEquals(shown.map(({ text }) => text).sort(), [...names].sort());
  for (const { text, x } of shown) assert(x - textWidth(text, 12) >= 0, `${text} begins at ${x - textWidth(text, 12)}`);

  const counts = await chart((plot) => ({
    x: { domain: [0, 2_000_000], tickFormat: (value: number) => `${value} records` },
    y: { domain: [0, 1_000_000_000], tickFormat: (value: number) => `${value}` },
    marks: [plot.dot([[1e6, 1e9]])],
  }), META);
  for (const { text, x } of placed(counts.svg, "x-axis tick label")) {
    assert(x + textWidth(text, 12) / 2 <= width, `${text} ends at ${x + textWidth(text, 12) / 2}`);
  }
  for (const { text, x } of placed(counts.svg, "y-axis tick label")) assert(x - textWidth(text, 12) >= 0, text);
});

Deno.test("a name that is longer than the picture is cut, and a note says so", async () => {
  const names = ["x".repeat(300), `${"x".repeat(300)} too`];
  const { svg, notes } = await chart(
    (plot) => ({ width: 300, marks: [plot.barX(names, { y: (name: string) => name, x: 1 })] }),
    META,
  );
  const shown = placed(svg, "y-axis tick label");
  assertEquals(shown.length, 2);
  assertEquals(new Set(shown.map(({ text }) => text)).size, 2);
  for (const { text } of shown) assert(text.length < 40, text);
  assertEquals(notes, ["Long names on the y axis are cut"]);
});

Deno.test("names that lean below the first columns have room beside the rows", async () => {
  const long = "a provider with a very long name";
  const frame = pl.DataFrame({
    Species: ["v", "w"],
    Host: [long, `${long} too`],
    Source: [long, null],
    Notes: [null, "x"],
  });
  for (
    const { chart } of [await hostRange(frame), await completenessBySource(frame, { fields: { dataSource: "Source" } })]
  ) {
    const shown = placed(chart?.svg ?? "", "x-axis tick label");
    assert(shown.length > 0);
    for (const { text, x } of shown) assert(x - textWidth(text, 12) * Math.SQRT1_2 >= 0, `${text} at ${x}`);
  }
});

Deno.test("lines are as long as there is room, and no character is lost", () => {
  const widthOf = (text: string) => textWidth(text, 10);
  for (const text of ["", "one two three four", "W".repeat(50), `${"i".repeat(40)} ${"病".repeat(40)} end`]) {
    const lines = wrap(text, 100, widthOf);
    assertEquals(lines.join("").replaceAll(" ", ""), text.replaceAll(" ", ""));
    for (const line of lines) assert(widthOf(line) <= 100, line);
  }
});
