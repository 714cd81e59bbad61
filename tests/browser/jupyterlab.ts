/**
 * Our kernel and our displays in a real JupyterLab, looked at by a real browser. Run by `deno task checks
 * browser-jupyterlab`. Screenshots go to `.ci/out`.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { LabServer, openBrowser, testInLab, writeNotebook } from "./_lab.ts";
import { inFolder } from "../_files.ts";

const OUT = new URL("../../.ci/out/", import.meta.url).pathname;
const TIMEOUT_MS = 120_000;
const TOOLKIT = new URL("../../", import.meta.url).href;

/** Values that would do something if they reached a page unescaped. */
const HOSTILE = [
  "<script>globalThis.hacked = 1</script>",
  "</script><script>globalThis.hacked = 1</script>",
  "<img src=x onerror='globalThis.hacked = 1'>",
  "<svg onload='globalThis.hacked = 1'></svg>",
  `"><iframe src="javascript:parent.hacked = 1"></iframe>`,
  "<a href='javascript:globalThis.hacked = 1'>x</a>",
  "<details open ontoggle='globalThis.hacked = 1'>",
  "<!--",
  "\u202egpj.exe",
  "\ud800",
  "\x1b]0;title\x07",
];

async function withNotebook(
  name: string,
  cells: readonly string[],
  work: (folder: string, notebook: string) => Promise<void>,
): Promise<void> {
  await Deno.mkdir(OUT, { recursive: true });
  await inFolder(async (folder) => {
    await writeNotebook(`${folder}/${name}.ipynb`, cells);
    await work(folder, `${name}.ipynb`);
  });
}

for (const core of [undefined, 0]) {
  const where = core === undefined ? "" : ", on one core too";
  testInLab(`Run All puts every printed line under its own cell${where}`, () => checkPrints(core));
}

async function checkPrints(core: number | undefined): Promise<void> {
  const cells = [1, 2, 3, 4, 5].map((cell) => `for (let i = 0; i < 500; i++) console.log("${cell}:" + i)`);
  await withNotebook("prints", cells, async (folder, notebook) => {
    await using lab = await LabServer.start(folder, { core });
    await using browser = await openBrowser();
    await using page = await lab.open(browser, notebook);
    await page.runAll(TIMEOUT_MS);
    for (const [index, { text }] of (await page.cells()).entries()) {
      assertEquals(text, Array.from({ length: 500 }, (_, line) => `${index + 1}:${line}\n`).join(""));
    }
  });
}

testInLab("a lesson that is opened is not marked as changed", async () => {
  const folder = await Deno.makeTempDir();
  const lesson = "01_first_contact.ipynb";
  await Deno.copyFile(new URL(`../../notebooks/${lesson}`, import.meta.url), `${folder}/${lesson}`);
  try {
    await using lab = await LabServer.start(folder);
    await using browser = await openBrowser();
    await using page = await lab.open(browser, lesson);
    // What JupyterLab knows of the kernel is written into the notebook when it has come.
    const isChanged = await page.page.evaluate<boolean>(`(async () => {
      const { sessionContext, context } = jupyterapp.shell.currentWidget;
      await sessionContext.session.kernel.info;
      await sessionContext.session.kernel.spec;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return context.model.dirty;
    })()`);
    assertEquals(isChanged, false);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

testInLab("Stop ends the cell and keeps the state", async () => {
  const cells = ["globalThis.keep = 42", "while (true) {}", "console.log(keep)"];
  await withNotebook("stop", cells, async (folder, notebook) => {
    await using lab = await LabServer.start(folder);
    await using browser = await openBrowser();
    await using page = await lab.open(browser, notebook);
    const running = page.runAll(TIMEOUT_MS);
    await page.page.waitForFunction(
      "jupyterapp.shell.currentWidget.content.widgets[1].prompt === '*' && " +
        "jupyterapp.shell.currentWidget.content.widgets[0].prompt === '1'",
      null,
      { timeout: TIMEOUT_MS },
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    await page.command("kernelmenu:interrupt");
    await running;
    const [, stopped, after] = await page.cells();
    assert(stopped.errors.length > 0, "the stopped cell says that it was stopped");
    assertEquals(after.text, "", "the cell behind it is not run");
    await page.page.evaluate("jupyterapp.shell.currentWidget.content.activeCellIndex = 2");
    await page.command("notebook:run-cell");
    assertEquals((await page.cells())[2].text, "42\n");
  });
});

testInLab("progress moves under its cell, and its last state is right", async () => {
  const cells = [
    `const { createProgress } = await import("${TOOLKIT}src/jupyter/notebook/mod.ts");`,
    `const onProgress = createProgress();
     for (let done = 0; done <= 20; done++) {
       onProgress({ task: "counting", done, total: 20, unit: "records", finished: done === 20 });
       await new Promise((resolve) => setTimeout(resolve, 150));
     }`,
  ];
  await withNotebook("progress", cells, async (folder, notebook) => {
    await using lab = await LabServer.start(folder);
    await using browser = await openBrowser();
    await using page = await lab.open(browser, notebook);
    await page.page.evaluate(`(globalThis.seen = new Set(), new MutationObserver(() => {
      for (const bar of document.querySelectorAll(".jp-OutputArea-output progress")) seen.add(bar.value);
    }).observe(document.body, { childList: true, subtree: true, attributes: true }))`);
    await page.runAll(TIMEOUT_MS);
    await page.page.waitForFunction("seen.has(20)", null, { timeout: TIMEOUT_MS });
    const seen = await page.page.evaluate<number[]>("[...seen]");
    // How many are drawn depends on the machine; that it moves does not.
    assert(seen.length >= 5, `only ${seen.length} states were seen: ${seen}`);
    assertStringIncludes((await page.cells())[1].html, "counting: 20 of 20 records, 100 %");
  });
});

testInLab("a table filters, sorts and pages in the browser, and hostile values create nothing", async () => {
  const rows = [
    ...Array.from({ length: 60 }, (_, index) => ({ Country: index % 2 ? "Kenya" : "Peru", "Sequence Length": index })),
    ...HOSTILE.map((text) => ({ Country: text, "Sequence Length": null })),
  ];
  const cells = [
    `const { viewOf, show, ledgerView } = await import("${TOOLKIT}src/jupyter/notebook/mod.ts");`,
    `await show(${JSON.stringify(rows)}, ${JSON.stringify(HOSTILE[0])})`,
    `await show({complete: false, asked: 3, promised: null, received: 2, unique: 2, duplicate: 0, missing: ${
      JSON.stringify(HOSTILE)
    }, unparsed: 0, truncated: false, reasons: ${JSON.stringify(HOSTILE)}, warnings: []})`,
  ];
  await withNotebook("table", cells, async (folder, notebook) => {
    await using lab = await LabServer.start(folder);
    await using browser = await openBrowser();
    for (const [dark, width] of [[false, 1280], [true, 800]] as const) {
      await using page = await lab.open(browser, notebook, { dark, width });
      await page.runAll(TIMEOUT_MS);
      assertEquals((await page.cells()).flatMap(({ errors }) => errors), []);
      const table = page.page.locator(".seqreg-table").first();
      const lines = () => table.locator("tbody tr").count();
      const status = () => table.locator("[role=status]").innerText();

      assertEquals(await lines(), 20);
      await table.getByRole("searchbox").fill("kenya");
      assertStringIncludes(await status(), "30 of 71 rows, page 1 of 2");
      await table.getByRole("button", { name: "next page" }).click();
      assertEquals(await lines(), 10);
      await table.getByRole("searchbox").fill("");
      const head = table.locator("th").nth(1);
      await head.click();
      await head.click();
      assertEquals(await head.getAttribute("aria-sort"), "descending");
      assertEquals(await table.locator("tbody tr").first().locator("td").nth(1).innerText(), "59");

      // JupyterLab's shortcuts for cells must not act on keys that move in the table, nor on what is typed or chosen.
      const cell = () => page.page.evaluate<string>("document.activeElement.textContent");
      const active = () => page.page.evaluate<number>("jupyterapp.shell.currentWidget.content.activeCellIndex");
      const count = () => page.page.evaluate<number>("jupyterapp.shell.currentWidget.content.widgets.length");
      const [selected, cells] = [await active(), await count()];
      await table.locator("tbody tr").first().locator("td").first().focus();
      for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) await page.page.keyboard.press(key);
      assertEquals(await cell(), "57");
      await page.page.keyboard.press("PageDown");
      assertEquals(await cell(), "37");
      await table.getByRole("button", { name: "filter Country" }).click();
      const panel = table.getByRole("group", { name: "filter Country" });
      await panel.getByLabel("Kenya (30)").press(" ");
      for (const key of ["d", "d", "b", "Enter"]) await page.page.keyboard.press(key);
      assertStringIncludes(await status(), "30 of 71 rows");
      assertEquals([await active(), await count()], [selected, cells]);
      await page.picture(`${OUT}table-${width}-${dark ? "dark" : "light"}.png`);
      await page.page.keyboard.press("Escape");
      await table.getByRole("button", { name: "copy" }).click();
      await table.getByText("copied 30 rows of 71 × 2 columns").waitFor();
      assertEquals(await page.page.evaluate("globalThis.hacked"), undefined);
      assertEquals(await page.page.locator(".jp-OutputArea-output :is(img, svg, iframe, a, details)").count(), 0);
    }
  });
});

testInLab("names of fields complete where they are written, and say what they mean", async () => {
  const folder = `${OUT}completion`;
  await Deno.mkdir(folder, { recursive: true });
  const code = 'await registry.metadata({ query: "country:Kenya" }, { fields: ["Sequence';
  await writeNotebook(`${folder}/completion.ipynb`, [
    `import { Registry } from "seqreg"; const registry = await Registry.open();
     await registry.search("country:Kenya", { pageSize: 2 })`,
    "",
  ]);
  await using lab = await LabServer.start(folder);
  await using browser = await openBrowser();
  await using page = await lab.open(browser, "completion.ipynb", { height: 900 });
  await page.runAll(TIMEOUT_MS);
  // As a person does: into the second cell, typed, then Tab.
  const editor = page.page.locator(".jp-CodeCell").nth(1).locator(".cm-content");
  await editor.click();
  await page.page.keyboard.insertText(code);
  await page.page.keyboard.press("Tab");
  const completer = page.page.locator(".jp-Completer");
  await completer.getByText("Sequence Length").first().waitFor({ timeout: TIMEOUT_MS });
  await page.picture(`${OUT}completion.png`);
  await completer.getByText("Sequence Length").first().click();
  await page.page.waitForFunction(
    "document.querySelectorAll('.jp-CodeCell .cm-content')[1].innerText.includes('Length')",
  );
  assertEquals(await editor.innerText(), `${code} Length`);
  await page.page.keyboard.press("Shift+Tab");
  const tooltip = page.page.locator(".jp-Tooltip");
  await tooltip.waitFor({ timeout: TIMEOUT_MS });
  assertStringIncludes(await tooltip.innerText(), "Bases of the sequence");
  await page.picture(`${OUT}meaning.png`);
});

testInLab("the first lesson runs in JupyterLab, and shows its tables and ledgers", async () => {
  // JupyterLab saves what it runs: a copy below the checkout, where the toolkit is found.
  const folder = `${OUT}lessons`;
  await Deno.mkdir(folder, { recursive: true });
  await Deno.copyFile(
    new URL("../../notebooks/01_first_contact.ipynb", import.meta.url),
    `${folder}/01_first_contact.ipynb`,
  );
  await using lab = await LabServer.start(folder);
  await using browser = await openBrowser();
  for (const [dark, width] of [[false, 1280], [true, 800]] as const) {
    await using page = await lab.open(browser, "01_first_contact.ipynb", { dark, width, height: 7000 });
    await page.runAll(TIMEOUT_MS);
    const cells = await page.cells();
    assertEquals(cells.flatMap(({ errors }) => errors), []);
    assert(cells.filter(({ html }) => html.includes("seqreg-table")).length >= 6, "tables are shown");
    assert(cells.some(({ html }) => html.includes("Incomplete: asked for")), "a ledger says what is missing");
    await page.picture(`${OUT}lesson-1-${width}-${dark ? "dark" : "light"}.png`);
  }
});
