/** What a person does with a live table, in JupyterLab and in Notebook 7 alike: each a step of `live.ts`. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { makeSample } from "../../src/embedded/sample/mod.ts";
import { buildLake } from "../../src/core/tables/mod.ts";
import { ALL, axeFaults, dataProcesses, OUT, RECORDS, type Room, run, TIMEOUT_MS } from "./_live_room.ts";

/** Cells of the notebook, by what they do. */
const CELLS = {
  show: `import { live } from "seqreg";
    import { openLake } from "seqreg/tables";
    const lake = await openLake("lake");
    const view = await live(lake);
    view`,
  read: "console.log(JSON.stringify([view.filter, view.sort, view.columns, (await view.frame()).height]))",
  set: `view.filter = { Country: "=Kenya" }; view.sort = { by: "Sequence Length" };`,
  selected: "console.log((await view.selected()).join())",
  compute: `console.log("begun"); for (const end = Date.now() + 6000; Date.now() < end;);`,
  sql: "console.log((await view.code()).sql)",
  own: "",
};

/** The notebook. */
export const NOTEBOOK: readonly string[] = Object.values(CELLS);

/** Runs one of its cells. */
export async function runCell({ lab }: Room, cell: keyof typeof CELLS, code?: string): Promise<string> {
  return await run(lab, Object.keys(CELLS).indexOf(cell), code);
}

/** A gesture, and what has to be seen of it. */
type Gesture = (room: Room) => Promise<void>;

/** What is done to a table while all is well; each leaves all rows, in the order of the files. */
export const GESTURES: Readonly<Record<string, Gesture>> = {
  "any row, by its number, the wheel and keys": async (room) => {
    const { seen, lab: { page } } = room;
    assertEquals(await seen.cell(1, "Registry Accession"), "vj000000000001");
    assertEquals(await seen.status(), ALL);
    await seen.goTo(2500);
    assertEquals(await seen.cell(2500, "Registry Accession"), "vj000000002500");
    await seen.root.locator("[role=gridcell]").first().hover();
    await page.mouse.wheel(0, 440);
    assertEquals(await seen.cell(2520, "Registry Accession"), "vj000000002520");
    await seen.root.locator(`[data-row="2521"] [data-column="Registry Accession"]`).click();
    await page.keyboard.press("Control+End");
    assertEquals(await seen.cell(RECORDS, "Registry Accession"), "vj000000003000");
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("ArrowDown");
    await seen.cell(2, "Registry Accession");
    await page.keyboard.press("Space");
    assertEquals(await seen.cell(2, "Registry Accession"), "vj000000000002");
    assertEquals(await runCell(room, "selected"), "vj000000000002\n");
    // Cells that are scrolled under the rows' numbers do not show through, nor in a row that is marked.
    const style = `getComputedStyle(document.querySelector("[data-row='2'] .seqreg-live-number"))`;
    assertMatch(await page.evaluate(`${style}.opacity + " " + ${style}.backgroundColor`), /^1 rgb\(/);
  },
  "the bar": async ({ seen }) => {
    await seen.scroll("scrollTop", 1e9);
    assertEquals(await seen.cell(RECORDS, "Registry Accession"), "vj000000003000");
  },
  "filters and orders, which a cell reads": async (room) => {
    const { seen } = room;
    await seen.filter("Sequence Length", ">5000");
    await seen.filter("Country", "ken");
    await seen.sort("Sequence Length");
    await seen.sort("Sequence Length");
    await seen.cell(1, "Sequence Length");
    const [filter, sort, columns, rows] = JSON.parse(await runCell(room, "read"));
    assertEquals(filter, { "Sequence Length": ">5000", "Country": "ken" });
    assertEquals([sort, columns.length], [{ by: "Sequence Length", descending: true }, 54]);
    await seen.untilStatus(`${rows} of 3,000 rows × 54 columns`);
    assertStringIncludes(await runCell(room, "sql"), `contains(lower("Country"), lower('ken'))`);
    await seen.filter("Sequence Length", "long");
    await seen.untilText('"long" is not a number');
  },
  "what a cell sets": async (room) => {
    const { seen } = room;
    await runCell(room, "set");
    assertEquals(await seen.cell(1, "Country"), "Kenya");
    assertEquals(await seen.field("Country").inputValue(), "=Kenya");
    await seen.filter("Country", "");
    await seen.untilStatus(ALL);
    await seen.sort("Sequence Length");
    await seen.sort("Sequence Length");
  },
  "values that are missing or present, and the other rows": async ({ seen }) => {
    const counts: Record<string, number> = {};
    for (const text of ["missing", "!missing", "present", "!present"]) {
      await seen.filter("Host Age", text);
      counts[text] = await seen.matching();
    }
    await seen.filter("Host Age", "");
    const { missing } = counts;
    assert(missing > 0 && missing < RECORDS, `${missing} are missing`);
    const present = RECORDS - missing;
    assertEquals(counts, { missing, "!missing": present, present, "!present": missing });
    await seen.filter("Country", "kenya");
    const kenya = await seen.matching();
    await seen.filter("Country", "!kenya");
    assert(kenya > 0);
    assertEquals(await seen.matching(), RECORDS - kenya);
    await seen.filter("Country", "");
    await seen.untilStatus(ALL);
  },
  "a range that is drawn with the mouse, and one of the most frequent values": async ({ seen }) => {
    const { mouse } = seen.page;
    const draw = async (column: string, share: number) => {
      const range = await seen.range(column);
      const box = await range.boundingBox();
      assert(box !== null);
      await mouse.move(box.x + 2, box.y + 10);
      await mouse.down();
      await mouse.move(box.x + 2 + box.width * share, box.y + 10);
      await mouse.up();
      return await seen.field(column).inputValue();
    };
    assertMatch(await draw("Sequence Length", 0.1), /^\d+\.\.\d+$/);
    await seen.filter("Sequence Length", "");
    await seen.untilStatus(ALL);
    const country = await draw("Country", 0);
    assertMatch(country, /^=\S/);
    const [, rows] = /: [\d,]+ of ([\d,]+) rows$/.exec(
      await seen.root.getByLabel("range of Country", { exact: true }).getAttribute("aria-valuetext") ?? "",
    ) ?? [];
    assertEquals(await seen.matching(), Number(rows.replaceAll(",", "")));
    assertEquals(await seen.cell(1, "Country"), country.slice(1));
    await seen.filter("Country", "");
    await seen.untilStatus(ALL);
  },
  "columns that are hidden, moved and widened": async (room) => {
    const { seen } = room;
    const before = await seen.columns();
    const [first, second, third] = before;
    const width = async (column: string) => (await seen.head(column).boundingBox())?.width ?? 0;
    await seen.press("columns");
    const panel = seen.root.getByRole("group", { name: "choose columns" });
    await panel.getByRole("checkbox", { name: second, exact: true }).click();
    await seen.untilStatus("3,000 rows × 53 columns");
    // The focus stays on what was pressed, though the list is another one.
    await seen.page.keyboard.press("Space");
    await seen.untilStatus(ALL);
    await seen.page.keyboard.press("Space");
    await seen.untilStatus("3,000 rows × 53 columns");
    await panel.getByRole("button", { name: `${third} earlier`, exact: true }).click();
    assertEquals(await seen.columns(), [third, first, ...before.slice(3)]);
    const narrow = await width(third);
    await panel.getByRole("button", { name: `${third} wider`, exact: true }).click();
    assertEquals(await width(third), narrow + 40);
    await seen.page.keyboard.press("Enter");
    assertEquals(await width(third), narrow + 80);
    await seen.page.keyboard.press("Escape");
    assertEquals(await panel.count(), 0);
    assertEquals(JSON.parse(await runCell(room, "read"))[2], [third, first, ...before.slice(3)]);
    await seen.scroll("scrollLeft", 0);
    const edge = await seen.head(first).locator(".seqreg-live-edge").boundingBox();
    assert(edge !== null);
    const wide = await width(first);
    await seen.page.mouse.move(edge.x + 2, edge.y + 60);
    await seen.page.mouse.down();
    await seen.page.mouse.move(edge.x + 62, edge.y + 60);
    await seen.page.mouse.up();
    assertEquals(await width(first), wide + 60);
    await runCell(room, "own", `view.columns = ${JSON.stringify(before)}`);
    await seen.untilStatus(ALL);
    assertEquals(await seen.columns(), before);
  },
  "rows and code that are copied; the code, run in a cell, finds the same rows": async (room) => {
    const { seen } = room;
    await seen.filter("Country", "=Kenya");
    const rows = await seen.matching();
    assertEquals(await seen.cell(1, "Country"), "Kenya");
    const accession = await seen.cell(1, "Registry Accession");
    const lines = (await seen.copied("copy")).replace(/\n$/, "").split("\n").map((line) => line.split("\t"));
    assertEquals([lines.length, lines[0].length], [17, 54]);
    const columns = await seen.columns();
    assertEquals(lines[0], columns);
    assertEquals(lines[1][columns.indexOf("Registry Accession")], accession);
    assertEquals(lines[1][columns.indexOf("Country")], "Kenya");
    await seen.press("as code");
    const panel = seen.root.getByRole("group", { name: "as code" });
    const typescript = await panel.getByLabel("TypeScript", { exact: true }).innerText();
    assertEquals(await seen.copied("copy TypeScript"), typescript);
    assertStringIncludes(await seen.copied("copy SQL"), `"Country" = 'Kenya'`);
    await seen.press("close");
    assertEquals(await runCell(room, "own", `${typescript}\nconsole.log(rows.height)`), `${rows}\n`);
    await seen.filter("Country", "");
    await seen.untilStatus(ALL);
  },
  "while a cell computes and another waits": async (room) => {
    const { seen, lab: { page } } = room;
    let isRunning = true;
    const running = runCell(room, "compute").finally(() => isRunning = false);
    await page.waitForFunction(`document.body.innerText.includes("begun")`, null, { timeout: TIMEOUT_MS });
    const waiting = runCell(room, "read");
    const began = performance.now();
    await seen.goTo(1234);
    await seen.cell(1234, "Registry Accession");
    await seen.filter("Country", "peru");
    await seen.cell(1, "Country");
    assert(isRunning, `rows took ${performance.now() - began} ms: the cell has ended`);
    await running;
    // What a cell reads is what is shown when it begins.
    assertEquals(JSON.parse(await waiting)[0], { Country: "peru" });
    await seen.filter("Country", "");
    await seen.untilStatus(ALL);
  },
  "a record; axe and pictures in light and dark, narrow and wide": async ({ name, lab, seen }) => {
    await seen.goTo(1);
    await seen.sort("Sequence Length");
    await seen.cell(1, "Registry Accession");
    await seen.root.locator(`[data-row="1"] [data-column="Registry Accession"]`).dblclick();
    await seen.root.getByRole("group", { name: "record 1" }).waitFor();
    const room = name.replace(" ", "").toLowerCase();
    for (const dark of [false, true]) {
      for (const width of [1280, 520]) {
        await lab.turn({ width, height: 1100, dark });
        await seen.cell(1, "Registry Accession");
        await lab.picture(`${OUT}live-${room}-${dark ? "dark" : "light"}-${width}.png`);
        assertEquals(await axeFaults(lab), [], `axe at ${width} pixels, ${dark ? "dark" : "light"}`);
      }
    }
    await lab.turn({ width: 1280, height: 1100, dark: false });
    await seen.press("close");
    await seen.sort("Sequence Length");
    await seen.sort("Sequence Length");
  },
};

/** What ends under a table, and what it says then. */
export const ENDS: Readonly<Record<string, Gesture>> = {
  "the data process, by a kill while it is asked": async (room) => {
    const { seen } = room;
    const [pid, ...others] = await dataProcesses();
    assertEquals(others, []);
    Deno.kill(pid, "SIGSTOP");
    await seen.goTo(2000);
    Deno.kill(pid, "SIGKILL");
    await seen.untilText("the process that holds the data has ended, perhaps for want of memory");
    await seen.press("try again");
    await seen.goTo(2001);
    assertEquals(await seen.cell(2001, "Registry Accession"), "vj000000002001");
    assertEquals(await seen.root.getByRole("button", { name: "try again" }).count(), 0);
    assertEquals((await dataProcesses()).includes(pid), false);
    assertEquals(JSON.parse(await runCell(room, "read"))[3], RECORDS);
  },
  "the lake, built again: said, and opened anew": async ({ seen, folder }) => {
    await makeSample(`${folder}/archives2`, { records: 500, seed: 2 });
    await buildLake(`${folder}/archives2`, `${folder}/lake`);
    await seen.goTo(900);
    await seen.untilText("it was written anew or removed");
    await seen.press("open anew");
    await seen.untilStatus(": 500 rows × 54 columns");
    await seen.goTo(400);
    assertEquals(await seen.cell(400, "Registry Accession"), "vj000000000400");
  },
  "the cell, run again: one live table, and the earlier one is forgotten": async (room) => {
    const { seen } = room;
    await runCell(room, "show");
    await seen.untilState("open");
    assertEquals(await seen.page.locator("[data-seqreg-live]").count(), 1);
    assertEquals(await seen.cell(1, "Registry Accession"), "vj000000000001");
  },
  "the kernel, restarted: the first rows, and what to do; its data process is gone": async (room) => {
    await endKernel(room, "session.kernel.restart()");
  },
  "the kernel, shut down: the same": async (room) => {
    await endKernel(room, "shutdown()");
  },
};

/** Ends the kernel, looks at what is left, and runs the cell again. */
async function endKernel(room: Room, end: string): Promise<void> {
  const { seen, lab } = room;
  await lab.page.evaluate(`jupyterapp.shell.currentWidget.sessionContext.${end}`);
  await seen.untilState("closed");
  await seen.untilText("run the cell again");
  await seen.untilText("vj000000000001");
  const late = Date.now() + 20_000;
  while ((await dataProcesses()).length > 0) {
    assert(Date.now() < late, "the data process of the old kernel is still there");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await runCell(room, "show");
  await seen.untilState("open");
  assertEquals(await seen.cell(1, "Registry Accession"), "vj000000000001");
}
