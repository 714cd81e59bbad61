/**
 * Help where one types, in a real JupyterLab: Shift+Tab, Tab, `name?`, Stop in a loop that awaits, cards and errors.
 * Run by `deno task checks browser-help`. Screenshots go to `.ci/out`.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type LabPage, LabServer, openBrowser, writeNotebook } from "./_lab.ts";

const OUT = new URL("../../.ci/out/", import.meta.url).pathname;
const TIMEOUT_MS = 120_000;

const OPEN = `import { Registry } from "seqreg"; import { recordsInTime } from "seqreg/analysis";
const registry = await Registry.open();
const page = await registry.search("country:Kenya", { pageSize: 2 });`;

/** A notebook of these cells below the checkout, where the toolkit is found, opened in JupyterLab. */
async function withCells(
  name: string,
  cells: readonly string[],
  work: (page: LabPage) => Promise<void>,
): Promise<void> {
  const folder = `${OUT}${name}`;
  await Deno.mkdir(folder, { recursive: true });
  await writeNotebook(`${folder}/${name}.ipynb`, cells);
  await using lab = await LabServer.start(folder);
  await using browser = await openBrowser();
  await using page = await lab.open(browser, `${name}.ipynb`, { height: 1100 });
  await work(page);
}

async function type({ page }: LabPage, cell: number, code: string): Promise<void> {
  await page.locator(".jp-CodeCell").nth(cell).locator(".cm-content").click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(code);
}

Deno.test("Shift+Tab and Tab answer where one types", () =>
  withCells("help", [OPEN, ""], async (lab) => {
    const { page } = lab;
    await lab.runAll(TIMEOUT_MS);
    await type(lab, 1, "await registry.search(");
    await page.keyboard.press("Shift+Tab");
    const tooltip = page.locator(".jp-Tooltip");
    // Its text is drawn after it is there.
    await tooltip.getByText("Searches for one page").waitFor({ timeout: TIMEOUT_MS });
    const told = await tooltip.innerText();
    for (const part of ["Searches for one page", "pageSize", "a whole number from 1", "const page = await registry"]) {
      assertStringIncludes(told, part);
    }
    await lab.picture(`${OUT}help-shift-tab.png`);
    await page.keyboard.press("Escape");

    const completer = page.locator(".jp-Completer");
    const cases: Record<string, readonly string[]> = {
      'await registry.search("x", { p': ["pageSize", "pageNumber"],
      'await recordsInTime(page, { by: "': ["year", "month"],
      'await registry.dataset("full': ["full_dataset_sequence", "full_dataset_metadata"],
      'await registry.search("country:Ken': ["Kenya"],
    };
    for (const [index, [code, expected]] of Object.entries(cases).entries()) {
      await type(lab, 1, code);
      await page.keyboard.press("Tab");
      // One that fits alone is put in at once.
      if (expected.length === 1) {
        const isIn = `document.querySelectorAll(".jp-CodeCell .cm-content")[1].innerText.includes(${
          JSON.stringify(expected[0])
        })`;
        // JupyterLab waits a second for an answer: on a busy machine the registry may take longer the first time.
        for (let tries = 1; tries <= 5; tries++) {
          await page.waitForTimeout(2000);
          if (await page.evaluate<boolean>(isIn)) break;
          await page.keyboard.press("Tab");
        }
        assert(await page.evaluate<boolean>(isIn), `${code} is completed`);
        continue;
      }
      for (const text of expected) await completer.getByText(text, { exact: true }).first().waitFor();
      await lab.picture(`${OUT}help-tab-${index}.png`);
      await page.keyboard.press("Escape");
    }
  }));

Deno.test("questions, cards and errors under their cell", () =>
  withCells("answers", [
    OPEN,
    "registry.metadata?",
    'registry.search("country:Kenya").rows',
    'await registry.lake({ archives: ["full_dataset_metadata", "full_dataset_sequence"] })',
    "%%time\nawait new Promise((resolve) => setTimeout(resolve, 50))",
    'await registry.search("contry:Kenya")',
  ], async (lab) => {
    await lab.runAll(TIMEOUT_MS);
    const [, help, promise, lake, time, wrong] = await lab.cells();
    assertStringIncludes(help.plain, "Exports metadata of records that match, or of named ones.");
    assertStringIncludes(promise.text, "registry.search(…) gives a promise");
    assertStringIncludes(lake.html, "full_dataset_metadata (main)");
    assertStringIncludes(time.text, "time: ");
    assertStringIncludes(wrong.html, "<summary>what the registry answered</summary>");
    const shown = await lab.page.locator(".jp-CodeCell").nth(5).locator(".jp-OutputArea").innerText();
    assertStringIncludes(shown, 'Unknown field "contry" (column 1 of the query). Did you mean "country"?');
    assert(!shown.includes("body.query"), "what came over the wire is folded away");
    await lab.turn({ width: 1280, height: 2600, dark: false });
    await lab.picture(`${OUT}help-answers.png`);
  }));

Deno.test("Stop ends a loop that awaits, and keeps the state", () =>
  withCells("stop-awaits", [
    "globalThis.keep = 42",
    "for (;;) await new Promise((r) => setTimeout(r, 50))",
    "console.log(keep)",
  ], async (lab) => {
    const running = lab.runAll(TIMEOUT_MS);
    await lab.page.waitForFunction(
      "jupyterapp.shell.currentWidget.content.widgets[1].prompt === '*' && " +
        "jupyterapp.shell.currentWidget.content.widgets[0].prompt === '1'",
      null,
      { timeout: TIMEOUT_MS },
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    const pressedAt = performance.now();
    await lab.command("kernelmenu:interrupt");
    await running;
    assert(performance.now() - pressedAt < 10_000, `Stop took ${performance.now() - pressedAt} ms`);
    const [, stopped, after] = await lab.cells();
    assertStringIncludes(stopped.errors.join(), "stopped by the user");
    assertEquals(after.text, "", "the cell behind it is not run");
    await lab.page.evaluate("jupyterapp.shell.currentWidget.content.activeCellIndex = 2");
    await lab.command("notebook:run-cell");
    assertEquals((await lab.cells())[2].text, "42\n");
  }));
