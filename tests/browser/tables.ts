/**
 * Tables of many rows in a real browser: unpacked, filtered, sorted and paged, in light and dark, and read without a
 * script. Run by `.ci/run`: `deno test --allow-all tests/browser/tables.ts`.
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { BrowserContextOptions, Page } from "playwright-core";
import { tableView } from "../../src/notebook/table_view.ts";
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
      assertEquals((await status.innerText()).trim(), "75 rows, page 1 of 4");
      for (const _ of [2, 3, 4]) await page.getByRole("button", { name: "next page" }).click();
      assertEquals((await status.innerText()).trim(), "75 rows, page 4 of 4");
      assertEquals(await page.locator("tbody tr").count(), 15);
      await page.screenshot({ path: `${OUT}table-filtered-${colorScheme}.png` });

      await page.getByRole("searchbox").fill("");
      const head = page.locator("th").nth(2);
      await head.getByRole("button").click();
      await head.getByRole("button").click();
      assertEquals(await head.getAttribute("aria-sort"), "descending");
      assertEquals(await page.locator("tbody tr").first().locator("td").nth(2).innerText(), "215722");
      await page.locator("th").nth(3).getByRole("button").click();
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
      assertMatch(await status.innerText(), /1 row, page 1 of 1; only the first/);
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
