/**
 * Tables of many rows in a real browser: unpacked, filtered, sorted and paged, in light and dark, and read without a
 * script. Run by `deno task checks browser-tables`.
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { BrowserContextOptions, Page } from "playwright-core";
import { tableView } from "../../src/jupyter/notebook/table_view.ts";
import { csvRow } from "../../src/core/io/csv/csv_text.ts";
import { HOSTILE } from "./_hostile.ts";
import { openBrowser, testInBrowser } from "./_lab.ts";

const OUT = new URL("../../.ci/out/", import.meta.url).pathname;
const COLUMNS = ["Accession", "Country", "Sequence Length", "Comment"];

/** 5,000 records: 75 of Kenya, the longest genome the last but one, hostile values among them. */
const RECORDS = Array.from({ length: 5000 }, (_, row) => [
  `vj${String(row + 1).padStart(12, "0")}`,
  row % 66 === 65 ? "Kenya" : "Peru",
  row === 4998 ? 215_722 : row * 7919 % 30_000,
  row % 250 === 0 ? HOSTILE[row / 250 % HOSTILE.length] : null,
]);

/** Rows that hardly compress. */
async function randomRows(count: number): Promise<string[][]> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-512", new Uint8Array(1)));
  let state = new DataView(bytes.buffer).getUint32(0);
  const next = () => (state = Math.imul(state, 1664525) + 1013904223 >>> 0).toString(36);
  return Array.from({ length: count }, () => [next() + next(), next() + next()]);
}

async function withPage(
  html: string,
  options: BrowserContextOptions,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  await using browser = await openBrowser();
  const context = await browser.newContext({ viewport: { width: 1000, height: 800 }, ...options });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  const colours = options.colorScheme === "dark" ? "background:#111;color:#eee" : "background:#fff;color:#111";
  await page.setContent(`<!doctype html><title>table</title><body style="font-family:sans-serif;${colours}">${html}`);
  await work(page);
  assertEquals(errors, []);
  assertEquals(await page.evaluate("globalThis.hacked"), undefined);
}

testInBrowser("5,000 rows are all filtered, sorted and paged, in light and dark", async () => {
  const html = tableView({ caption: "records", columns: COLUMNS, rows: RECORDS })["text/html"] ?? "";
  for (const colorScheme of ["light", "dark"] as const) {
    await withPage(html, { colorScheme }, async (page) => {
      const status = page.getByRole("status");
      await status.waitFor();
      assertEquals((await status.innerText()).trim(), "5,000 rows, page 1 of 250");
      await page.getByRole("searchbox").fill("kenya");
      assertEquals((await status.innerText()).trim(), "75 of 5,000 rows, page 1 of 4");
      for (const _ of [2, 3, 4]) await page.getByRole("button", { name: "next page" }).click();
      assertEquals((await status.innerText()).trim(), "75 of 5,000 rows, page 4 of 4");
      assertEquals(await page.locator("tbody tr").count(), 15);
      await page.screenshot({ path: `${OUT}table-filtered-${colorScheme}.png` });

      await page.getByRole("searchbox").fill("");
      const head = page.locator("th").nth(2);
      await head.getByRole("button", { name: "Sequence Length", exact: true }).click();
      await head.click();
      assertEquals(await head.getAttribute("aria-sort"), "descending");
      assertEquals(await page.locator("tbody tr").first().locator("td").nth(2).innerText(), "215722");
      await page.locator("th").nth(3).getByRole("button", { name: "Comment", exact: true }).click();
      assertStringIncludes(await page.locator("body").innerText(), "hacked = 1");
      assertEquals(await page.locator(".seqreg-table :is(img, svg, iframe, a, video, audio, form)").count(), 0);
      await page.screenshot({ path: `${OUT}table-sorted-${colorScheme}.png` });
    });
  }
});

testInBrowser("rows that do not fit are named in the table and in the count", async () => {
  const rows = await randomRows(30_000);
  const html = tableView({ caption: "identifiers", columns: ["a", "b"], rows })["text/html"] ?? "";
  const said = /only the first ([\d,]+) of 30,000 rows are searched/;
  assertMatch(html.replace(/<script[\s\S]*/, ""), said);
  for (const colorScheme of ["light", "dark"] as const) {
    await withPage(html, { colorScheme }, async (page) => {
      const status = page.getByRole("status");
      await status.waitFor();
      const [, count] = said.exec(await status.innerText()) ?? [];
      assert(Number(count?.replaceAll(",", "")) >= 1000, `${count} rows`);
      await page.getByRole("searchbox").fill(rows[900][0]);
      assertMatch(await status.innerText(), /^1 of [\d,]+ rows; only the first/);
      await page.screenshot({ path: `${OUT}table-cut-${colorScheme}.png` });
    });
  }
});

testInBrowser("without a script the first rows can be read, and what is not searched is said", async () => {
  const rows = await randomRows(30_000);
  const html = tableView({ caption: "identifiers", columns: ["a", "b"], rows })["text/html"] ?? "";
  await withPage(html, { javaScriptEnabled: true }, async (page) => {
    assertEquals(await page.locator("tbody tr").count(), 20);
  });
  await using browser = await openBrowser();
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.setContent(html);
  assertEquals(await page.locator("tbody tr").count(), 20);
  const text = await page.locator("body").innerText();
  for (const cell of [...rows[0], ...rows[19]]) assertStringIncludes(text, cell);
  assertMatch(text, /only the first [\d,]+ of 30,000 rows are searched/);
  assertStringIncludes(text, "first 20 rows");
  await page.screenshot({ path: `${OUT}table-plain.png` });
});

testInBrowser("columns are filtered, chosen and pinned, and what is found is saved and copied", async () => {
  const wide = [...COLUMNS, ...Array.from({ length: 12 }, (_, index) => `Field ${index + 1}`)];
  const rows = RECORDS.map((
    record,
    row,
  ) => [...record, ...Array.from({ length: 12 }, (_, at) => `value ${row % (at + 2)}`)]);
  const html = tableView({ caption: "records", columns: wide, rows })["text/html"] ?? "";
  for (const colorScheme of ["light", "dark"] as const) {
    await withPage(html, { colorScheme }, async (page) => {
      const status = page.getByRole("status");
      await page.getByRole("button", { name: "filter Country" }).click();
      const panel = page.getByRole("group", { name: "filter Country" });
      assertEquals((await panel.locator("label").allInnerTexts()).map((text) => text.trim()), [
        "Peru (4,925)",
        "Kenya (75)",
      ]);
      await panel.getByLabel("Kenya (75)").check();
      assertStringIncludes(await status.innerText(), "75 of 5,000 rows, page 1 of 4");
      await page.screenshot({ path: `${OUT}table-values-${colorScheme}.png` });
      await page.keyboard.press("Escape");
      assertEquals(await panel.count(), 0);
      const opener = page.getByRole("button", { name: "filter Country" });
      assert(await opener.evaluate((button) => button === Reflect.get(globalThis, "document").activeElement));

      await page.getByRole("button", { name: "filter Sequence Length" }).click();
      await page.keyboard.type(">=15000");
      const field = page.getByRole("textbox", { name: "filter Sequence Length" });
      assertEquals(await field.inputValue(), ">=15000");
      const expected = RECORDS.filter(([, country, length]) => country === "Kenya" && Number(length) >= 15_000);
      assertStringIncludes(await status.innerText(), `${expected.length} of 5,000 rows`);
      await field.fill("1,7");
      assertStringIncludes(await page.getByRole("alert").innerText(), '"1,7" is not a number');
      await field.fill(">=15000");
      await page.screenshot({ path: `${OUT}table-range-${colorScheme}.png` });

      await page.getByRole("button", { name: "columns" }).click();
      await page.getByLabel("find columns").fill("field");
      await page.getByRole("button", { name: "none" }).click();
      await page.screenshot({ path: `${OUT}table-columns-${colorScheme}.png` });
      assertStringIncludes(await status.innerText(), "4 of 16 columns");
      const saving = page.waitForEvent("download");
      await page.getByRole("button", { name: "save as CSV" }).click();
      const saved = await saving;
      assertEquals(saved.suggestedFilename(), `records-${expected.length}-of-5000.csv`);
      const text = await Deno.readTextFile(await saved.path());
      assertEquals(
        text,
        [COLUMNS, ...expected].map((cells) => csvRow(cells.map((cell) => String(cell ?? "")))).join("\n") + "\n",
      );
      assertStringIncludes(await status.innerText(), `${expected.length} rows of 5,000 × 4 columns`);
      await page.getByRole("button", { name: "copy" }).click();
      await page.getByText(/; copied /).waitFor();
      await page.evaluate("document.body.append(document.createElement('textarea'))");
      await page.locator("textarea").focus();
      await page.keyboard.press("Control+V");
      const copied = await page.locator("textarea").inputValue();
      assertEquals(copied.split("\n")[1], expected[0].map((cell) => cell ?? "").join("\t"));
      await page.getByLabel("find columns").fill("");
      await page.getByRole("button", { name: "all" }).click();
      await page.getByRole("button", { name: "clear filters" }).click();

      // The accession stays in view, opaque, while the others scroll.
      const cell = page.locator("tbody tr").first().locator("td").first();
      const before = await cell.boundingBox();
      await page.locator("[role=region]").evaluate((region) => Reflect.set(region, "scrollLeft", 400));
      const after = await cell.boundingBox();
      assert(before !== null && after !== null && Math.abs(before.x - after.x) < 12, `${before?.x} to ${after?.x}`);
      await page.screenshot({ path: `${OUT}table-pinned-${colorScheme}.png` });
    });
  }
});

testInBrowser("a table is one stop of Tab, and keys go through its cells and pages", async () => {
  const html = tableView({ caption: "records", columns: COLUMNS, rows: RECORDS })["text/html"] ?? "";
  await withPage(html, {}, async (page) => {
    const focused = () => page.evaluate<string>("document.activeElement.textContent");
    await page.getByRole("button", { name: "next page" }).focus();
    await page.keyboard.press("Tab");
    assertStringIncludes(await focused(), "Accession");
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowDown");
    assertEquals(await focused(), "vj000000000001");
    await page.keyboard.press("PageDown");
    assertEquals(await focused(), "vj000000000021");
    await page.keyboard.press("ArrowRight");
    assertEquals(await focused(), "Peru");
    await page.keyboard.press("Control+End");
    assertEquals(await page.getByRole("grid").getAttribute("aria-rowcount"), "5001");
    assertEquals(await page.locator("tbody tr:last-child").getAttribute("aria-rowindex"), "5001");
    await page.screenshot({ path: `${OUT}table-keys.png` });
    await page.keyboard.press("Tab");
    assertEquals(await page.evaluate("document.activeElement.closest('table')"), null);
  });
});
