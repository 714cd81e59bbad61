/** A live table in a real JupyterLab or Notebook 7: what is seen of it, and what a person does. */
import { assertEquals } from "@std/assert";
// Used by checks alone, which may install what they like: not a dependency of the toolkit.
// deno-lint-ignore no-import-prefix
import axe from "npm:axe-core@4.10.3";
import { makeSample } from "../../src/embedded/sample/mod.ts";
import { buildLake } from "../../src/core/tables/mod.ts";
import type { Browser, Locator, Page } from "playwright-core";
import { type LabPage, LabServer, openBrowser, type RoomName, writeNotebook } from "./_lab.ts";

/** Folder for pictures. */
export const OUT = new URL("../../.ci/out/", import.meta.url).pathname;
export const TIMEOUT_MS = 60_000;
/** Records of the lake. */
export const RECORDS = 3000;
/** What the lake's table says of itself. */
export const ALL = "full_dataset_metadata: 3,000 rows × 54 columns";

/** What is seen of one live table of a page, and a person's gestures on it. */
export class Seen {
  readonly page: Page;
  /** The table's element, in Playwright's words and as code of the page. */
  readonly root: Locator;
  readonly #found: string;

  /** Takes the page, and what tells the table from others there: its title, and which of those that have it. */
  constructor({ page }: { readonly page: Page }, title?: string, nth = 0) {
    const about = title === undefined ? "" : `:has([role=grid][aria-label="${title}"])`;
    const selector = `[data-seqreg-live]${about}`;
    this.page = page;
    this.root = page.locator(selector).nth(nth);
    this.#found = `[...document.querySelectorAll(${JSON.stringify(selector)})][${nth}]`;
  }

  async status(): Promise<string> {
    return await this.root.locator("[role=status]").innerText();
  }

  async untilStatus(text: string): Promise<void> {
    const says = `${this.#found}?.querySelector("[role=status]")?.textContent?.endsWith(${JSON.stringify(text)})`;
    await this.#until(says, text);
  }

  /** Number of the rows that match, once they are counted. */
  async matching(): Promise<number> {
    const said = `${this.#found}?.querySelector("[role=status]")?.textContent`;
    await this.#until(`/: [\\d,]+ (of|rows?) /.test(${said})`, "a count");
    const [, rows] = /: ([\d,]+) (?:of|rows?) /.exec(await this.status()) ?? [];
    return Number(rows.replaceAll(",", ""));
  }

  /** Waits until a cell of a row, by its number from 1, has a value. */
  async cell(row: number, column: string): Promise<string> {
    const selector = JSON.stringify(`[data-row="${row}"] [data-column="${column}"]`);
    const cell = `${this.#found}?.querySelector(${selector})`;
    await this.#until(`${cell}?.textContent`, `row ${row}, ${column}`);
    return await this.page.evaluate(`${cell}.textContent`);
  }

  async untilState(state: string): Promise<void> {
    await this.#until(`${this.#found}?.getAttribute("data-seqreg-live") === "${state}"`, `the state ${state}`);
  }

  async untilText(text: string): Promise<void> {
    await this.#until(`${this.#found}?.textContent.includes(${JSON.stringify(text)})`, text);
  }

  async #until(expression: string, what: string): Promise<void> {
    await this.page.waitForFunction(expression, null, { timeout: TIMEOUT_MS }).catch((cause) => {
      throw new Error(`not seen: ${what}`, { cause });
    });
  }

  async goTo(row: number): Promise<void> {
    const field = this.root.getByLabel("go to row");
    await field.fill(String(row));
    await field.press("Enter");
  }

  /** The field above a column. */
  field(column: string): Locator {
    return this.root.getByLabel(`filter ${column}`, { exact: true });
  }

  async filter(column: string, text: string): Promise<void> {
    await this.field(column).fill(text);
    await this.field(column).press("Enter");
  }

  /** The head of a column. */
  head(column: string): Locator {
    return this.root.locator(`[role=columnheader][data-column="${column}"]`);
  }

  async sort(column: string): Promise<void> {
    await this.head(column).locator("button").click();
  }

  /** Names of the columns, in their order. */
  async columns(): Promise<string[]> {
    return await this.page.evaluate(
      `[...${this.#found}.querySelectorAll("[role=columnheader]")].map((head) => head.getAttribute("data-column"))`,
    );
  }

  /** Moves a bar of the table to a number of pixels. */
  async scroll(bar: "scrollTop" | "scrollLeft", pixels: number): Promise<void> {
    await this.page.evaluate(`${this.#found}.querySelector(".seqreg-live-view").${bar} = ${pixels}`);
  }

  async press(button: string): Promise<void> {
    await this.root.getByRole("button", { name: button, exact: true }).click();
  }

  /** Waits until the distribution of a column is drawn, and returns it in sight. */
  async range(column: string): Promise<Locator> {
    const range = this.root.getByLabel(`range of ${column}`, { exact: true });
    await range.scrollIntoViewIfNeeded();
    const slider = `${this.#found}?.querySelector(${JSON.stringify(`[aria-label="range of ${column}"]`)})`;
    await this.#until(`${slider}?.getAttribute("aria-valuetext").includes(" rows")`, `the distribution of ${column}`);
    return range;
  }

  /** Text that a button copies. */
  async copied(button: string): Promise<string> {
    await this.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await this.page.evaluate(`navigator.clipboard.writeText("")`);
    await this.press(button);
    await this.#until("navigator.clipboard.readText()", `what ${button} copies`);
    await this.untilText("copied");
    return await this.page.evaluate("navigator.clipboard.readText()");
  }
}

/** What axe-core finds in the live tables of a page. */
export async function axeFaults({ page }: LabPage): Promise<readonly unknown[]> {
  await page.addScriptTag({ content: axe.source });
  return await page.evaluate(
    `axe.run({ include: [["[data-seqreg-live]"]] }).then(({ violations }) => violations
    .map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.slice(0, 3).map(({ html }) => html.slice(0, 300)) })))`,
  );
}

/** Runs one cell of the notebook, with other code where it is given, and returns what it printed. */
export async function run(lab: LabPage, cell: number, code?: string): Promise<string> {
  await lab.page.evaluate(`(async () => {
    const { content } = jupyterapp.shell.currentWidget;
    const code = ${JSON.stringify(code ?? null)};
    if (code !== null) content.widgets[${cell}].model.sharedModel.setSource(code);
    content.activeCellIndex = ${cell};
    content.deselectAll();
    await jupyterapp.commands.execute("notebook:run-cell");
  })()`);
  return (await lab.cells())[cell].text;
}

/** Data processes that this test's server started, which are below this process. */
export async function dataProcesses(): Promise<number[]> {
  const parents = new Map<number, number>();
  const found: number[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    try {
      const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
      parents.set(pid, Number(stat.replace(/^.*\) /s, "").split(" ")[1]));
      if ((await Deno.readTextFile(`/proc/${pid}/cmdline`)).includes("serve_tables.ts")) found.push(pid);
    } catch {
      // It has ended meanwhile.
    }
  }
  const isOurs = (pid: number): boolean => pid === Deno.pid || (pid > 1 && isOurs(parents.get(pid) ?? 0));
  return found.filter(isOurs);
}

/** Where a live table is looked at. */
export interface Room {
  readonly name: RoomName;
  readonly lab: LabPage;
  /** The first live table of the page. */
  readonly seen: Seen;
  readonly folder: string;
  readonly server: LabServer;
  readonly browser: Browser;
}

/** Opens a notebook next to a lake in a room, and runs its first cell, which shows a live table. */
export async function withRoom(
  name: RoomName,
  cells: readonly string[],
  work: (room: Room) => Promise<void>,
): Promise<void> {
  const folder = `${OUT}live`;
  await Deno.mkdir(folder, { recursive: true });
  try {
    await makeSample(`${folder}/archives`, { records: RECORDS });
    await buildLake(`${folder}/archives`, `${folder}/lake`);
    await writeNotebook(`${folder}/live.ipynb`, cells);
    await using server = await LabServer.start(folder);
    await using browser = await openBrowser();
    await using lab = await server.open(browser, "live.ipynb", { width: 1280, height: 1100, room: name });
    const errors: string[] = [];
    lab.page.on("pageerror", (error) => errors.push(String(error)));
    await run(lab, 0);
    const seen = new Seen(lab);
    await seen.untilState("open");
    await work({ name, lab, seen, folder, server, browser });
    assertEquals(errors, []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
