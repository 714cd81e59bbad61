/** A live table in a page without a browser: what a person does, and sees. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describeFiles } from "../../../../../src/jupyter/live/live_source.ts";
import { LiveTable } from "../../../../../src/jupyter/live/live_table.ts";
import { inFolder } from "../../../../_files.ts";
import { writeParquet } from "../../../../_parquet.ts";
import { LiveUser } from "./_live_user.ts";

const SELECT = `SELECT 'vj' || lpad(i::VARCHAR, 4, '0') AS "Accession",
  CASE WHEN i % 4 = 3 THEN NULL ELSE (['Kenya', 'Peru', '<b>Chad</b>'])[1 + i % 4] END AS "Country",
  (i * 7) % 1000 AS "Length", DATE '2015-01-01' + i::INTEGER AS "Day" FROM range(0, 1000) r(i)`;

/** Timers of the page may outlast a test. */
const PAGE = { sanitizeOps: false, sanitizeResources: false };

function testPage(name: string, work: (table: LiveTable) => Promise<void>): void {
  Deno.test(name, PAGE, async () => {
    await inFolder(async (folder) => {
      await writeParquet(`${folder}/a.parquet`, SELECT);
      const files = await describeFiles([`${folder}/a.parquet`]);
      const columns = ["Accession", "Country", "Length", "Day"].map((name) => ({
        name,
        description: `what ${name} is`,
        unit: name === "Length" ? "nt" : "",
      }));
      await using table = await LiveTable.open({
        files,
        columns,
        origin: { kind: "lake", lake: folder, table: "records" },
      });
      await work(table);
    });
  });
}

testPage("the first rows, the roles and the words of the contract", async (table) => {
  const user = new LiveUser(table, { note: "3 rows could not be read" });
  await user.settled();

  assertEquals(user.root.getAttribute("data-seqreg-live"), "open");
  assertEquals(user.status, "records: 1,000 rows × 4 columns");
  assertEquals(user.rows[0], ["vj0000", "Kenya", "0", "2015-01-01"]);
  assertEquals(user.rows[3], ["vj0003", "null", "21", "2015-01-04"]);
  assertEquals(user.numbers, [1, 2, 3, 4, 5]);
  const grid = user.root.querySelector("[role=grid]")!;
  assertEquals([grid.getAttribute("aria-rowcount"), grid.getAttribute("aria-colcount")], ["1001", "4"]);
  assertEquals([...user.root.querySelectorAll("[role=columnheader]")].map((head) => head.getAttribute("data-column")), [
    "Accession",
    "Country",
    "Length",
    "Day",
  ]);
  assertStringIncludes(user.root.textContent, "3 rows could not be read");
  assertEquals(user.root.querySelector("b"), null);
  assert(!user.root.textContent.includes("the first rows"));
});

testPage("sorting goes up, down and back; equal values stay as in the file", async (table) => {
  const user = new LiveUser(table);
  const order = () => user.root.querySelector("[data-column='Country']")!.getAttribute("aria-sort");
  user.sort("Country");
  await user.settled();
  assertEquals([order(), ...user.rows.slice(0, 2).map(([id]) => id)], ["ascending", "vj0002", "vj0006"]);
  user.sort("Country");
  await user.settled();
  assertEquals([order(), ...user.rows.slice(0, 2).map(([id]) => id)], ["descending", "vj0001", "vj0005"]);
  user.sort("Country");
  await user.settled();
  assertEquals([order(), user.rows[0][0]], ["none", "vj0000"]);
});

testPage("filters of text, numbers and dates; what cannot be read is said and changes nothing", async (table) => {
  const user = new LiveUser(table);
  user.write("filter Country", "ken");
  await user.settled();
  assertEquals(user.status, "records: 250 of 1,000 rows × 4 columns");
  user.write("filter Length", "10..20");
  await user.settled();
  assertEquals(user.status, "records: 3 of 1,000 rows × 4 columns");
  assertEquals(user.rows.map(([id]) => id), ["vj0288", "vj0716", "vj0860"]);
  user.write("filter Length", "many");
  assertStringIncludes(user.root.textContent, '"many" is not a number or a range');
  assertEquals(user.rows.length, 3);
  user.write("filter Length", "");
  user.write("filter Country", "=kenya");
  await user.settled();
  assertEquals([user.status, user.rows.length], ["records: 0 of 1,000 rows × 4 columns", 0]);
  user.write("filter Country", "missing");
  user.write("filter Day", "2015-01");
  await user.settled();
  assertEquals(user.status, "records: 7 of 1,000 rows × 4 columns");
  user.write("filter Day", "");
  for (const [text, rows] of [["present", 750], ["!missing", 750], ["!present", 250], ["!ken", 750], ["!=Peru", 750]]) {
    user.write("filter Country", String(text));
    await user.settled();
    assertEquals(user.status, `records: ${rows} of 1,000 rows × 4 columns`, String(text));
  }
});

testPage("what is not a row says so, and no row is gone to where none matches", async (table) => {
  const user = new LiveUser(table);
  await user.settled();
  for (const text of ["abc", "0", "-1", "1.5"]) {
    user.write("go to row", text);
    assertStringIncludes(user.root.textContent, `"${text}" is not a row: write a number from 1`);
  }
  user.write("go to row", "1,000");
  await user.settled();
  assert(!user.root.textContent.includes("is not a row"));
  assertEquals(user.numbers.at(-1), 1000);
  user.write("filter Country", "nowhere");
  await user.settled();
  user.write("go to row", "5");
  await user.settled();
  assertEquals(user.numbers, []);
});

testPage("a row beyond those that match, gone to before they are counted, does not count them", async (table) => {
  const user = new LiveUser(table);
  await user.settled();
  user.write("filter Country", "ken");
  user.write("go to row", "900");
  await user.settled();

  assertEquals(user.status, "records: 250 of 1,000 rows × 4 columns");
  assertEquals(user.numbers, [246, 247, 248, 249, 250]);
});

testPage("go to row, and keys through rows, heads and ends", async (table) => {
  const user = new LiveUser(table);
  await user.settled();
  user.write("go to row", "501");
  await user.settled();
  assertEquals([user.numbers[0], user.rows[0][0]], [501, "vj0500"]);
  const stop = () => user.root.querySelector("[role=grid] [tabindex='0']")!;
  user.key("ArrowDown");
  assertEquals(stop().textContent, "vj0501");
  user.key("PageDown");
  await user.settled();
  assertEquals([stop().textContent, user.numbers.includes(507)], ["vj0506", true]);
  user.key("End", { ctrlKey: true });
  await user.settled();
  assertEquals([stop().textContent, user.numbers.at(-1)], [user.rows.at(-1)![3], 1000]);
  user.key("Home", { ctrlKey: true });
  await user.settled();
  assertEquals(stop().textContent, "vj0000");
  user.key("ArrowUp");
  assertEquals(stop().getAttribute("aria-label"), "filter Accession");
  user.key("ArrowUp");
  assertEquals(stop().getAttribute("role"), "slider");
  user.key("ArrowUp");
  assertEquals(stop().localName, "button");
  user.key("ArrowRight");
  assertEquals(stop().closest("[data-column]")!.getAttribute("data-column"), "Country");
});

testPage("a range of a distribution is a filter, by keys and by the mouse", async (table) => {
  const user = new LiveUser(table);
  await user.settled();
  const range = user.labelled("range of Length");
  await user.until(() => range.getAttribute("aria-valuemax") !== "0", "the distribution did not come");
  assertStringIncludes(range.getAttribute("aria-valuetext") ?? "", "rows");
  const keys = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  user.fire(range, "keydown", { ...keys, key: "ArrowRight" });
  user.fire(range, "keydown", { ...keys, key: "ArrowRight", shiftKey: true });
  assertEquals(range.getAttribute("aria-valuetext"), "35..104");
  user.fire(range, "keydown", { ...keys, key: "Enter" });
  await user.settled();
  assertEquals([user.labelled("filter Length").value, user.status], [
    "35..104",
    "records: 70 of 1,000 rows × 4 columns",
  ]);
  const values = user.labelled("range of Country");
  await user.until(() => values.getAttribute("aria-valuetext")?.includes("of 250 rows") === true, "no values came");
  user.fire(values, "keydown", { ...keys, key: "Enter" });
  const commonest = user.labelled("filter Country").value;
  assertStringIncludes(commonest, "=");
  user.write("filter Country", "");
  const bins = Number(range.getAttribute("aria-valuemax")) + 1;
  const inBin = (bin: number) => ({ offsetX: (bin + 0.5) * 116 / bins });
  user.draw(range, inBin(0), inBin(1));
  await user.settled();
  assertEquals([user.labelled("filter Length").value, user.status], [
    "0..69",
    "records: 70 of 1,000 rows × 4 columns",
  ]);
  user.draw(values, { offsetX: 1 }, { offsetX: 1 });
  await user.settled();
  assertEquals(user.labelled("filter Country").value, commonest);
});

testPage("the kernel is told what is shown, and what a cell sets is shown", async (table) => {
  const user = new LiveUser(table, { state: { columns: ["Country", "Accession"], filters: { Country: "ken" } } });
  await user.settled();
  assertEquals(user.status, "records: 250 of 1,000 rows × 2 columns");
  assertEquals(user.rows[1], ["Kenya", "vj0004"]);
  user.sort("Accession");
  user.key(" ");
  await user.until(() => user.told.length > 0, "the kernel was not told");
  user.channel.hear({ state: { sort: { by: "Length", descending: true }, filters: {}, columns: ["Length"] } });
  await user.settled();
  assertEquals([user.status, user.rows[0]], ["records: 1,000 rows × 1 column", ["999"]]);
  assertEquals(user.labelled("filter Length").value, "");
});

testPage("a record as a card, and what is shown as code", async (table) => {
  const user = new LiveUser(table);
  await user.settled();
  user.key("ArrowDown");
  user.key("Enter");
  await user.until(() => user.root.querySelector("[role=list]") !== null, "no card came");
  const card = user.root.querySelector("[role=list]")!.textContent;
  for (const words of ["Country", "what Country is", "Peru", "vj0001", "what Length is; nt"]) {
    assertStringIncludes(card, words);
  }
  user.press("close");
  user.write("filter Length", ">900");
  user.press("as code");
  await user.until(() => user.root.querySelector("pre") !== null, "no code came");
  const code = [...user.root.querySelectorAll("pre")].map(({ textContent }) => textContent);
  assertStringIncludes(code[0], 'lake.scan("records")');
  assertStringIncludes(code[1], `"Length" > '900'`);
});

testPage("columns are hidden, moved and widened", async (table) => {
  const user = new LiveUser(table);
  await user.settled();
  user.press("columns");
  user.labelled("Day earlier").click();
  const ticks = () => [...user.root.querySelectorAll(".seqreg-live-columns input")];
  ticks()[1].checked = false;
  user.fire(ticks()[1], "change");
  await user.settled();
  assertEquals(user.rows[0], ["vj0000", "2015-01-01", "0"]);
  assertEquals(user.status, "records: 1,000 rows × 3 columns");
  const head = user.root.querySelector("[role=columnheader][data-column=Day]")!;
  const widths = () =>
    [head, user.root.querySelector("[role=gridcell][data-column=Day]")!].map(({ style }) => style.width);
  assertEquals(widths(), ["124px", "124px"]);
  user.labelled("Day wider").click();
  user.labelled("Day wider").click();
  user.labelled("Day narrower").click();
  assertEquals(widths(), ["164px", "164px"]);
  user.draw(head.querySelector(".seqreg-live-edge")!, { clientX: 300 }, { clientX: 270 });
  assertEquals(widths(), ["134px", "134px"]);
  assertEquals(user.root.querySelector("[role=gridcell][data-column=Length]")!.style.left, "368px");
});

testPage("the rows in sight are copied with the columns that are shown, as they are shown", async (table) => {
  const user = new LiveUser(table, { state: { columns: ["Country", "Accession", "Length"] } });
  user.write("go to row", "3");
  await user.settled();
  user.press("copy");
  await user.until(() => user.root.textContent.includes("copied"), "nothing was copied");

  const rows = ["<b>Chad</b>\tvj0002\t14", "\tvj0003\t21", "Kenya\tvj0004\t28", "Peru\tvj0005\t35"];
  assertEquals(user.copied, ["Country\tAccession\tLength", ...rows, "<b>Chad</b>\tvj0006\t42", ""].join("\n"));
});

testPage("a process that ended is said to have, and what is asked next is answered", async (table) => {
  const user = new LiveUser(table);
  await user.settled();
  const words =
    "the process that holds the data has ended, perhaps for want of memory; the next question starts it anew";
  user.answerNext = { error: words };
  user.write("go to row", "900");
  await user.until(() => user.root.querySelector("[role=alert] button") !== null, "nothing was said");
  assertEquals(user.root.querySelector(".seqreg-live-message")!.textContent, `${words} try again`);
  assertEquals(user.root.getAttribute("data-seqreg-live"), "open");
  user.press("try again");
  await user.settled();

  assertEquals([user.root.querySelector(".seqreg-live-message")!.textContent, user.rows[0][0]], ["", "vj0000"]);
});

testPage("changed files are said to be and opened anew; an ended kernel leaves the first rows", async (table) => {
  const user = new LiveUser(table);
  await user.settled();
  user.key(" ");
  await user.until(() => user.told.length > 0, "the kernel was not told");
  assertEquals(Object(user.told.at(-1)?.state).marked, [0]);
  user.answerNext = { error: "it was written anew", changed: true };
  user.write("go to row", "900");
  await user.until(() => user.root.textContent.includes("it was written anew"), "nothing was said");
  assertEquals(user.root.querySelector("[role=grid]")!.getAttribute("aria-busy"), "false");
  user.answerNext = { facts: { columns: table.columns.slice(0, 4), count: 1000 } };
  user.press("open anew");
  await user.settled();
  assertEquals(user.asked.filter(({ op }) => op === "renew").length, 1);
  assertEquals(Object(user.told.at(-1)?.state).marked, []);
  assert(!user.root.textContent.includes("it was written anew"));
  user.channel.end("the kernel has ended or was restarted: run the cell again");

  assertEquals(user.root.getAttribute("data-seqreg-live"), "closed");
  assertStringIncludes(user.root.textContent, "run the cell again");
  assertStringIncludes(user.root.textContent, "the first rows");
});

testPage("a page that scrolls without end asks for one window at a time", async (table) => {
  const user = new LiveUser(table);
  await user.settled();
  user.asked.length = 0;
  for (let row = 1; row <= 900; row += 9) user.write("go to row", String(row));
  await user.settled();

  assertEquals(user.numbers[0], 892);
  assert(user.asked.filter(({ question }) => Object(question).op === "rows").length <= 4);
});

Deno.test("copied rows state which texts are cut, and how many cells are not fetched", PAGE, async () => {
  await inFolder(async (folder) => {
    const notes = Array.from({ length: 80 }, (_, index) => `'${index}' AS "c${index}"`).join(", ");
    await writeParquet(`${folder}/a.parquet`, `SELECT NULL::VARCHAR AS "a", repeat('x', 400) AS "b", ${notes}`);
    const files = await describeFiles([`${folder}/a.parquet`]);
    const columns = ["a", "b"].map((name) => ({ name }));
    const origin = { kind: "lake", lake: folder, table: "records" } as const;
    {
      await using table = await LiveTable.open({ files, columns, origin });
      const user = new LiveUser(table);
      await user.settled();
      user.press("copy");
      assertEquals(user.copied, `a\tb\n\t${"x".repeat(180)}…\n`);
      assertStringIncludes(user.root.textContent, "copied; long texts are cut in 1 cell");
    }
    await using table = await LiveTable.open({
      files,
      columns: Array.from({ length: 80 }, (_, index) => ({ name: `c${index}` })),
      origin,
    });
    const user = new LiveUser(table);
    // Cells out of sight are fetched a while after those in sight.
    await user.until(() => user.rows[0]?.[0] === "0", "no row came");
    user.press("copy");
    assertMatch(user.root.textContent, /copied; 7[0-9] cells not fetched yet/);
  });
});
