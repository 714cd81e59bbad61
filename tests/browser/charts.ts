/**
 * Every chart of every analysis in a real JupyterLab, on the sample, on the real sets and on names that are too long:
 * at two widths, in light and dark (the sample in all four), no text stands beyond its picture or on another. Run by
 * `.ci/run`: `deno test --allow-all tests/browser/charts.ts`. Pictures go to `.ci/out`.
 */
import { assert, assertEquals } from "@std/assert";
import { REAL_DATA } from "../_needs.ts";
import { LAKE_RECIPES, RECIPES } from "../analysis/_recipes.ts";
import { REAL_SETS } from "../analysis/_worlds.ts";
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
    const title = svg.querySelector("title").textContent;
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
