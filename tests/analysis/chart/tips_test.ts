/** Tooltips of marks; tests/browser/charts.ts sees it in a notebook. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { XMLValidator } from "fast-xml-parser";
import { type Chart, chart, type ChartSpec } from "../../../src/analysis/mod.ts";
import { DISPLAY } from "../../../src/core/io/display/display.ts";

const META = { title: "Records", description: "Records.", source: { n: 1, records: "all" } } as const;

function tips({ svg }: Chart): string[] {
  return [...svg.slice(svg.indexOf("</title>") + 8).matchAll(/<title>([^<]*)<\/title>/g)].map(([, text]) => text);
}

async function tipsOf(spec: ChartSpec): Promise<string[]> {
  return tips(await chart(spec, META));
}

const ROWS = [{ host: "Homo sapiens", n: 1234, share: 0.12345678 }, { host: "Sus scrofa", n: 2, share: 1 }];

Deno.test("a mark says its names first, then its numbers, in the words of the axes", async () => {
  assertEquals(
    await tipsOf((plot) => ({ x: { label: "records" }, marks: [plot.barX(ROWS, { x: "n", y: "host" })] })),
    ["host: Homo sapiens\nrecords: 1,234", "host: Sus scrofa\nrecords: 2"],
  );
  assertEquals(
    await tipsOf((plot) => ({ y: { label: null }, marks: [plot.barX(ROWS, { x: "share", y: "host" })] })),
    ["Homo sapiens\nshare: 0.123457", "Sus scrofa\nshare: 1"],
  );
});

Deno.test("bins, stacks, facets, dates and series say what they are", async () => {
  const days = [0, 1, 40].map((day) => ({
    day: new Date(Date.UTC(2021, 0, 1 + day)),
    set: day > 1 ? "b" : "a",
    n: day,
  }));
  assertEquals(
    await tipsOf((plot) => ({ marks: [plot.rectY(days, plot.binX({ y: "count" }, { x: "day", interval: "month" }))] })),
    ["day: 2021-01-01 to 2021-02-01\nFrequency: 2", "day: 2021-02-01 to 2021-03-01\nFrequency: 1"],
  );
  assertEquals(await tipsOf((plot) => ({ marks: [plot.dot(days, { x: "day", y: "n", fill: "set", fx: "set" })] })), [
    "set: a\nday: 2021-01-01\nn: 0",
    "set: a\nday: 2021-01-02\nn: 1",
    "set: b\nday: 2021-02-10\nn: 40",
  ]);
  assertEquals(
    await tipsOf((plot) => ({ marks: [plot.barX(days, { x: "n", fill: "set" })] })),
    ["set: a\nn: 0", "set: a\nn: 1", "set: b\nn: 40"],
  );
});

Deno.test("every row of a line is met, and not twice where an area is below it", async () => {
  const rows = [[0, 1], [1, 5], [2, 3]].map(([x, y]) => ({ x, y }));
  const picture = await chart(
    (plot) => ({ marks: [plot.areaY(rows, { x: "x", y: "y" }), plot.line(rows, { x: "x", y: "y" })] }),
    META,
  );
  assertEquals(tips(picture).sort(), ["x: 0\ny: 1", "x: 1\ny: 5", "x: 2\ny: 3"]);
  assertEquals(picture.svg.match(/<g [^>]*pointer-events="all"[^>]*>/g)?.length, 1);
});

Deno.test("a caller's own titles take their place; labels and zero lines have none", async () => {
  assertEquals(
    await tipsOf((plot) => ({
      marks: [
        plot.barX(ROWS, { x: "n", y: "host", title: (row: { host: string }) => `about ${row.host}` }),
        plot.text(ROWS, { x: "n", y: "host", text: "n" }),
        plot.ruleX([0]),
      ],
    })),
    ["about Homo sapiens", "about Sus scrofa"],
  );
});

Deno.test("beyond a number of marks or of characters a chart has no tooltips, and says so", async () => {
  const many = (count: number, length = 1) =>
    chart((plot) => ({
      marks: [plot.dot(Array.from({ length: count }, (_, x) => ({ x, y: x % 7, z: "v".repeat(length) })), {
        x: "x",
        y: "y",
        channels: { z: "z" },
      })],
    }), META);
  const full = await many(1000);
  assertEquals([tips(full).length, full.notes], [1000, []]);
  const more = await many(1001);
  assertEquals([tips(more), more.notes], [[], ["No tooltips: more than 1,000 marks"]]);
  const long = await many(900, 300);
  assertEquals([tips(long), long.notes], [[], ["No tooltips: they would have more than 100,000 characters"]]);
  const titled = await chart((plot) => ({
    marks: [plot.dot(Array.from({ length: 1001 }, (_, x) => ({ x })), { x: "x", title: () => "mine" })],
  }), META);
  assertEquals(tips(titled), []);
  const ten = await chart((plot) => ({
    marks: [plot.dot(Array.from({ length: 10_000 }, (_, x) => ({ x: x * 0.123456789, y: (x * 7919) % 1009 / 7 })), {
      x: "x",
      y: "y",
    })],
  }), META);
  assert(ten.svg.length < 500_000, `${ten.svg.length} characters for 10,000 dots`);
});

Deno.test("hostile names are text in a tooltip, and no link runs a script", async () => {
  const names = [
    `<script>alert(1)</script>`,
    `"><img src=x onerror=alert(1)>`,
    "]]></title><svg onload=alert(1)>",
    "\x1b\u202e",
  ];
  const picture = await chart((plot) => ({
    marks: [
      plot.barX(names.map((name) => ({ [name]: 1, name })), { x: 1, y: "name", href: () => "javascript:alert(1)" }),
      plot.barX(names, {
        y: (name: string) => name,
        x: 1,
        title: (name: string) => name,
        href: () => "https://a.example/",
      }),
    ],
  }), META);
  const html = picture[DISPLAY]()["text/html"] ?? "";
  assertEquals(XMLValidator.validate(picture.svg), true);
  assertEquals(
    /<script>(?!\(\(\)=>)|<img (?!class="seqreg-svg")|<svg onload|javascript:/.test(picture.svg + html),
    false,
  );
  assertEquals(tips(picture).length, 8);
  assertStringIncludes(picture.svg, `href="https://a.example/"`);
  for (const hidden of ["\x1b", "\u202e"]) assertEquals(picture.svg.includes(hidden), false);
});

Deno.test("a saved picture is drawn with the same marks and says the same", async () => {
  const picture = await chart((plot) => ({ marks: [plot.barX(ROWS, { x: "n", y: "host" })] }), META);
  const file = await Deno.makeTempFile({ suffix: ".svg" });
  try {
    await picture.save(file);
    assertStringIncludes(await Deno.readTextFile(file), "<title>host: Homo sapiens\nn: 1,234</title>");
  } finally {
    await Deno.remove(file);
  }
});
