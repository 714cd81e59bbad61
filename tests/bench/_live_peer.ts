/**
 * The peer of `live.ts`: quak's table of the same Parquet files, in the same JupyterLab.
 *
 * It has no jump: rows are added at the end as one scrolls towards it, a hundred a query.
 */
import type { Browser, Page } from "playwright-core";
import { type LabServer, writeNotebook } from "../browser/_lab.ts";
import { needsModules } from "../_python.ts";

/** Whether the Python of `jupyter`, which `PYTHON` names, has quak. */
export const HAS_QUAK: boolean = Object.values(needsModules("quak", "duckdb")).every(Boolean);

/** Longest wait for rows. */
const WAIT_MS = 120_000;

/** quak's rows, which are below a shadow root. */
const TABLE = `[...document.querySelectorAll(".jp-OutputArea-output div")]
  .map(({ shadowRoot }) => shadowRoot?.querySelector("table")).find(Boolean)`;

/** Value of the column `Country` whose rows are filtered. */
export const FILTERED = "Kenya";

/** What the peer took, in milliseconds. */
export interface QuakFigures {
  /** From the cell to rows. */
  readonly cell: number;
  /** From the top to a row further down. */
  readonly scroll: number;
  /** From a click on a value to the rows that have it, and how many they are. */
  readonly filter: { readonly time: number; readonly count: number };
  /** By column: from a click to the first rows of its order. */
  readonly sorts: Readonly<Record<string, number>>;
}

/**
 * Measures quak over files.
 *
 * @param firsts The first values that each order has to show, by column.
 * @param last First value of the row that is scrolled to.
 * @throws {Error} If quak shows others.
 */
export async function measureQuak(
  { server, browser }: { readonly server: LabServer; readonly browser: Browser },
  { folder, paths, firsts, last }: {
    readonly folder: string;
    readonly paths: readonly string[];
    readonly firsts: Readonly<Record<string, readonly string[]>>;
    readonly last: string;
  },
): Promise<QuakFigures> {
  await writeNotebook(`${folder}/quak.ipynb`, [
    `import duckdb, quak\nconnection = duckdb.connect()\n` +
    `connection.execute("CREATE VIEW df AS SELECT * FROM read_parquet(" + repr(${JSON.stringify(paths)}) + ")")`,
    "quak.Widget(connection)",
  ], { display_name: "Python 3", language: "python", name: "python3" });
  await using lab = await server.open(browser, "quak.ipynb", { height: 1000 });
  const { page } = lab;
  const run = (cell: number) =>
    `jupyterapp.shell.currentWidget.content.activeCellIndex = ${cell}; jupyterapp.commands.execute("notebook:run-cell")`;
  await page.evaluate(`(async () => { ${run(0)}; })()`);
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const cell = await page.evaluate<number>(`(async () => {
    const began = performance.now();
    ${run(1)};
    while (!${TABLE}?.tBodies[0].rows[1]?.cells[1]?.textContent) await new Promise((resolve) => setTimeout(resolve, 2));
    return performance.now() - began;
  })()`);
  const scroll = await page.evaluate<number>(`(async () => {
    const began = performance.now();
    while (performance.now() - began < ${WAIT_MS}) {
      const rows = [...${TABLE}.tBodies[0].rows].slice(-60);
      if (rows.some(({ cells }) => cells[1]?.textContent === ${JSON.stringify(last)})) return performance.now() - began;
      const box = ${TABLE}.closest(".table-container");
      box.scrollTop = box.scrollHeight;
      // It hears of the scroll at the next frame.
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return NaN;
  })()`);
  if (Number.isNaN(scroll)) throw new Error(`quak shows no ${last} in its first rows`);
  const filter = await measureFilter(page);
  const sorts: Record<string, number> = {};
  for (const [column, expected] of Object.entries(firsts)) {
    // Bars above the columns are counted first.
    await new Promise((resolve) => setTimeout(resolve, 5000));
    const head = page.locator("thead th", { hasText: column }).first();
    await head.hover();
    const sorted = page.evaluate<number>(`new Promise((resolve) => addEventListener("click", async () => {
      const began = performance.now();
      const place = [...${TABLE}.tHead.rows[0].cells].findIndex((head) => head.textContent.includes("${column}"));
      const shown = () => [...${TABLE}.tBodies[0].rows].slice(0, ${expected.length})
        .map((row) => row.cells[place]?.textContent.replaceAll(",", "")).join();
      while (shown() !== ${JSON.stringify(expected.join())} && performance.now() - began < ${WAIT_MS}) {
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      resolve(shown() === ${JSON.stringify(expected.join())} ? performance.now() - began : NaN);
    }, { once: true, capture: true }))`);
    await head.locator(".sort-button").click();
    sorts[column] = await sorted;
    if (Number.isNaN(sorts[column])) throw new Error(`quak does not show ${expected.join()} first by ${column}`);
  }
  return { cell, scroll, filter, sorts };
}

/** Filters by a click on a value's bar, and takes the filter away. */
async function measureFilter(page: Page): Promise<QuakFigures["filter"]> {
  const bar = page.locator("thead th", { hasText: "Country" }).locator(`[title="${FILTERED}"]`);
  await bar.waitFor({ state: "attached", timeout: WAIT_MS });
  // Bars above the other columns are counted too.
  await new Promise((resolve) => setTimeout(resolve, 5000));
  await page.locator("thead th", { hasText: "Country" }).hover();
  const box = await bar.boundingBox();
  if (box === null) throw new Error(`quak shows no bar of ${FILTERED}`);
  const filtered = page.evaluate<QuakFigures["filter"]>(
    `new Promise((resolve) => addEventListener("mousedown", async () => {
    const began = performance.now();
    const place = [...${TABLE}.tHead.rows[0].cells].findIndex((head) => head.textContent.includes("Country"));
    for (;;) {
      const [, count] = /^([\\d,]+) of /.exec(${TABLE}.getRootNode().querySelector(".status-bar span").innerText) ?? [];
      const values = [...${TABLE}.tBodies[0].rows].slice(0, 10).map((row) => row.cells[place]?.textContent);
      if (count !== undefined && values.length === 10 && values.every((value) => value === "${FILTERED}")) {
        return resolve({ time: performance.now() - began, count: Number(count.replaceAll(",", "")) });
      }
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }, { once: true, capture: true }))`,
  );
  // Something above the bar takes the mouse.
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.up();
  const figures = await filtered;
  await page.locator(".status-bar button").dispatchEvent("mousedown");
  return figures;
}
