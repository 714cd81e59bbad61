/**
 * Every chart of every analysis in a real JupyterLab, on the sample, on the real sets and on names that are too long:
 * at two widths, in light and dark (the sample in all four), no text stands beyond its picture or on another. Run by
 * `deno task checks browser-charts`. Pictures go to `.ci/out`.
 */
import { assert, assertEquals } from "@std/assert";
import { REAL_DATA } from "../_needs.ts";
import { LAKE_RECIPES, RECIPES } from "../analysis/_recipes.ts";
import { REAL_SETS } from "../analysis/_worlds.ts";
import type { Page } from "playwright-core";
import { LabServer, openBrowser, testInLab, writeNotebook } from "./_lab.ts";

const OUT = new URL("../../.ci/out/", import.meta.url).pathname;
const TIMEOUT_MS = 240_000;

/** Frames with names that are long, wide, and the same at their beginnings. */
const LONG_NAMES =
  `const name = (what: string, n: number) => (what + " with a name that goes on and on ").repeat(9) + n;
  const of = <T>(make: (n: number) => T) => Array.from({ length: 900 }, (_, n) => make(n));
  const source = pl.DataFrame({
    Accession: of((n) => "vj" + n),
    Species: of((n) => name("Species", n % 40)),
    Family: of((n) => n % 2 ? "病毒名称".repeat(9) + n % 9 : "W".repeat(40) + n % 9),
    Host: of((n) => name("Host", n % 7)),
    Country: of((n) => ["Kenya", "Bosnia and Herzegovina", "USSR"][n % 3]),
    "Submitter Country": of((n) => ["Kenya", "Saint Vincent and the Grenadines"][n % 2]),
    "Collection Date": of((n) => 1880 + n % 150 + "-01"),
    "Release Date": of((n) => 2010 + n % 15 + "-0" + (1 + n % 9) + "-11"),
    "Molecule Type": of((n) => name("Molecule", n % 3)),
    "GC Content": of((n) => 30 + (n * 7) % 300 / 10),
    "Sequence Length": of((n) => 1_000 * (1 + (n * 7919) % 3000)),
    "Ambiguous Bases": of((n) => n % 7 === 0 ? n % 40 : 0),
    "Genome Completeness": of((n) => name("Completeness", n % 3)),
    "Data Source": of((n) => name("Source", n % 5)),
    Notes: of((n) => n % 5 === 0 ? null : "x"),
    Segment: of((n) => String(1 + n % 9)),
    Isolate: of((n) => "i" + Math.floor(n / 9)),
    Cluster: of((n) => "c" + Math.floor(Math.sqrt(n))),
  });`;

/** Cells that make a source, and whether it is a lake. */
const SOURCES: Readonly<Record<string, { readonly code: string; readonly isLake: boolean; readonly charts: number }>> =
  {
    sample: { code: "const world = await sampleWorld(); const source = world.lake;", isLake: true, charts: 24 },
    ...REAL_DATA === undefined ? {} : Object.fromEntries(
      Object.keys(REAL_SETS).map((name) => [
        name,
        { code: `const world = await realWorld("${name}"); const source = world.lake;`, isLake: true, charts: 12 },
      ]),
    ),
    "long names": { code: LONG_NAMES, isLake: false, charts: 18 },
  };

/**
 * Finds texts beyond the sides of their picture, texts on each other, and numbers on the bars that they stand beside:
 * by their corners, also where they lean.
 */
const FIND_FAULTS = `(() => {
  const isApart = (one, other) => [one, other].some((shape) =>
    shape.some(([x, y], index) => {
      const [nextX, nextY] = shape[(index + 1) % 4];
      const length = Math.hypot(nextX - x, nextY - y) || 1;
      const along = (corners) => corners.map(([u, v]) => (u * (nextY - y) - v * (nextX - x)) / length);
      const [a, b] = [along(one), along(other)];
      return Math.max(...a) <= Math.min(...b) + 0.5 || Math.max(...b) <= Math.min(...a) + 0.5;
    })
  );
  return [...document.querySelectorAll("figure.seqreg-chart > div > svg")].flatMap((svg) => {
    const title = svg.getAttribute("aria-label").split(". ")[0];
    const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    const back = svg.getScreenCTM().inverse();
    const texts = [...svg.querySelectorAll("text")].filter(({ textContent }) => textContent.trim() !== "").map((text) => {
      const box = text.getBBox();
      // Letters are lower than their line.
      const inset = box.height * 0.14;
      const matrix = back.multiply(text.getScreenCTM());
      const corners = [[0, inset], [box.width, inset], [box.width, box.height - inset], [0, box.height - inset]]
        .map(([x, y]) => [box.x + x, box.y + y])
        .map(([x, y]) => [matrix.a * x + matrix.c * y + matrix.e, matrix.b * x + matrix.d * y + matrix.f]);
      const isBeside = text.closest('[data-mark="text"]') !== null && getComputedStyle(text).textAnchor === "start";
      return { text: text.textContent, corners, isBeside };
    });
    const bars = [...svg.querySelectorAll('[data-mark="bar"] rect')].map((bar) => {
      const { x, y, width, height } = bar.getBBox();
      const matrix = back.multiply(bar.getScreenCTM());
      return [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
        .map(([x, y]) => [matrix.a * x + matrix.c * y + matrix.e, matrix.b * x + matrix.d * y + matrix.f]);
    });
    return texts.flatMap(({ text, corners, isBeside }, index) => [
      ...corners.some(([x, y]) => x < -0.5 || y < -0.5 || x > width + 0.5 || y > height + 0.5)
        ? [title + ": " + text + " is not all inside"]
        : [],
      ...texts.slice(index + 1).filter((other) => !isApart(corners, other.corners))
        .map((other) => title + ": " + text + " is on " + other.text),
      ...isBeside && bars.some((bar) => !isApart(corners, bar)) ? [title + ": " + text + " is on a bar"] : [],
    ]);
  });
})()`;

/** Widths in pixels, and whether in the dark. The first two have each width and each theme once. */
const ALL_LOOKS = [[1280, false], [800, true], [1280, true], [800, false]] as const;

for (const [name, { code, isLake, charts }] of Object.entries(SOURCES)) {
  const isAllLooks = name === "sample";
  testInLab(`every chart of ${name} is whole, in light and dark, wide and narrow`, async () => {
    const folder = `${OUT}charts`;
    await Deno.mkdir(folder, { recursive: true });
    try {
      const file = `charts-${name.replace(" ", "-")}`;
      await writeNotebook(`${folder}/${file}.ipynb`, [
        `import pl from "nodejs-polars";
         import { compareSets } from "../../../src/analysis/mod.ts";
         import { LAKE_RECIPES, RECIPES } from "../../../tests/analysis/_recipes.ts";
         import { realWorld, sampleWorld } from "../../../tests/analysis/_worlds.ts";
         ${code}`,
        ...Object.keys(RECIPES).map((recipe) => `await RECIPES["${recipe}"](source, "2026-01-31")`),
        ...isLake
          ? Object.keys(LAKE_RECIPES).map((recipe) => `await LAKE_RECIPES.${recipe}(source, "2026-01-31")`)
          : [],
        // One host whose bar of the first set is not the longest.
        isLake ? `await compareSets(source, { by: "host" })` : "",
        isLake ? "await world[Symbol.asyncDispose]();" : "",
      ]);
      await using lab = await LabServer.start(folder);
      await using browser = await openBrowser();
      await using page = await lab.open(browser, `${file}.ipynb`, { height: 16_000 });
      await page.runAll(TIMEOUT_MS);
      const ran = await page.cells();
      assertEquals(ran.flatMap(({ errors }) => errors), []);
      const drawn = ran.filter(({ html }) => html.includes(`class="seqreg-svg"`)).length;
      assert(drawn >= charts, `only ${drawn} analyses have a chart`);
      for (const [width, dark] of isAllLooks ? ALL_LOOKS : ALL_LOOKS.slice(0, 2)) {
        await page.turn({ width, dark, height: 16_000 });
        assertEquals(await page.page.locator("figure.seqreg-chart > div > svg").count(), drawn);
        assertEquals(await page.page.evaluate(FIND_FAULTS), [], `${width} pixels, ${dark ? "dark" : "light"}`);
        await page.picture(`${OUT}${file}-${width}-${dark ? "dark" : "light"}.png`);
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

/** Charts as a user writes them, on data that goes wrong elsewhere. */
const OWN_CHARTS = `const names = ["Bosnia and Herzegovina", "Saint Vincent and the Grenadines", "Kenya",
    "United Kingdom of Great Britain and Northern Ireland", "<img src=x onerror=alert(1)>", "Chad"];
  const rows = names.map((country, n) => ({ country, records: 10 ** (n % 4) + n }));
  const days = Array.from({ length: 120 }, (_, n) => ({ day: new Date(Date.UTC(2021, 0, 1 + 3 * n)), n: (n * 37) % 61, set: "set " + n % 3 }));
  const many = Array.from({ length: 80 }, (_, n) => ({ species: "Species number " + n, records: (n * 7919) % 101 }));
  const grid = Array.from({ length: 70 }, (_, n) => ({ month: n % 10, host: "host " + Math.floor(n / 10), n: (n * 31) % 257 }));
  const draw = (title: string, spec: Parameters<typeof chart>[0]) =>
    chart(spec, { title, description: title + ".", source: { n: 1, records: "all", snapshot: "2026-01-31" } });`;
const OWN_CELLS = [
  `await draw("bars next to names", (plot) => ({ marks: [plot.barX(rows, { x: "records", y: "country" })] }))`,
  `await draw("bars above names", (plot) => ({ marks: [plot.barY(rows, { x: "country", y: "records" })] }))`,
  `await draw("bars above many names", (plot) => ({ marks: [plot.barY(many, { x: "species", y: "records" })] }))`,
  `await draw("bars next to many names", (plot) => ({ marks: [plot.barX(many, { y: "species", x: "records" })] }))`,
  `await draw("three lines", (plot) => ({ marks: [plot.lineY(days, { x: "day", y: "n", stroke: "set" })] }))`,
  `await draw("facets", (plot) => ({ marks: [plot.barX(rows, { x: "records", y: "country" }), plot.dot(rows, { x: "records", y: "country", fx: "country" })] }))`,
  `await draw("classes of numbers", (plot) => ({ marks: [plot.cell(grid, { x: "month", y: "host", fill: "n" })] }))`,
  `await draw("logarithms", (plot) => ({ x: { type: "log" }, grid: true, marks: [plot.dot(rows, { x: "records", y: "country", r: "records" })] }))`,
  `await draw("bins", (plot) => ({ marks: [plot.rectY(days, plot.binX({ y: "count" }, { x: "n" })), plot.ruleY([0])] }))`,
];

const HOSTILE_NAME = "<img src=x onerror=alert(1)>";

/** Reads a tooltip: moves the pointer to a mark of a chart, and returns its text. */
async function pointAt(page: Page, chart: number, mark: string): Promise<string> {
  const found = page.locator("figure.seqreg-chart").nth(chart).locator(mark).first();
  await found.scrollIntoViewIfNeeded();
  const box = await found.boundingBox();
  assert(box !== null, `${mark} is there`);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  return await page.locator("figure.seqreg-chart").nth(chart).locator(".seqreg-tip").innerText();
}

testInLab(
  "charts as users write them are whole, fill the cell, and say what a mark is where the pointer is",
  async () => {
    const folder = `${OUT}own-charts`;
    await Deno.mkdir(folder, { recursive: true });
    try {
      const file = "own-charts.ipynb";
      await writeNotebook(`${folder}/${file}`, [
        `import { chart } from "../../../src/analysis/mod.ts";
       ${OWN_CHARTS}`,
        ...OWN_CELLS,
      ]);
      await using lab = await LabServer.start(folder);
      await using browser = await openBrowser();
      await using page = await lab.open(browser, file, { height: 6_000 });
      await page.runAll(TIMEOUT_MS);
      const ran = await page.cells();
      assertEquals(ran.flatMap(({ errors }) => errors), []);
      for (const [width, dark] of ALL_LOOKS) {
        await page.turn({ width, dark, height: 6_000 });
        assertEquals(await page.page.locator("figure.seqreg-chart > div > svg").count(), OWN_CELLS.length);
        assertEquals(await page.page.evaluate(FIND_FAULTS), [], `${width} pixels, ${dark ? "dark" : "light"}`);
        // As wide as the cell, up to a quarter more than drawn.
        const widths = await page.page.evaluate<[number, number][]>(
          `[...document.querySelectorAll("figure.seqreg-chart")].map((figure) =>
          [figure.querySelector("svg").getBoundingClientRect().width, figure.getBoundingClientRect().width])`,
        );
        for (const [drawn, cell] of widths) {
          assert(Math.abs(drawn - Math.min(cell, 720 * 1.25)) < 1, `${drawn} of ${cell} at ${width}`);
        }
        assertEquals(
          await pointAt(page.page, 0, '[data-mark="bar"] rect:nth-child(5)'),
          `country: ${HOSTILE_NAME}\nrecords: 5`,
        );
        await page.picture(`${OUT}own-charts-${width}-${dark ? "dark" : "light"}.png`);
      }
      assertEquals(await pointAt(page.page, 4, '[data-mark="line"] circle'), "set: set 0\nday: 2021-01-01\nn: 0");
      assertEquals(await page.page.locator("figure.seqreg-chart img").count(), 0, "a hostile name makes no element");

      // The same outputs from another person: Jupyter trusts no notebook that it did not write as it is.
      await page.page.evaluate(`jupyterapp.shell.currentWidget.context.save()`);
      const text = await Deno.readTextFile(`${folder}/${file}`);
      const strange = JSON.parse(text);
      strange.cells[0].source = "// received";
      await Deno.writeTextFile(`${folder}/received.ipynb`, JSON.stringify(strange));
      await using other = await lab.open(browser, "received.ipynb", { height: 12_000 });
      for (const dark of [false, true]) {
        await other.turn({ width: 1280, dark, height: 12_000 });
        const pictures = other.page.locator("figure.seqreg-chart img.seqreg-svg");
        await pictures.nth(OWN_CELLS.length - 1).waitFor({ timeout: 20_000 });
        assertEquals(await pictures.count(), OWN_CELLS.length);
        assertEquals(await other.page.locator("figure.seqreg-chart svg").count(), 0);
        assert(
          await other.page.evaluate<boolean>(
            `[...document.querySelectorAll("img.seqreg-svg")].every((i) => i.complete && i.naturalWidth === 720)`,
          ),
        );
        await other.picture(`${OUT}received-charts-${dark ? "dark" : "light"}.png`);
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);
