import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { diffLakes } from "../../../../src/again/diff/diff.ts";
import { diffToHtml } from "../../../../src/again/diff/formats/html.ts";
import { inFolder } from "../../../_files.ts";
import { writeParquet } from "../../../_parquet.ts";
import { type Rows, withDiff } from "../_versions.ts";

/** The bars of a figure: their name, the widths that are drawn, the counts in words. */
function figureOf(page: string, caption: string): (readonly [name: string, widths: string, counts: string])[] {
  const [, after] = page.split(`<table class="figure"><caption>${caption}<`);
  const rows = after.split("</table>")[0].matchAll(
    /<tr><th scope="row">(.*?)<\/th><td class="bar">(.*?)<\/td><td>(.*?)<\/td><\/tr>/g,
  );
  return Array.from(rows, ([, name, bar, counts]) => {
    const widths = [...bar.matchAll(/width:([\d.]+%);background:(#\w+)/g)];
    return [name, widths.map(([, width, colour]) => `${width} ${colour}`).join(" "), counts];
  });
}

const [ADDED, CHANGED, REMOVED] = ["#0072b2", "#e69f00", "#555555"];

Deno.test("diffToHtml() draws changes by field, and differing records by country and by year", async () => {
  const header = ["id", "Country", "Collection Date", "v"];
  const before = [
    header,
    ["a", "Peru", "2001", "x"],
    ["b", "Kenya", "2002", "y"],
    ["c", "Mali", "2003", "z"],
    ["d", "", "2003-05", "q"],
  ];
  const after = [
    header,
    ["a", "Peru", "2001", "X"],
    ["b", "Kenya", "2002-05", "w"],
    ["e", "Peru", "2001", "new"],
  ];
  await withDiff(before, after, {}, async (diff) => {
    const page = await diffToHtml(diff);
    assertEquals(figureOf(page, "Changed values by field"), [
      ["v", `100.00% ${CHANGED}`, "2 (case 1, value 1)"],
      ["Collection Date", `50.00% ${CHANGED}`, "1 (precision 1)"],
    ]);
    assertEquals(figureOf(page, "Differing records by country"), [
      ["Peru", `50.00% ${ADDED} 50.00% ${CHANGED}`, "added 1, changed 1"],
      ["missing", `50.00% ${REMOVED}`, "removed 1"],
      ["Kenya", `50.00% ${CHANGED}`, "changed 1"],
      ["Mali", `50.00% ${REMOVED}`, "removed 1"],
    ]);
    assertEquals(figureOf(page, "Differing records by year of collection"), [
      ["2001", `50.00% ${ADDED} 50.00% ${CHANGED}`, "added 1, changed 1"],
      ["2002", `50.00% ${CHANGED}`, "changed 1"],
      ["2003", `100.00% ${REMOVED}`, "removed 2"],
    ]);
    assertStringIncludes(page, "changes: 6 rows × 6 columns");
  });
});

Deno.test("diffToHtml() counts the fields and groups that a figure does not show", async () => {
  const fields = Array.from({ length: 42 }, (_, index) => `f${index}`);
  const rows = (value: string): Rows => [
    ["id", "Collection Date", ...fields],
    ...Array.from({ length: 25 }, (_, row) => [`k${row}`, String(1990 + row), ...fields.map(() => value)]),
  ];
  await withDiff(rows("1"), rows("2"), {}, async (diff) => {
    const page = await diffToHtml(diff);
    assertEquals(figureOf(page, "Changed values by field").length, 40);
    assertStringIncludes(page, '<p class="more">2 fields more</p>');
    assertEquals(figureOf(page, "Differing records by year of collection").at(-1)?.[0], "2009");
    assertStringIncludes(page, '<p class="more">5 records in 5 other groups</p>');
  });
});

Deno.test("diffToHtml() holds the first 20,000 changes, and counts all", async () => {
  const rows = (value: string, count: number): Rows => [
    ["id", "v", "w"],
    ...Array.from({ length: count }, (_, row) => [`k${String(row).padStart(5, "0")}`, value, value]),
  ];
  for (const [changed, added] of [[9_999, 2], [10_400, 7]]) {
    await withDiff(rows("1", changed), rows("2", changed + added), {}, async (diff) => {
      const total = 2 * changed + added;
      const text = total.toLocaleString("en");
      const more = total > 20_000 ? "; the first 20,000 are here" : "";
      const page = await diffToHtml(diff);
      assertStringIncludes(page, `changes: ${text} rows × 6 columns${more}<`);
      if (total > 20_000) assertStringIncludes(page, `only the first 20,000 of ${text} rows are searched`);
      assertMatch(page, /k00000/);
    });
  }
});

Deno.test("diffToHtml() shows fractions whole that differ in their last digits", async () => {
  await inFolder(async (folder) => {
    const write = (name: string, share: string) =>
      writeParquet(`${folder}/${name}.parquet`, `SELECT 'a' AS id, ${share}::DOUBLE AS share`);
    await write("old", "0.123456781");
    await write("new", "0.123456782");
    await using diff = await diffLakes(`${folder}/old.parquet`, `${folder}/new.parquet`);
    const cells = [...(await diffToHtml(diff)).matchAll(/<td[^>]*>([\d.]+)<\/td>/g)].map(([, text]) => text);
    assertEquals(cells.filter((text) => text.startsWith("0.")), ["0.123456781", "0.123456782"]);
  });
});

Deno.test("diffToHtml() draws the years with most records, in their order, and counts the others", async () => {
  const header = ["id", "Country", "Collection Date"];
  const years = Array.from({ length: 30 }, (_, index) => `${1990 + index}`);
  const rows = years.flatMap((year, index) =>
    Array.from({ length: index < 10 ? 1 : 2 }, (_, copy) => [`${year}-${copy}`, "Peru", year])
  );
  await withDiff([header], [header, ...rows], {}, async (diff) => {
    const html = await diffToHtml(diff);
    assertEquals(figureOf(html, "Differing records by year of collection").map(([year]) => year), years.slice(10));
    assertStringIncludes(html, "10 records in 10 other groups");
    assertStringIncludes(html, '<i style="background:#0072b2"></i>added');
  });
});
