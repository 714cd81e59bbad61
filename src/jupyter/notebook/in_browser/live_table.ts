/** What the parts of a live table share, and elements made for them. Runs in the browser; see `cells.ts`. */
import { visible } from "@seqreg/core/io/display";
import type { SentCell } from "./cells.ts";
import type { TableFacts, TableState } from "./find_rows.ts";
import type { PageElement } from "./page.ts";

/** A table that a person works with. */
export interface LiveTableView {
  readonly root: PageElement;
  readonly columns: readonly (readonly SentCell[])[];
  readonly facts: TableFacts;
  readonly state: TableState;
  /** Rows that pass every filter, in order. */
  found: readonly number[];
  readonly heads: readonly PageElement[];
  /** Finds and draws the rows anew; `message` follows their description. */
  draw(message?: string): void;
  /** Draws the text of an open panel anew. */
  refresh(): void;
}

export function makeElement(
  root: PageElement,
  name: string,
  text = "",
  attributes: Readonly<Record<string, string>> = {},
): PageElement {
  const element = root.ownerDocument.createElement(name);
  if (text !== "") element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

export function makeButton(
  root: PageElement,
  text: string,
  onclick: () => void,
  attributes: Readonly<Record<string, string>> = {},
): PageElement {
  const button = makeElement(root, "button", text, { type: "button", ...attributes });
  button.addEventListener("click", onclick);
  return button;
}

/** Makes a choice; `choices` are values with their names. */
export function makeSelect(
  root: PageElement,
  label: string,
  choices: readonly (readonly [value: string, name: string])[],
  value: string,
): PageElement {
  const select = makeElement(root, "select", "", { "aria-label": label });
  for (const [choice, name] of choices) {
    const option = makeElement(root, "option", name, { value: choice });
    if (choice === value) option.setAttribute("selected", "");
    select.append(option);
  }
  return select;
}

export function makeTick(
  root: PageElement,
  text: string,
  isTicked: boolean,
  onchange: (isTicked: boolean) => void,
): PageElement {
  const label = makeElement(root, "label", "", { style: "display:block;overflow-wrap:anywhere" });
  const box = makeElement(root, "input", "", { type: "checkbox" });
  box.checked = isTicked;
  box.addEventListener("change", () => onchange(box.checked));
  label.append(box, ` ${text}`);
  return label;
}

/** The name of a column as people read it. */
export function shortName(name: string): string {
  const shown = visible(name);
  return shown.length > 80 ? `${shown.slice(0, 80)}…` : shown;
}

/** The name of one of a table's columns, likewise. */
export function columnName({ names }: Pick<TableFacts, "names">, column: number): string {
  return shortName(names[column]);
}

/** Opens a panel above the table, or closes it; at most one is open. Escape closes it. */
export function togglePanel(
  table: LiveTableView,
  opener: PageElement,
  label: string,
  fill: (panel: PageElement) => void,
): void {
  const { root } = table;
  const before = root.querySelector(".seqreg-panel");
  const isOpen = opener.getAttribute("aria-expanded") === "true";
  for (const other of root.querySelectorAll("[aria-expanded=true]")) other.setAttribute("aria-expanded", "false");
  if (before !== null) before.remove();
  table.refresh = () => {};
  if (isOpen) return;
  const panel = makeElement(root, "div", "", {
    role: "group",
    "aria-label": label,
    style: "border:1px solid;border-radius:3px;padding:4px 8px;margin:4px 0;max-width:60em",
  });
  panel.className = "seqreg-panel";
  const close = () => {
    table.refresh = () => {};
    panel.remove();
    opener.setAttribute("aria-expanded", "false");
    opener.focus();
  };
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
  });
  fill(panel);
  panel.append(makeButton(root, "close", close, { style: "margin-top:4px" }));
  opener.setAttribute("aria-expanded", "true");
  root.querySelector("[role=region]")?.before(panel);
  // Typing goes into the value of a filter, not into its comparison.
  const typed = panel.querySelector("input[type=text]:not([style*=none])");
  (typed ?? panel.querySelector("input, select, button"))?.focus();
}
