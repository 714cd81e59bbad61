/**
 * Every display of the toolkit in a real JupyterLab: hostile values, odd tables, a check by axe-core, and pictures at
 * two widths in light and dark. Run by `deno task checks browser-displays`.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
// Used by this check alone, which may install what it likes: not a dependency of the toolkit.
// deno-lint-ignore no-import-prefix
import axe from "npm:axe-core@4.10.3";
import { HOSTILE } from "./_hostile.ts";
import type { Browser } from "playwright-core";
import { type LabPage, LabServer, openBrowser, testInLab, writeNotebook } from "./_lab.ts";

const OUT = new URL("../../.ci/out/", import.meta.url).pathname;
const TIMEOUT_MS = 240_000;

/** A folder below the checkout, where cells find the toolkit. */
async function withLessonFolder(
  name: string,
  cells: readonly string[],
  work: (folder: string, notebook: string) => Promise<void>,
): Promise<void> {
  const folder = `${OUT}${name}`;
  await Deno.mkdir(folder, { recursive: true });
  try {
    await writeNotebook(`${folder}/${name}.ipynb`, cells);
    await work(folder, `${name}.ipynb`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/**
 * Elements that no display of ours writes; a chart's picture and its numbers, which can be opened, are looked at apart.
 */
const FOREIGN = "svg, iframe, a, details, object, embed, form, video, audio, math, link, style, base, meta, template";

/** Elements of a chart: its figure, and the drawing in it. */
const CHART = ["figure", "div", "script", "ul", "li", "svg", "title", "desc", "g", "path", "rect", "line", "circle"]
  .concat(["text", "tspan"]);

async function foreignElements(page: LabPage): Promise<string[]> {
  return await page.page.evaluate<string[]>(`[...document.querySelectorAll(".jp-OutputArea-output")].flatMap((output) =>
    [...output.querySelectorAll(${JSON.stringify(FOREIGN)})]
      .filter((found) => !found.closest(".seqreg-chart svg") &&
        !(found.localName === "details" && (found.previousElementSibling?.matches(".seqreg-chart") ||
          (found.firstElementChild?.textContent === "what the registry answered" &&
            found.lastElementChild?.matches(".seqreg-table")))))
      .map((found) => found.outerHTML.slice(0, 200))
      .concat([...output.querySelectorAll("figure.seqreg-chart *")]
        .filter(({ localName }) => !${JSON.stringify(CHART)}.includes(localName))
        .map((found) => found.outerHTML.slice(0, 200)))
      .concat([...output.querySelectorAll("img")].filter(({ src }) => !src.startsWith("data:image/png;base64,"))
        .map((found) => found.outerHTML.slice(0, 200)))
      .concat([...output.querySelectorAll("*")].flatMap((found) => [...found.attributes])
        .filter(({ name, value }) => name.startsWith("on") || value.trim().toLowerCase().startsWith("javascript:"))
        .map(({ name, value }) => name + "=" + value)))`);
}

testInLab("hostile names and values create nothing in any display, and no escape passes", async () => {
  // As letters that travel through a cell's source unharmed: the kernel stumbles over half surrogates, even escaped.
  const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const list = `JSON.parse(atob("${btoa(JSON.stringify(HOSTILE).replace(/[^\x20-\x7e]/g, escaped))}"))`;
  const cells = [
    `import pl from "nodejs-polars";
     import { createProgress, show, viewOf } from "seqreg/notebook";
     import { InvalidRequestError } from "seqreg/client";
     import { DatasetResult, Registry, RegistryError, RegistryResult } from "seqreg";
     import { makeSample } from "seqreg/sample";
     import { tableFromCsv } from "seqreg/tables";
     import { chart, fieldCompleteness } from "seqreg/analysis";
     const hostile: string[] = ${list};`,
    "await show(hostile.map((text, n) => ({ n, text, [text]: text })).slice(0, 12), hostile[0])",
    "await show(hostile.map((text) => ({ text, long: text.repeat(30) })), hostile[1])",
    "pl.DataFrame(Object.fromEntries(hostile.map((text, n) => [text.toWellFormed() + n, [text.toWellFormed()]])))",
    "pl.DataFrame({ text: hostile.map((text) => text.toWellFormed()), list: hostile.map((text) => [text.toWellFormed()]) }).lazy()",
    `({ complete: false, asked: 3, promised: null, received: 2, unique: 2, duplicate: 0, missing: hostile, unparsed: 0,
       truncated: false, reasons: hostile, warnings: hostile })`,
    "hostile.map((text) => ({ name: text, alias: text, type: text, description: text, unit: text, example: text }))",
    "hostile.map((text, row) => ({ row, field: text, value: text, reason: text, kept: true }))",
    "hostile.map((text) => ({ id: text, score: 1, source: { [text]: text } }))",
    "await show(hostile.map((text) => ({ sequence: text })))",
    `const issues = hostile.map((text) => ({ loc: ["body", text], msg: text, type: text }));
     const details = { status: 422, statusText: "", url: "x", headers: new Headers(), excerpt: "", issues };
     new InvalidRequestError(hostile.join("; "), details)`,
    "new RegistryError('disk', hostile[3] + '; ' + hostile[4], { cause: new Error(hostile[5]) })",
    "for (const task of hostile) createProgress({ to: 'notebook' })({ task, done: 1, total: 2, unit: 'records' })",
    "await show({ [hostile[2]]: hostile }); await show(hostile[7]); await show(new Map(hostile.map((text) => [text, text])))",
    // What comes from a registry: names, values and problems of a result, and all that is said of where it came from.
    `const well = hostile.map((text) => text.toWellFormed());
     const cell = (text: string) => '"' + text.replaceAll('"', '""') + '"';
     const columns = [...new Set(well)].filter((text) => !text.includes("\\x00"));
     const csv = ["Registry Accession", ...columns].map(cell).join(",") + "\\n" +
       well.map((_, row) => ["vj" + String(row).padStart(12, "0"), ...columns.map((_, at) => well[(row + at) % well.length])]
         .map(cell).join(",")).join("\\n") + "\\n";
     const definitions = columns.map((name, at) => ({ name, alias: name, type: at % 2 ? "integer" : "string", description: name, unit: name, example: name }));
     const table = await tableFromCsv(new TextEncoder().encode(csv), { definitions });
     const now = new Date().toISOString();
     const provenance = { operation: well.join(" "), registry: well.join(" "), request: well, bytes: 1, sha256: null,
       started: now, finished: now, toolkit: well[0] };
     const result = new RegistryResult({ table, definitions, provenance, ledger: { ...table.ledger, reasons: well, warnings: well } });
     result`,
    "result.problems",
    "await result.frame()",
    "result.cite()",
    `new DatasetResult({ id: "full_dataset_metadata", name: well[0], path: well.join("/"), bytes: 1, sha256: well[1],
       verifiedAt: well[2], reused: true, ledger: table.ledger, provenance }, {} as never)`,
    `const folder = await Deno.makeTempDir() + "/" + hostile[3] + "\\x1b[2J";
     await makeSample(folder, { records: 8 });
     const odd = await Registry.open(folder);
     await Deno.remove(folder, { recursive: true });
     odd`,
    `await chart((plot) => ({ marginLeft: 200, marks: [plot.barX(well, { x: (_, at) => at, y: (text) => text, fill: "#2a788e" }),
       plot.text(well, { text: (text) => text, y: (text) => text })] }),
       { title: well.join(" "), subtitle: well.join(" "), description: well.join(" "), notes: well, legendTitle: well[0],
         legend: well.slice(0, 8).map((label) => ({ label, colour: "#2a788e" })), source: { n: 1, name: well.join(" ") } })`,
    "await fieldCompleteness(pl.DataFrame(Object.fromEntries(well.map((text, n) => [text + n, [text, null]]))))",
    "throw new InvalidRequestError(hostile[3], details)",
  ];
  await withLessonFolder("hostile", cells, async (folder, notebook) => {
    await using lab = await LabServer.start(folder);
    await using browser = await openBrowser();
    await using page = await lab.open(browser, notebook, { height: 30_000 });
    await page.runAll(TIMEOUT_MS);
    const ran = await page.cells();
    assertEquals(ran.slice(0, -1).flatMap(({ errors }) => errors), []);
    for (const [index, { html, plain }] of ran.entries()) {
      if (index > 0) assert(html !== "", `cell ${index} shows nothing`);
      // deno-lint-ignore no-control-regex
      const control = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
      for (const shown of [html, plain]) {
        assertEquals(control.exec(shown)?.[0], undefined, `a control character passed in cell ${index}`);
        assert(shown.isWellFormed());
      }
    }
    for (const search of await page.page.getByRole("searchbox", { name: "filter rows" }).all()) {
      await search.fill("hacked");
      await search.fill("");
    }
    for (const table of (await page.page.locator(".seqreg-table").all()).slice(0, 4)) {
      for (const name of ["columns", "copy", "filter"]) {
        for (const button of (await table.getByRole("button", { name }).all()).slice(0, 3)) await button.click();
      }
    }
    for (const button of (await page.page.locator("td button").all()).slice(0, 40)) await button.click();
    await page.picture(`${OUT}hostile.png`);
    assertEquals(await page.page.locator("figure.seqreg-chart > div > svg").count(), 2);
    assertEquals(await foreignElements(page), []);
    assertEquals(await page.page.evaluate("globalThis.hacked"), undefined);
  });
});

const ODD_TABLES = `const odd: [string, unknown][] = [
  ["no rows", pl.DataFrame({ a: [1] }).head(0)],
  ["no columns", pl.DataFrame({})],
  ["one row", pl.DataFrame({ a: [1] })],
  ["all null", pl.DataFrame({ a: [null, null] })],
  ["numbers that are none", pl.DataFrame({ x: [NaN, Infinity, -Infinity, -0, 1 / 3, null] })],
  ["before 1900", pl.DataFrame({ day: [new Date("1874-12-08T00:00:00Z"), new Date("0001-01-01T00:00:00Z")] })],
  ["big integers", pl.DataFrame({ n: [2n ** 60n, 1n] })],
  ["wide", pl.DataFrame(Object.fromEntries(Array.from({ length: 200 }, (_, n) => ["column " + n, [n, n + 0.5]])))],
  ["long cells", pl.DataFrame({ text: ["word ".repeat(60_000), "x".repeat(300_000)], n: [1, 2] })],
];`;

/** A cell, and what it must still say wherever it is shown. */
interface DisplayCell {
  readonly code: string;
  readonly states: readonly string[];
}

/** One cell for each kind of display; the last fails. */
const EVERY_DISPLAY: readonly DisplayCell[] = [
  {
    code: `import pl from "nodejs-polars"; import { Registry, RegistryError, show, createProgress } from "seqreg";
      import { topTaxa } from "seqreg/analysis"; ${ODD_TABLES}
      const registry = await Registry.open();`,
    states: [],
  },
  {
    code: "for (const [caption, value] of odd) await show(value, caption);",
    states: ["no rows: 0 rows × 1 column", "0001-01-01", "1152921504606846976", "column 199", "-Infinity", "NaN"],
  },
  {
    code: `const numbers = Array.from({ length: 2000 }, (_, n) => n);
      pl.DataFrame({ n: numbers, part: numbers.map((n) => [n, n + 1]) }).lazy()`,
    states: ["lazy frame: rows not counted × 2 columns; the first 1,000 are here", "[19,20]", "first 20 rows"],
  },
  { code: "registry", states: ["Registry: "] },
  {
    code: 'const found = await registry.search("country:Kenya", { pageSize: 30 });\nfound',
    states: ["Complete page: records 1 to 30 of 75: page 1", "vj000000000180", "Accession"],
  },
  { code: "found.hits.slice(0, 6)", states: ["hits: 6 rows", "vj000000000180"] },
  { code: "found.cite()", states: ["@misc"] },
  {
    code: 'await registry.sequences({ ids: ["vj000000000001", "vj000000000002", "vj000000000003", "vj999999999999"] })',
    states: ["5154", "Incomplete: asked for 4, received 3, missing 1 (vj999999999999)"],
  },
  { code: 'await registry.dataset("unique_seqs_metadata")', states: ["SHA-256", "verified", "Complete: asked for 1"] },
  {
    code: 'await registry.definitions(["Country", "Sequence Length", "no such field"])',
    states: ["Bases of the sequence", "no such field"],
  },
  {
    code: `const fields = ["Isolate", "Country", "Host Age"];
      const metadata = await registry.metadata({ query: "country:Kenya" }, { fields });
      metadata.problems`,
    states: ["problems: 18 rows", "has the unit"],
  },
  { code: "metadata.ledger", states: ["Complete: received 75"] },
  { code: 'await topTaxa(await (await registry.search("*", { pageSize: 100 })).frame(), { by: "genus" })', states: [] },
  {
    code: `createProgress({ to: "notebook" })({ task: "downloading", done: 40, total: 100, unit: "records" })`,
    states: ["downloading: 40 of 100 records, 40 %"],
  },
  {
    code: `new RegistryError("disk", "Cannot write a.csv: the disk is full; make room and run the cell again",
      { cause: new Error("No space left on device") })`,
    states: ["Cannot write a.csv: the disk is full", "next: make room", "cause: Error: No space left"],
  },
  {
    code: 'await registry.search("country:Kenya", { sort: { column: "countri" } })',
    states: ["what the registry answered"],
  },
];

const DISPLAY_CODE = EVERY_DISPLAY.map(({ code }) => code);

testInLab(
  "odd tables say something true, in light and dark, wide and narrow, and axe finds nothing serious",
  async () => {
    await withLessonFolder("displays", DISPLAY_CODE, async (folder, notebook) => {
      await using lab = await LabServer.start(folder);
      await using browser = await openBrowser();
      for (const width of [1280, 800]) {
        for (const dark of [false, true]) {
          await using page = await lab.open(browser, notebook, { width, dark, height: 8500 });
          await page.runAll(TIMEOUT_MS);
          const ran = await page.cells();
          assertEquals(ran.slice(0, -1).flatMap(({ errors }) => errors), []);
          assertStringIncludes(ran.at(-1)?.errors[0] ?? "", "InvalidRequestError");
          assertStringIncludes(ran.at(-1)?.html ?? "", "what the registry refuses");
          const chart = page.page.locator("figure.seqreg-chart > div > svg");
          const shape = await chart.boundingBox();
          assert(shape !== null && shape.width > 400 && shape.height > 200, "the chart has a size");
          assertStringIncludes(await chart.getAttribute("aria-label") ?? "", "Records by genus");
          assertStringIncludes(await chart.innerHTML(), ">Records by genus</");
          await page.picture(`${OUT}displays-${width}-${dark ? "dark" : "light"}.png`);

          await page.page.addScriptTag({ content: axe.source });
          const { rules, found } = await page.page.evaluate<{ rules: number; found: unknown[] }>(
            `axe.run({ include: [[".jp-OutputArea-output"]] }).then(({ passes, violations }) => ({
            rules: passes.length,
            found: violations.filter(({ impact }) => impact === "serious" || impact === "critical")
              .map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.slice(0, 3).map(({ html }) => html.slice(0, 300)) })),
          }))`,
          );
          assert(rules > 10, `axe tried only ${rules} rules that apply`);
          assertEquals(found, [], `axe at ${width} pixels, ${dark ? "dark" : "light"}`);
        }
      }
    });
  },
);

/** What a strict preview leaves of HTML: no script, style, drawing or foreign picture, and no attribute but a few. */
const SANITISE = `(html) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const found of page.querySelectorAll("script, style, svg, canvas, progress, iframe")) found.remove();
  for (const found of page.querySelectorAll("*")) {
    for (const { name } of [...found.attributes]) if (!["alt", "scope"].includes(name)) found.removeAttribute(name);
  }
  return page.body.innerHTML;
}`;

/** The notebook as nbconvert writes it for the web, with and without scripts. */
async function checkPage(browser: Browser, folder: string, notebook: string): Promise<void> {
  const args = ["nbconvert", "--to", "html", notebook];
  const { success, stderr } = await new Deno.Command("jupyter", { args, cwd: folder }).output();
  assert(success, new TextDecoder().decode(stderr));
  for (const javaScriptEnabled of [false, true]) {
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 1280, height: 8500 } });
    const page = await context.newPage();
    // The page's own scripts from elsewhere are not needed, and this machine may be without a network.
    await page.route(/^https?:/, (route) => route.abort());
    await page.goto(`file://${folder}/${notebook.replace(".ipynb", ".html")}`, { waitUntil: "domcontentloaded" });
    const cells = page.locator(".jp-CodeCell");
    for (const [index, { states }] of EVERY_DISPLAY.entries()) {
      const text = await cells.nth(index).innerText();
      // With scripts a table says how many rows there are where it said how many are shown.
      const stated = javaScriptEnabled ? states.filter((state) => !state.startsWith("first ")) : states;
      for (const state of stated) assertStringIncludes(text, state, `cell ${index} as a page`);
    }
    const shape = await page.locator(`figure.seqreg-chart ${javaScriptEnabled ? "svg" : "img"}`).first().boundingBox();
    assert(shape !== null && shape.width > 400 && shape.height > 200, "the chart has a size");
    await page.screenshot({ path: `${OUT}page-${javaScriptEnabled ? "alive" : "plain"}.png` });
    await context.close();
  }
}

testInLab(
  "another person's notebook shows its tables and charts, untrusted, as a page and in a strict preview",
  async () => {
    await withLessonFolder("untrusted", DISPLAY_CODE, async (folder, notebook) => {
      await using browser = await openBrowser();
      {
        await using lab = await LabServer.start(folder);
        await using page = await lab.open(browser, notebook);
        await page.runAll(TIMEOUT_MS);
        await page.command("docmanager:save");
      }
      // Another machine, which has not run it.
      await using lab = await LabServer.start(folder);
      for (const [width, dark] of [[1280, true], [800, false]] as const) {
        await using page = await lab.open(browser, notebook, { width, dark, height: 8500 });
        const isTrusted = "jupyterapp.shell.currentWidget.content.model.cells.get(1).trusted";
        assertEquals(await page.page.evaluate(isTrusted), false);
        await page.page.waitForFunction("document.querySelectorAll('.jp-OutputArea-output table').length >= 15");
        const cells = page.page.locator(".jp-CodeCell");
        for (const [index, { states }] of EVERY_DISPLAY.entries()) {
          const text = await cells.nth(index).locator(".jp-Cell-outputArea").innerText();
          for (const stated of states) assertStringIncludes(text, stated, `cell ${index}, untrusted`);
        }
        assertEquals(await page.page.getByRole("searchbox", { name: "filter rows" }).count(), 0, "no script has run");
        const strips = page.page.locator(".jp-OutputArea-output td img");
        assertEquals(await strips.count(), 3);
        const chart = page.page.locator(".jp-OutputArea-output figure img");
        for (const picture of [strips.first(), chart]) {
          const { width } = await picture.evaluate((image) => ({ width: Number(Reflect.get(image, "naturalWidth")) }));
          assert(width > 0);
        }
        const shape = await chart.boundingBox();
        assert(shape !== null && shape.width > 400 && shape.height > 200, "the chart has a size");
        await page.picture(`${OUT}untrusted-${width}-${dark ? "dark" : "light"}.png`);
      }

      await checkPage(browser, folder, notebook);

      const saved: { cells: { outputs: { data?: Record<string, string | string[]> }[] }[] } = JSON.parse(
        await Deno.readTextFile(`${folder}/${notebook}`),
      );
      const page = await browser.newPage({ viewport: { width: 1000, height: 6000 } });
      await page.setContent("<body></body>");
      for (const [index, { code, states }] of EVERY_DISPLAY.entries()) {
        const html = saved.cells[index].outputs.map(({ data }) => [data?.["text/html"] ?? ""].flat().join("")).join("");
        const text = await page.evaluate<string>(`(() => {
        const place = document.createElement("section");
        place.innerHTML = (${SANITISE})(${JSON.stringify(html)});
        document.body.append(place);
        return place.innerText + [...place.querySelectorAll("img")].map(({ alt }) => alt).join(" ");
      })()`);
        for (const stated of states) assertStringIncludes(text, stated, `cell ${index}, in a strict preview`);
        if (code.includes("await topTaxa")) assertStringIncludes(text, "Records by genus");
        if (code.includes("registry.sequences")) assertStringIncludes(text, "5,154 bases, GC 50.3 %");
      }
      await page.screenshot({ path: `${OUT}preview.png`, fullPage: true });
    });
  },
);
