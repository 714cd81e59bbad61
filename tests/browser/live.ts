/**
 * Live tables in a real JupyterLab, a real Notebook 7 and a real browser: scrolled, sorted, filtered, read back by
 * cells, also while one computes; and what ends under them: the data process, the lake, the page, the kernel. Run by
 * `deno task checks browser-live`.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { HOSTILE } from "./_hostile.ts";
import { testInLab } from "./_lab.ts";
import { ENDS, GESTURES, NOTEBOOK } from "./_live_gestures.ts";
import { ALL, axeFaults, OUT, RECORDS, type Room, run, Seen, withRoom } from "./_live_room.ts";

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

/** What depends on the page and its file, in the order in which it is done. */
const PAGES: Readonly<Record<string, (room: Room) => Promise<void>>> = {
  "200 % zoom: all of it is within reach, by mouse and keys": async ({ lab, seen }) => {
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
    await lab.turn({ width: 1280, height: 1100, dark: false });
  },
  "the page, opened again: live, with its filters": async ({ lab, seen }) => {
    await seen.filter("Country", "=Kenya");
    await seen.cell(1, "Country");
    await lab.command("docmanager:save");
    await lab.page.reload();
    await seen.untilState("open");
    assertEquals(await seen.cell(1, "Country"), "Kenya");
    assertEquals(await seen.field("Country").inputValue(), "=Kenya");
    await seen.filter("Country", "");
  },
  "Notebook 7, of the same kernel: live too, and each page by itself": async ({ seen, server, browser }) => {
    const { page } = await server.open(browser, "live.ipynb", { room: "Notebook 7", height: 1000 });
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
  },
  "a notebook from another source: nothing is live before it is trusted, and all of it then": async (
    { lab, folder, server, browser },
  ) => {
    await lab.command("docmanager:save");
    const text = await Deno.readTextFile(`${folder}/live.ipynb`);
    // Another byte, and the signature is no longer that of this user.
    await Deno.writeTextFile(`${folder}/live.ipynb`, text.replace("await view.frame()", "(await view.frame())"));
    const { page } = await server.open(browser, "live.ipynb", { room: "Notebook 7", height: 1000 });
    await page.getByText("vj000000000010").first().waitFor();
    assertEquals(await page.locator("[role=grid]").count(), 0);
    await page.evaluate(`void jupyterapp.commands.execute("notebook:trust").then(() => globalThis.isTrusted = true)`);
    await page.locator(".jp-Dialog button.jp-mod-accept").click();
    await page.waitForFunction("globalThis.isTrusted");
    const other = new Seen({ page });
    await other.untilState("open");
    await other.goTo(1500);
    assertEquals(await other.cell(1500, "Registry Accession"), "vj000000001500");
    await page.close();
    await Deno.writeTextFile(`${folder}/live.ipynb`, text);
  },
  "the file: the first rows as a plain table, nothing of the page": async ({ lab, folder }) => {
    await lab.command("docmanager:save");
    const text = await Deno.readTextFile(`${folder}/live.ipynb`);
    assertStringIncludes(text, 'data-seqreg-live=\\"saved\\"');
    assertStringIncludes(text, "vj000000000010");
    for (const word of ["seqreg-live-view", 'role=\\"grid', "application/vnd"]) {
      assertEquals(text.includes(word), false, `the file holds ${word}`);
    }
  },
};

testInLab("a table is scrolled, sorted, filtered, read back by cells, and outlives what ends under it", async (t) => {
  await withRoom("JupyterLab", NOTEBOOK, async (room) => {
    for (const [name, work] of Object.entries({ ...GESTURES, ...PAGES, ...ENDS })) await t.step(name, () => work(room));
  });
});

testInLab("the same in Notebook 7", async (t) => {
  await withRoom("Notebook 7", NOTEBOOK, async (room) => {
    for (const [name, work] of Object.entries({ ...GESTURES, ...ENDS })) await t.step(name, () => work(room));
  });
});

/** Names that are well-formed: others are not the same in a file. */
const NAMES = HOSTILE.filter((name) => name.isWellFormed());

const VIEWS: readonly string[] = [
  `import { live } from "seqreg"; import pl from "nodejs-polars";
   import { openLake, tableFromCsv } from "seqreg/tables";
   const lake = await openLake("lake");
   const first = await live(lake, { rows: 4, caption: "first" });
   first`,
  `const second = await live(lake, { rows: 5, caption: "second", query: "country:kenya", columns: ["Country"] });
   second`,
  "first",
  "console.log(JSON.stringify([first.filter, second.filter]))",
  `const columns = Array.from({ length: 2000 }, (_, column) => ["c" + column, ["a" + column, "b" + column]]);
   await live(pl.DataFrame(Object.fromEntries(columns)), { rows: 4, caption: "wide" })`,
  `const names = ${JSON.stringify(NAMES)};
   await live(pl.DataFrame(Object.fromEntries(names.map((name) => [name, [name, null]]))), { caption: "hostile" })`,
  `const csv = "Registry Accession,Country\\nvj000000000001,Kenya\\nvj000000000002\\nvj000000000003,Peru\\n";
   await live(await tableFromCsv(new TextEncoder().encode(csv)), { rows: 3, caption: "incomplete" })`,
];

testInLab("several tables of one notebook, very wide ones, hostile names, and a note that stays", async (t) => {
  await withRoom("JupyterLab", VIEWS, async ({ lab }) => {
    await lab.page.setViewportSize({ width: 1280, height: 1600 });
    await t.step("each by itself, a view that is shown twice too", async () => {
      await run(lab, 1);
      await run(lab, 2);
      const [first, again] = [new Seen(lab, "first"), new Seen(lab, "first", 1)];
      const second = new Seen(lab, "second");
      for (const seen of [first, again, second]) await seen.untilState("open");
      for (const [seen, rows] of [[first, 4], [again, 4], [second, 5]] as const) {
        await seen.cell(1, "Country");
        assertEquals(await seen.root.locator("[data-row]").count(), rows);
      }
      const kenya = await second.matching();
      assert(kenya > 0 && kenya < RECORDS);
      await first.filter("Country", "=Peru");
      await second.filter("Country", "ken");
      assertEquals(await second.matching(), kenya);
      assertEquals([await first.cell(1, "Country"), await again.matching()], ["Peru", RECORDS]);
      assertEquals(JSON.parse(await run(lab, 3)), [{ Country: "=Peru" }, { Country: "ken" }]);
    });
    await t.step("2,000 columns", async () => {
      await run(lab, 4);
      const seen = new Seen(lab, "wide");
      assertEquals(await seen.cell(1, "c0"), "a0");
      assert((await seen.status()).endsWith(": 2 rows × 2,000 columns"));
      await seen.root.locator(`[data-row="2"] [data-column="c0"]`).click();
      await lab.page.keyboard.press("End");
      assertEquals(await seen.cell(2, "c1999"), "b1999");
      assert(await seen.root.locator("[role=gridcell]").count() < 200);
      await seen.filter("c1999", "=b1999");
      assertEquals([await seen.matching(), await seen.cell(1, "c1999")], [1, "b1999"]);
      await seen.root.locator(`[data-row="1"] [data-column="c1999"]`).click();
      await lab.page.keyboard.press("Home");
      assertEquals(await seen.cell(1, "c0"), "b0");
    });
    await t.step("names and values that would do something are shown as they are", async () => {
      await run(lab, 5);
      const seen = new Seen(lab, "hostile");
      await seen.untilState("open");
      assertEquals(await seen.columns(), NAMES);
      await seen.root.locator("[data-row='1'] [role=gridcell]").first().dblclick();
      await seen.root.getByRole("group", { name: "record 1" }).waitFor();
      await seen.press("close");
      await seen.press("as code");
      await seen.root.getByRole("group", { name: "as code" }).waitFor();
      await seen.press("close");
      await seen.press("columns");
      await seen.press("close");
      await seen.root.locator("[role=columnheader] button").first().click();
      await seen.root.locator("[role=columnheader][aria-sort=ascending]").waitFor();
      assertEquals(await lab.page.evaluate("globalThis.hacked ?? null"), null);
    });
    await t.step("what is incomplete stays said, whatever is shown of it", async () => {
      await run(lab, 6);
      const seen = new Seen(lab, "incomplete");
      const note = seen.root.getByText("Incomplete: received 2, unreadable 1");
      await note.waitFor();
      await seen.filter("Country", "peru");
      assertEquals([await seen.matching(), await seen.cell(1, "Country")], [1, "Peru"]);
      assertEquals(await note.isVisible(), true);
    });
  });
});
