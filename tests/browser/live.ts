/**
 * Live tables in a real JupyterLab and a real browser: scrolled, sorted, filtered, read back by cells, also while one
 * computes; and what ends under them: the data process, the lake, the page, the kernel. Run by `deno task checks
 * browser-live`.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
// Used by checks alone, which may install what they like: not a dependency of the toolkit.
// deno-lint-ignore no-import-prefix
import axe from "npm:axe-core@4.10.3";
import { makeSample } from "../../src/embedded/sample/mod.ts";
import { buildLake } from "../../src/core/tables/mod.ts";
import type { Browser, Page } from "playwright-core";
import { type LabPage, LabServer, openBrowser, testInLab, writeNotebook } from "./_lab.ts";

const OUT = new URL("../../.ci/out/", import.meta.url).pathname;
const TIMEOUT_MS = 60_000;
const RECORDS = 3000;

/** What is seen of the live table. */
class Seen {
  readonly #lab: { readonly page: Page };

  constructor(lab: { readonly page: Page }) {
    this.#lab = lab;
  }

  async status(): Promise<string> {
    return await this.#lab.page.locator("[data-seqreg-live] [role=status]").innerText();
  }

  async untilStatus(text: string): Promise<void> {
    const says = `document.querySelector("[data-seqreg-live] [role=status]")?.textContent?.endsWith(${
      JSON.stringify(text)
    })`;
    await this.#until(says, text);
  }

  /** Waits until a cell of a row, by its number from 1, has a value. */
  async cell(row: number, column: string): Promise<string> {
    const cell = `document.querySelector(${JSON.stringify(`[data-row="${row}"] [data-column="${column}"]`)})`;
    await this.#until(`${cell}?.textContent`, `row ${row}, ${column}`);
    return await this.#lab.page.evaluate(`${cell}.textContent`);
  }

  async untilState(state: string): Promise<void> {
    await this.#until(`document.querySelector("[data-seqreg-live=${state}]")`, `the state ${state}`);
  }

  async untilText(text: string): Promise<void> {
    await this.#until(
      `document.querySelector("[data-seqreg-live]").textContent.includes(${JSON.stringify(text)})`,
      text,
    );
  }

  async #until(expression: string, what: string): Promise<void> {
    await this.#lab.page.waitForFunction(expression, null, { timeout: TIMEOUT_MS }).catch((cause) => {
      throw new Error(`not seen: ${what}`, { cause });
    });
  }

  async goTo(row: number): Promise<void> {
    const field = this.#lab.page.getByLabel("go to row");
    await field.fill(String(row));
    await field.press("Enter");
  }

  async filter(column: string, text: string): Promise<void> {
    const field = this.#lab.page.getByLabel(`filter ${column}`, { exact: true });
    await field.fill(text);
    await field.press("Enter");
  }

  async sort(column: string): Promise<void> {
    await this.#lab.page.locator(`[role=columnheader][data-column="${column}"] button`).click();
  }
}

/** What axe-core finds in the live table. */
async function axeFaults({ page }: LabPage): Promise<readonly unknown[]> {
  await page.addScriptTag({ content: axe.source });
  return await page.evaluate(
    `axe.run({ include: [["[data-seqreg-live]"]] }).then(({ violations }) => violations
    .map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.slice(0, 3).map(({ html }) => html.slice(0, 300)) })))`,
  );
}

/** Controls and texts beside the grid that stand beyond the sides of their output, or on each other. */
const BEYOND = `(() => {
  const table = document.querySelector("[data-seqreg-live]");
  const { left, right } = table.closest(".jp-OutputArea-output").getBoundingClientRect();
  const boxes = [...table.querySelectorAll("button, input, select, [role=status]")]
    .filter((one) => !one.closest("[role=grid]") && one.checkVisibility())
    .map((one) => ({ name: one.ariaLabel ?? one.textContent, box: one.getBoundingClientRect(), one }));
  const faults = boxes.filter(({ box }) => box.left < left - 1 || box.right > right + 1).map(({ name }) => name);
  for (const [at, a] of boxes.entries()) for (const b of boxes.slice(at + 1)) {
    const width = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
    const height = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
    if (width > 1 && height > 1 && !a.one.contains(b.one) && !b.one.contains(a.one)) faults.push(a.name + " / " + b.name);
  }
  return faults;
})()`;

/** Runs one cell of the notebook and gives what it printed. */
async function run(lab: LabPage, cell: number): Promise<string> {
  await lab.page.evaluate(`(async () => {
    const { content } = jupyterapp.shell.currentWidget;
    content.activeCellIndex = ${cell};
    content.deselectAll();
    await jupyterapp.commands.execute("notebook:run-cell");
  })()`);
  return (await lab.cells())[cell].text;
}

/** Data processes that this test's server started, which are below this process. */
async function dataProcesses(): Promise<number[]> {
  const parents = new Map<number, number>();
  const found: number[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    try {
      const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
      parents.set(pid, Number(stat.replace(/^.*\) /s, "").split(" ")[1]));
      if ((await Deno.readTextFile(`/proc/${pid}/cmdline`)).includes("serve_tables.ts")) found.push(pid);
    } catch {
      // It has ended meanwhile.
    }
  }
  const isOurs = (pid: number): boolean => pid === Deno.pid || (pid > 1 && isOurs(parents.get(pid) ?? 0));
  return found.filter(isOurs);
}

/** Where a live table is looked at. */
interface Room {
  readonly lab: LabPage;
  readonly seen: Seen;
  readonly folder: string;
  readonly server: LabServer;
  readonly browser: Browser;
}

async function withLab(work: (room: Room) => Promise<void>) {
  const folder = `${OUT}live`;
  await Deno.mkdir(folder, { recursive: true });
  try {
    await makeSample(`${folder}/archives`, { records: RECORDS });
    await buildLake(`${folder}/archives`, `${folder}/lake`);
    await writeNotebook(`${folder}/live.ipynb`, [
      `import { live } from "seqreg";
       import { openLake } from "seqreg/tables";
       const lake = await openLake("lake");
       const view = await live(lake);
       view`,
      "console.log(JSON.stringify([view.filter, view.sort, view.columns.length, (await view.frame()).height]))",
      `view.filter = { Country: "=Kenya" }; view.sort = { by: "Sequence Length" };`,
      "console.log((await view.selected()).join())",
      `console.log("begun"); for (const end = Date.now() + 6000; Date.now() < end;);`,
      "console.log((await view.code()).sql)",
    ]);
    await using server = await LabServer.start(folder);
    await using browser = await openBrowser();
    await using lab = await server.open(browser, "live.ipynb", { width: 1280, height: 1100 });
    const errors: string[] = [];
    lab.page.on("pageerror", (error) => errors.push(String(error)));
    await run(lab, 0);
    const seen = new Seen(lab);
    await seen.untilState("open");
    await work({ lab, seen, folder, server, browser });
    assertEquals(errors, []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const NAME = "full_dataset_metadata";
const ALL = `${NAME}: 3,000 rows × 54 columns`;

testInLab("a table is scrolled, sorted, filtered, read back by cells, and outlives what ends under it", async (t) => {
  await withLab(async ({ lab, seen, folder, server, browser }) => {
    await t.step("any row, by its number, the wheel and keys", async () => {
      assertEquals(await seen.cell(1, "Registry Accession"), "vj000000000001");
      assertEquals(await seen.status(), ALL);
      await seen.goTo(2500);
      assertEquals(await seen.cell(2500, "Registry Accession"), "vj000000002500");
      await lab.page.locator("[role=gridcell]").first().hover();
      await lab.page.mouse.wheel(0, 440);
      assertEquals(await seen.cell(2520, "Registry Accession"), "vj000000002520");
      await lab.page.locator(`[data-row="2521"] [data-column="Registry Accession"]`).click();
      await lab.page.keyboard.press("Control+End");
      assertEquals(await seen.cell(RECORDS, "Registry Accession"), "vj000000003000");
      await lab.page.keyboard.press("Control+Home");
      await lab.page.keyboard.press("ArrowDown");
      await seen.cell(2, "Registry Accession");
      await lab.page.keyboard.press("Space");
      assertEquals(await seen.cell(2, "Registry Accession"), "vj000000000002");
      assertEquals(await run(lab, 3), "vj000000000002\n");
    });
    await t.step("the bar", async () => {
      await lab.page.evaluate(`document.querySelector(".seqreg-live-view").scrollTop = 1e9`);
      assertEquals(await seen.cell(RECORDS, "Registry Accession"), "vj000000003000");
    });
    await t.step("filters and orders, which a cell reads", async () => {
      await seen.filter("Sequence Length", ">5000");
      await seen.filter("Country", "ken");
      await seen.sort("Sequence Length");
      await seen.sort("Sequence Length");
      await seen.cell(1, "Sequence Length");
      const [filter, sort, columns, rows] = JSON.parse(await run(lab, 1));
      assertEquals(filter, { "Sequence Length": ">5000", "Country": "ken" });
      assertEquals([sort, columns], [{ by: "Sequence Length", descending: true }, 54]);
      await seen.untilStatus(`${rows} of 3,000 rows × 54 columns`);
      assertStringIncludes(await run(lab, 5), `contains(lower("Country"), lower('ken'))`);
      await seen.filter("Sequence Length", "long");
      await seen.untilText('"long" is not a number');
    });
    await t.step("what a cell sets", async () => {
      await run(lab, 2);
      assertEquals(await seen.cell(1, "Country"), "Kenya");
      assertEquals(await lab.page.getByLabel("filter Country", { exact: true }).inputValue(), "=Kenya");
      await seen.filter("Country", "");
      await seen.untilStatus(ALL);
    });
    await t.step("a range that is drawn with the mouse", async () => {
      const range = lab.page.getByLabel("range of Sequence Length");
      await range.scrollIntoViewIfNeeded();
      const box = await range.boundingBox();
      assert(box !== null);
      await lab.page.mouse.move(box.x + 2, box.y + 10);
      await lab.page.mouse.down();
      await lab.page.mouse.move(box.x + box.width * 0.1, box.y + 10);
      await lab.page.mouse.up();
      const text = await lab.page.getByLabel("filter Sequence Length", { exact: true }).inputValue();
      assert(/^\d+\.\.\d+$/.test(text), text);
      await seen.filter("Sequence Length", "");
      await seen.untilStatus(ALL);
    });
    await t.step("while a cell computes and another waits", async () => {
      let isRunning = true;
      const running = run(lab, 4).finally(() => isRunning = false);
      await lab.page.waitForFunction(`document.body.innerText.includes("begun")`, null, { timeout: TIMEOUT_MS });
      const began = performance.now();
      await seen.goTo(1234);
      await seen.cell(1234, "Registry Accession");
      await seen.filter("Country", "peru");
      await seen.cell(1, "Country");
      assert(isRunning, `rows took ${performance.now() - began} ms: the cell has ended`);
      await running;
      await seen.filter("Country", "");
      await seen.untilStatus(ALL);
    });
    await t.step("a record, columns, code; axe and pictures in light and dark, narrow and wide", async () => {
      await seen.goTo(1);
      await seen.sort("Sequence Length");
      await seen.cell(1, "Registry Accession");
      await lab.page.locator(`[data-row="1"] [data-column="Registry Accession"]`).dblclick();
      await lab.page.getByRole("group", { name: "record 1" }).waitFor();
      for (const dark of [false, true]) {
        for (const width of [1280, 520]) {
          await lab.turn({ width, height: 1100, dark });
          await seen.cell(1, "Registry Accession");
          await lab.picture(`${OUT}live-${dark ? "dark" : "light"}-${width}.png`);
          assertEquals(await axeFaults(lab), [], `axe at ${width} pixels, ${dark ? "dark" : "light"}`);
        }
      }
    });
    await t.step("200 % zoom: all of it is within reach, by mouse and keys", async () => {
      // A window of 1280 × 1100 whose page is zoomed so has these CSS pixels.
      await lab.turn({ width: 640, height: 550, dark: false });
      await seen.goTo(2000);
      await seen.cell(2000, "Registry Accession");
      assertEquals(await lab.page.evaluate(BEYOND), []);
      assertEquals(await axeFaults(lab), []);
      await lab.picture(`${OUT}live-zoomed.png`);
      await lab.page.locator("[role=gridcell]").first().click();
      await lab.page.keyboard.press("Control+End");
      await seen.cell(RECORDS, "Registry Accession");
      await seen.filter("Country", "=Peru");
      assertEquals(await seen.cell(1, "Country"), "Peru");
      await seen.filter("Country", "");
      await seen.untilStatus(ALL);
    });
    await lab.turn({ width: 1280, height: 1100, dark: false });
    await seen.sort("Sequence Length");
    await t.step("the data process, by a kill", async () => {
      const [pid, ...others] = await dataProcesses();
      assertEquals(others, []);
      Deno.kill(pid, "SIGKILL");
      await seen.goTo(2000);
      const again = lab.page.getByRole("button", { name: "try again" });
      const came = `document.querySelector('[data-row="2000"] [data-column="Registry Accession"]')?.textContent`;
      await lab.page.waitForFunction(`${came} || document.querySelector("[data-seqreg-live] [role=alert] button")`);
      if (await again.isVisible()) await again.click();
      await seen.goTo(2001);
      assertEquals(await seen.cell(2001, "Registry Accession"), "vj000000002001");
      assertEquals((await dataProcesses()).includes(pid), false);
      assertEquals(JSON.parse(await run(lab, 1))[3], RECORDS);
    });
    await t.step("the page, opened again: live, with its filters", async () => {
      await seen.filter("Country", "=Kenya");
      await seen.cell(1, "Country");
      await lab.command("docmanager:save");
      await lab.page.reload();
      await seen.untilState("open");
      assertEquals(await seen.cell(1, "Country"), "Kenya");
      assertEquals(await lab.page.getByLabel("filter Country", { exact: true }).inputValue(), "=Kenya");
      await seen.filter("Country", "");
    });
    await t.step("Notebook 7, of the same kernel: live too, and each page by itself", async () => {
      const page = await server.openInNotebook(browser, "live.ipynb");
      const other = new Seen({ page });
      await other.untilState("open");
      await other.goTo(1500);
      assertEquals(await other.cell(1500, "Registry Accession"), "vj000000001500");
      await seen.goTo(3);
      assertEquals(await seen.cell(3, "Registry Accession"), "vj000000000003");
      await other.filter("Country", "=Peru");
      assertEquals(await other.cell(1, "Country"), "Peru");
      assertEquals(await seen.cell(3, "Registry Accession"), "vj000000000003");
      await page.screenshot({ path: `${OUT}live-notebook7.png` });
      await other.filter("Country", "");
      await page.close();
      await seen.goTo(5);
      assertEquals(await seen.cell(5, "Registry Accession"), "vj000000000005");
    });
    await t.step("a notebook from another source: nothing is live before it is trusted", async () => {
      await lab.command("docmanager:save");
      const text = await Deno.readTextFile(`${folder}/live.ipynb`);
      // Another byte, and the signature is no longer that of this user.
      await Deno.writeTextFile(`${folder}/live.ipynb`, text.replace("await view.frame()", "(await view.frame())"));
      const page = await server.openInNotebook(browser, "live.ipynb");
      await page.getByText("vj000000000010").first().waitFor();
      assertEquals(await page.locator("[role=grid]").count(), 0);
      await page.close();
      await Deno.writeTextFile(`${folder}/live.ipynb`, text);
    });
    await t.step("the lake, built again: said, and opened anew", async () => {
      await makeSample(`${folder}/archives2`, { records: 500, seed: 2 });
      await buildLake(`${folder}/archives2`, `${folder}/lake`);
      await seen.goTo(900);
      await seen.untilText("it was written anew or removed");
      await lab.page.getByRole("button", { name: "open anew" }).click();
      await seen.untilStatus(`${NAME}: 500 rows × 54 columns`);
      await seen.goTo(400);
      assertEquals(await seen.cell(400, "Registry Accession"), "vj000000000400");
    });
    await t.step("the file: the first rows as a plain table, nothing of the page", async () => {
      await lab.command("docmanager:save");
      const text = await Deno.readTextFile(`${folder}/live.ipynb`);
      assertStringIncludes(text, 'data-seqreg-live=\\"saved\\"');
      assertStringIncludes(text, "vj000000000010");
      for (const word of ["seqreg-live-view", 'role=\\"grid', "application/vnd"]) {
        assertEquals(text.includes(word), false, `the file holds ${word}`);
      }
    });
    await t.step("the cell, run again: one live table, and the earlier one is forgotten", async () => {
      await run(lab, 0);
      await seen.untilState("open");
      assertEquals(await lab.page.locator("[data-seqreg-live]").count(), 1);
      assertEquals(await seen.cell(1, "Registry Accession"), "vj000000000001");
    });
    await t.step("the kernel, restarted: the first rows, and what to do; its data process is gone", async () => {
      await lab.page.evaluate(`jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()`);
      await seen.untilState("closed");
      await seen.untilText("run the cell again");
      await seen.untilText("vj000000000001");
      const late = Date.now() + 20_000;
      while ((await dataProcesses()).length > 0) {
        assert(Date.now() < late, "the data process of the old kernel is still there");
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      await run(lab, 0);
      await seen.untilState("open");
      assertEquals(await seen.cell(1, "Registry Accession"), "vj000000000001");
    });
  });
});
