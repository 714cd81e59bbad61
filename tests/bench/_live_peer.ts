/** The peer of `live.ts`: quak's table of the same Parquet files, in the same JupyterLab. */
import type { Browser } from "playwright-core";
import { type LabServer, writeNotebook } from "../browser/_lab.ts";
import { needsModules } from "../_python.ts";

/** Whether the Python of `jupyter`, which `PYTHON` names, has quak. */
export const HAS_QUAK: boolean = Object.values(needsModules("quak", "duckdb")).every(Boolean);

/** Longest wait for rows. */
const WAIT_MS = 120_000;

/** quak's rows, which are below a shadow root. */
const TABLE = `[...document.querySelectorAll(".jp-OutputArea-output div")]
  .map(({ shadowRoot }) => shadowRoot?.querySelector("table")).find(Boolean)`;

/** What the peer took, in milliseconds. */
export interface QuakFigures {
  /** From the cell to rows. */
  readonly cell: number;
  /** By column: from a click to the first rows of its order. */
  readonly sorts: Readonly<Record<string, number>>;
}

/**
 * Measures quak over files.
 *
 * @param firsts The first values that each order has to show, by column.
 * @throws {Error} If quak shows others.
 */
export async function measureQuak(
  { server, browser }: { readonly server: LabServer; readonly browser: Browser },
  { folder, paths, firsts }: {
    readonly folder: string;
    readonly paths: readonly string[];
    readonly firsts: Readonly<Record<string, readonly string[]>>;
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
  return { cell, sorts };
}
