/**
 * Every lesson in a real JupyterLab, as a class opens it: Run All, no errors, what is stated is shown. Run by `deno
 * task checks browser-lessons`. Screenshots go to `.ci/out`.
 */
import { assert, assertEquals } from "@std/assert";
import { relative, walk } from "../_files.ts";
import { readCells } from "../notebooks/_notebook.ts";
import { LabServer, openBrowser, testInLab } from "./_lab.ts";

const NOTEBOOKS = new URL("../../notebooks/", import.meta.url);
const OUT = new URL("../../.ci/out/", import.meta.url).pathname;
const TIMEOUT_MS = 120_000;

testInLab("every lesson runs in JupyterLab, and shows what it states", async (t) => {
  // JupyterLab saves what it runs: copies below the checkout, where the toolkit is found.
  const folder = `${OUT}all-lessons`;
  await Deno.mkdir(folder, { recursive: true });
  const notebooks = await walk(NOTEBOOKS, ".ipynb");
  for (const notebook of notebooks) await Deno.copyFile(notebook, `${folder}/${relative(NOTEBOOKS, notebook)}`);
  await using lab = await LabServer.start(folder);
  await using browser = await openBrowser();
  for (const notebook of notebooks) {
    const name = relative(NOTEBOOKS, notebook);
    await t.step(name, async () => {
      await using page = await lab.open(browser, name, { height: 9000 });
      await page.runAll(TIMEOUT_MS);
      const shown = await page.cells();
      assertEquals(shown.flatMap(({ errors }) => errors), []);
      // Values without a table are plain texts of the document.
      const documents = await page.page.evaluate<string[]>(
        "jupyterapp.shell.currentWidget.content.model.sharedModel.toJSON().cells" +
          ".filter((cell) => cell.cell_type === 'code').map(({ outputs }) => JSON.stringify(outputs))",
      );
      const code = (await readCells(notebook)).filter(({ type }) => type === "code");
      for (const [place, { expect }] of code.entries()) {
        const { text, html } = shown[place];
        for (const stated of expect) {
          assert(
            `${text}\n${html}\n${documents[place]}`.includes(stated),
            `code cell ${place} does not show ${JSON.stringify(stated)}`,
          );
        }
      }
      for (const width of [1280, 800]) {
        for (const dark of [false, true]) {
          await page.turn({ width, dark, height: 9000 });
          const looks = `${width}-${dark ? "dark" : "light"}`;
          await page.picture(`${OUT}${name.replace(".ipynb", "")}-${looks}.png`);
        }
      }
    });
  }
});
