import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { inflateSync } from "node:zlib";
import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { type MediaBundle } from "../../../src/core/io/display/display.ts";
import { tableView } from "../../../src/jupyter/notebook/table_view.ts";
import { checkBundle } from "./_views.ts";

/** The columns that a table sends to its script. */
function sentColumns(bundle: MediaBundle): unknown[][] {
  const [, type, text] = /<script class="seqreg-rows" type="([^"]*)">([^<]*)<\/script>/.exec(bundle["text/html"]!)!;
  return JSON.parse(type === "application/json" ? text : inflateSync(Buffer.from(text, "base64")).toString());
}

Deno.test("a table says its size, marks nulls, and keeps to what it may send", async (t) => {
  await t.step("nothing", () => {
    const view = tableView({ caption: "empty", columns: ["a"], rows: [] });
    assertStringIncludes(view["text/plain"], "empty: 0 rows × 1 column");
  });
  await t.step("no columns", () => {
    assertStringIncludes(tableView({ caption: "none", columns: [], rows: [] })["text/plain"], "0 rows × 0 columns");
  });
  await t.step("a null", () => {
    const view = tableView({ caption: "x", columns: ["a"], rows: [[null], [""]] });
    assertStringIncludes(view["text/html"]!, "<i>null</i>");
  });
  await t.step("numbers on the right", () => {
    const view = tableView({ caption: "x", columns: ["a", "b"], rows: [[1, "1"], [10n, "x"], [null, null]] });
    assertStringIncludes(view["text/html"]!, `<td style="text-align:right;white-space:pre">10</td>`);
    assertStringIncludes(view["text/html"]!, `<td style="text-align:left;white-space:pre">x</td>`);
    for (const align of ["right", "left"]) {
      assertStringIncludes(view["text/html"]!, `<td style="opacity:.7;text-align:${align}"><i>null</i></td>`);
    }
  });
  await t.step("a fraction has seven digits or three after the point, its value is in the title", () => {
    const view = tableView({ caption: "x", columns: ["a"], rows: [[0.1 + 0.2], [1 / 3], [2.5], [123456789.25]] });
    assertEquals(view["text/plain"].split("\n").slice(2).map((line) => line.trim()), [
      "0.3",
      "0.3333333",
      "2.5",
      "123456789.25",
    ]);
    assertStringIncludes(view["text/html"]!, `title="0.30000000000000004">0.3</td>`);
    assertStringIncludes(view["text/html"]!, ">2.5</td>");
  });
  await t.step("numbers that are none", () => {
    const view = tableView({ caption: "x", columns: ["a"], rows: [[NaN], [Infinity], [-Infinity], [null], [-0]] });
    for (const text of ["NaN", "Infinity", "-Infinity", "null"]) assertStringIncludes(view["text/plain"], text);
  });
  await t.step("rows that nobody has counted", () => {
    const view = tableView({ caption: "x", columns: ["a"], rows: [[1]], total: null });
    assertStringIncludes(view["text/plain"], "x: rows not counted × 1 column; the first 1 are here");
  });
  await t.step("more rows than are sent", () => {
    const rows = Array.from({ length: 1000 }, (_, index) => [index]);
    const html = tableView({ caption: "x", columns: ["a"], rows, total: 15_000_000 })["text/html"]!;
    assertStringIncludes(html, "15,000,000 rows × 1 column; the first 1,000 are here");
    assertStringIncludes(html, "<small>only the first 1,000 of 15,000,000 rows are searched</small>");
  });
  await t.step("more rows than were counted", () => {
    const html = tableView({ caption: "x", columns: ["a"], rows: [[1]], total: null })["text/html"]!;
    assertStringIncludes(html, "<small>only the first 1 rows are searched</small>");
  });
  await t.step("long values say how far they are searched", () => {
    const html = tableView({ caption: "x", columns: ["a"], rows: [["x".repeat(3000)]] })["text/html"]!;
    assertStringIncludes(html, "<small>long values are searched in their first 2,000 characters</small>");
  });
  await t.step("cells of 300 kB", () => {
    const view = tableView({
      caption: "x",
      columns: ["a"],
      rows: Array.from({ length: 600 }, () => ["acgt".repeat(75_000)]),
    });
    assert(view["text/html"]!.length < 200_000, `${view["text/html"]!.length} letters`);
    assertStringIncludes(view["text/plain"], "600 rows");
  });
  await t.step("200 columns", () => {
    const columns = Array.from({ length: 200 }, (_, index) => `c${index}`);
    const view = tableView({ caption: "x", columns, rows: Array.from({ length: 1000 }, () => columns) });
    assert(view["text/html"]!.length < 250_000, `${view["text/html"]!.length} letters`);
    assertFalse(view["text/html"]!.includes("are searched"), "all 1,000 rows fit");
  });
});

Deno.test("a table sends as many rows as fit in 200 kB compressed, and at least 1,000", async (t) => {
  const bytesOf = (view: MediaBundle) =>
    /<script class="seqreg-rows" type="text\/plain">([^<]*)</.exec(view["text/html"]!)![1].length * 3 / 4;
  const random = Array.from({ length: 60_000 }, (_, index) => createHash("md5").update(String(index)).digest("hex"));
  await t.step("5,000 rows are all there", () => {
    const rows = Array.from({ length: 5000 }, (_, index) => [`vj${String(index).padStart(12, "0")}`, index % 75, null]);
    const view = tableView({ caption: "x", columns: ["a", "b", "c"], rows });
    assertEquals(sentColumns(view), [0, 1, 2].map((column) => rows.map((row) => row[column])));
    assertFalse(view["text/html"]!.includes("are searched"));
  });
  await t.step("of what hardly compresses, the first", () => {
    const view = tableView({ caption: "x", columns: ["a"], rows: random.map((text) => [text]) });
    const [column] = sentColumns(view);
    assertEquals(column, random.slice(0, column.length));
    assert(bytesOf(view) <= 200_000 && bytesOf(view) > 180_000, `${bytesOf(view)} bytes`);
    assertStringIncludes(
      view["text/html"]!,
      `<small>only the first ${column.length.toLocaleString("en")} of 60,000 rows are searched</small>`,
    );
  });
  await t.step("of wide rows 1,000, with less of each value", () => {
    const rows = Array.from(
      { length: 1500 },
      (_, row) => Array.from({ length: 30 }, (_, n) => random[row * 30 + n].repeat(5)),
    );
    const columns = rows[0].map((_, index) => `c${index}`);
    const view = tableView({ caption: "x", columns, rows });
    assertEquals(sentColumns(view)[0].length, 1000);
    assertStringIncludes(
      view["text/html"]!,
      "only the first 1,000 of 1,500 rows are searched; long values are searched in",
    );
  });
});

Deno.test("600 sequences of 20,000 bases are strips, and less than 150 kB", () => {
  const rows = Array.from({ length: 600 }, (_, row) => {
    const sequence = Array.from({ length: 2000 }, (_, at) => ((row + at) % 7 < 3 ? "GCGCGCATAT" : "ATATGCATNN")).join(
      "",
    );
    return [`vj${String(row).padStart(12, "0")}`, sequence.length, 0.42, sequence];
  });
  const started = performance.now();
  const view = tableView({ caption: "sequences", columns: ["Registry Accession", "length", "gc", "sequence"], rows });

  assert(performance.now() - started < 5000);
  assert(view["text/html"]!.length < 150_000, `${view["text/html"]!.length} letters`);
  assertStringIncludes(view["text/html"]!, `alt="20,000 bases, GC `);
  assertEquals(view["text/html"]!.match(/<img src="data:image\/png;base64,/g)?.length, 20);
  assertStringIncludes(view["text/html"]!, "the share of G and C along it");
  checkBundle(view);
});

Deno.test("a column named sequence that holds no sequences stays text", () => {
  const view = tableView({ caption: "x", columns: ["sequence"], rows: [["<b>not letters only, but long enough</b>"]] });

  assertFalse(view["text/html"]!.includes("<img"));
  checkBundle(view);
});

Deno.test("a table's output is bounded: very wide rows are fewer than 1,000, and the table says so", () => {
  const [rows, columns] = [1000, 120];
  const random = createHash("shake256", { outputLength: rows * columns * 18 }).update("rows").digest();
  const view = tableView({
    caption: "wide",
    columns: Array.from({ length: columns }, (_, index) => `c${index}`),
    rows: Array.from({ length: rows }, (_, row) =>
      Array.from({ length: columns }, (_, column) => {
        const at = (row * columns + column) * 18;
        return random.subarray(at, at + 18).toString("base64");
      })),
  });
  const sent = sentColumns(view)[0].length;

  assert(sent > 300 && sent < 700, `${sent} rows`);
  assert(view["text/html"]!.length < 1_600_000, `${view["text/html"]!.length} characters`);
  assertStringIncludes(view["text/html"]!, `only the first ${sent} of 1,000 rows are searched`);
});

Deno.test("raw values reach the page as JSON that ends no script and hides no control character", () => {
  const rows = [["</script>\x1b\u202e\x9f\u2028", "a\r\nb"]];
  const view = tableView({ caption: "x", columns: ["a", "b"], rows });

  assertEquals(sentColumns(view), [[rows[0][0]], [rows[0][1]]]);
  checkBundle(view);
});
