/** A live table, run from the source that is written into outputs, over a page without a browser. */
import { Buffer } from "node:buffer";
import { inflateSync } from "node:zlib";
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { parseHTML } from "linkedom";
import type { PageElement } from "../../../../src/jupyter/notebook/in_browser/page.ts";
import { type TableContent, tableView } from "../../../../src/jupyter/notebook/table_view.ts";

const RECORDS: TableContent = {
  caption: "records",
  columns: ["Registry Accession", "Country", "Sequence Length"],
  rows: Array.from({ length: 60 }, (_, row) => [
    `vj${row}`,
    row % 4 === 0 ? "Kenya" : row % 4 === 1 ? null : "Peru",
    row * 7 % 60,
  ]),
};

interface TestElement extends PageElement {
  readonly textContent: string;
  querySelector(selector: string): TestElement | null;
  querySelectorAll(selector: string): Iterable<TestElement>;
  dispatchEvent(event: Event): void;
}

/** Opens tables in one page and starts each as a browser does. */
function openTables(...contents: readonly TableContent[]): TableUser[] {
  const outputs = contents.map((content) => tableView(content)["text/html"]!);
  const window = parseHTML(`<html><body>${outputs.join("")}</body></html>`);
  const document: TestElement = Reflect.get(window, "document");
  // This page computes no styles.
  Object.defineProperty(document, "defaultView", { value: null });
  return [...document.querySelectorAll(".seqreg-table")].map((root, index) => {
    const text = (name: string) => {
      const script = root.querySelector(`script.${name}`)!;
      const held = script.textContent!;
      const isJson = script.getAttribute("type") === "application/json";
      return isJson ? held : inflateSync(Buffer.from(held, "base64")).toString();
    };
    const facts = JSON.parse(/\("seqreg-[^"]+",(.*)\)<\/script><\/div>$/.exec(outputs[index])![1]);
    const start = new Function(`${text("seqreg-code")}\nreturn startTable`)();
    start(root, JSON.parse(text("seqreg-rows")), facts);
    return new TableUser(root, (type, init) => Object.assign(new window.Event(type, { bubbles: true }), init));
  });
}

/** What a person does with a table, and sees of it. */
class TableUser {
  readonly #root: TestElement;
  readonly #event: (type: string, init: object) => Event;

  constructor(root: TestElement, event: (type: string, init: object) => Event) {
    this.#root = root;
    this.#event = event;
  }

  get status(): string {
    return this.#texts("[role=status]")[0];
  }

  get rows(): string[][] {
    return [...this.#root.querySelectorAll("tbody tr")].map((row) =>
      [...row.querySelectorAll("td")].map((cell) => cell.textContent)
    );
  }

  get chips(): string[] {
    return this.#texts("button").filter((text) => text.endsWith(" ×"));
  }

  get values(): string[] {
    return this.#texts(".seqreg-panel label").map((text) => text.trim());
  }

  /** The text of the one place where Tab stops. */
  get stop(): string {
    const stops = [...this.#root.querySelectorAll("table [tabindex='0']")];
    assertEquals(stops.length, 1);
    return stops[0].textContent;
  }

  press(text: string): void {
    this.#one("button", text).click();
  }

  open(column: string): void {
    this.#labelled(`filter ${column}`, "button").click();
  }

  set(label: string, value: string, type = "input"): void {
    const field = this.#labelled(label, ":is(input, select)");
    // The lists of this page cannot be set otherwise.
    Object.defineProperty(field, "value", { value, configurable: true, writable: true });
    field.dispatchEvent(this.#event(type, {}));
  }

  tick(text: string): void {
    const box = this.#one("label", text).querySelector("input")!;
    box.checked = !box.checked;
    box.dispatchEvent(this.#event("change", {}));
  }

  key(key: string, init: object = {}): void {
    const stop = this.#root.querySelector("table [tabindex='0']")!;
    const keys = { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
    stop.dispatchEvent(this.#event("keydown", { ...keys, ...init }));
  }

  #texts(selector: string): string[] {
    return [...this.#root.querySelectorAll(selector)].map(({ textContent }) => textContent);
  }

  #labelled(label: string, kind = ""): TestElement {
    const found = this.#root.querySelector(`${kind}[aria-label="${label}"]`);
    assert(found !== null, `nothing is labelled ${label}`);
    return found;
  }

  #one(selector: string, text: string): TestElement {
    const found = [...this.#root.querySelectorAll(selector)].find(({ textContent }) => textContent.trim() === text);
    assert(found !== undefined, `no ${selector} says ${text}`);
    return found;
  }
}

Deno.test("a table filters by column, says which filters are on, and takes them away", () => {
  const [user] = openTables(RECORDS);
  assertEquals(user.status, "60 rows, page 1 of 3");

  user.open("Country");
  assertEquals(user.values, ["Peru (30)", "Kenya (15)", "null (15)"]);
  user.tick("Kenya (15)");
  assertEquals([user.status, user.rows.length], ["15 of 60 rows", 15]);
  user.tick("null (15)");
  assertEquals(user.status, "30 of 60 rows, page 1 of 2");
  assertEquals(user.chips, ["Country Kenya, null ×"]);

  user.open("Sequence Length");
  user.set("filter Sequence Length", "3..9");
  assertEquals(user.chips, ["Country Kenya, null ×", "Sequence Length 3..9 ×"]);
  assertEquals(user.rows.map(([, , length]) => length).sort(), ["3", "4", "7", "8"]);
  user.set("filter Sequence Length", "many");
  assertStringIncludes(user.status, "30 of 60 rows");

  user.press("clear filters");
  assertEquals([user.status, user.chips, user.values], ["60 rows, page 1 of 3", [], []]);
});

Deno.test("columns are chosen, pages have the wanted size, and a head sorts up, down and not at all", () => {
  const [user] = openTables(RECORDS);

  user.press("columns");
  user.tick("Country");
  assertEquals(user.rows[1], ["vj1", "7"]);
  assertStringIncludes(user.status, "2 of 3 columns");
  user.set("find columns", "zz");
  assertEquals(user.values, []);
  user.press("close");
  user.set("rows a page", "50", "change");
  assertEquals(user.rows.length, 50);
  user.press("Sequence Length");
  assertEquals(user.rows[0], ["vj0", "0"]);
  user.press("Sequence Length ▲");
  assertEquals(user.rows[0], ["vj17", "59"]);
  user.press("Sequence Length ▼");
  assertEquals(user.rows[0], ["vj0", "0"]);
});

Deno.test("keys go from cell to cell, over pages and to the heads, with one stop for Tab", () => {
  const [user] = openTables(RECORDS);
  const path: string[] = [user.stop];
  const go = (key: string, init?: object) => {
    user.key(key, init);
    path.push(user.stop);
  };

  go("ArrowRight");
  go("ArrowRight");
  go("ArrowDown");
  go("End");
  go("PageDown");
  go("ArrowUp");
  go("Home");
  go("PageUp");
  go("ArrowUp");
  go("End", { ctrlKey: true });
  go("PageDown");
  go("Home", { ctrlKey: true });
  go("ArrowUp");
  assertEquals(path, [
    "Registry Accession",
    "filter",
    "Country",
    "Kenya",
    "0",
    "20",
    "13",
    "vj19",
    "vj0",
    "Registry Accession",
    "53",
    "53",
    "vj0",
    "Registry Accession",
  ]);
});

Deno.test("two tables of one page leave each other alone", () => {
  const [first, second] = openTables(RECORDS, { ...RECORDS, rows: RECORDS.rows.slice(0, 30) });

  first.open("Country");
  first.tick("Kenya (15)");
  second.set("filter rows", "peru");
  assertEquals([first.status, second.status], ["15 of 60 rows", "14 of 30 rows"]);
  assertEquals([first.chips.length, second.chips.length, second.values], [1, 0, []]);
});

Deno.test("the properties of one thing and a few rows have no more tools than they need", () => {
  const [facts, few] = openTables({ ...RECORDS, sized: false }, { ...RECORDS, rows: RECORDS.rows.slice(0, 3) });

  assertThrows(() => facts.press("CSV"));
  assertThrows(() => few.open("Country"));
  assertEquals(few.status, "");
  facts.press("Country");
  assertEquals(facts.rows[0][1], "Kenya");
});
