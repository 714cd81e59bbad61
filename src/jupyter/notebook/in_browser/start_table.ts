/** Makes a table that was written into a page live. Runs in the browser; see `cells.ts`. */
import type { SentCell } from "./cells.ts";
import { drawRows, followScheme, pageColour, pin } from "./draw_rows.ts";
import { fillFilterPanel } from "./filter_panel.ts";
import { findRows, type TableFacts, type TableState } from "./find_rows.ts";
import { type GridPlace, listenToKeys, setStop } from "./grid_keys.ts";
import { columnName, type LiveTableView, makeButton, makeElement, togglePanel } from "./live_table.ts";
import { makeToolBar } from "./tool_bar.ts";
import type { PageElement } from "./page.ts";

export function startTable(root: PageElement, columns: readonly (readonly SentCell[])[], facts: TableFacts): void {
  const body = root.querySelector("tbody");
  const grid = root.querySelector("table");
  const region = root.querySelector("[role=region]");
  if (body === null || grid === null || region === null) return;
  const place: GridPlace = { line: 0, part: 0 };
  const state: TableState = {
    words: "",
    conditions: new Map(),
    sorted: -1,
    direction: 1,
    shown: facts.names.map((_, column) => column),
    pinned: facts.pinned,
    page: 0,
    pageRows: facts.page,
  };
  let drawBar = (_message: string) => {};
  const table: LiveTableView = {
    root,
    columns,
    facts,
    state,
    found: [],
    refresh: () => {},
    heads: [...root.querySelectorAll("th")],
    draw: (message = "") => {
      followScheme(root);
      table.found = findRows(columns, facts, state);
      const pages = Math.max(1, Math.ceil(table.found.length / state.pageRows));
      state.page = Math.max(0, Math.min(state.page, pages - 1));
      const hadFocus = body.contains(root.ownerDocument.activeElement);
      drawRows(table, body);
      drawHeads(table);
      grid.setAttribute("aria-rowcount", String(table.found.length + 1));
      drawBar(message);
      setStop(table, place, hadFocus);
    },
  };
  makeHeads(table);
  for (const selector of [".seqreg-more", ...facts.count > 5 ? [".seqreg-limits"] : []]) {
    root.querySelector(selector)?.remove();
  }
  if (facts.tools) {
    const bar = makeElement(root, "div", "", { role: "group", "aria-label": "table tools" });
    region.before(bar);
    drawBar = makeToolBar(table, bar);
  }
  // The cells can be reached by the keyboard now, and what has the focus is scrolled into view.
  region.removeAttribute("tabindex");
  grid.setAttribute("role", "grid");
  root.querySelector("thead tr")?.setAttribute("aria-rowindex", "1");
  grid.setAttribute("aria-colcount", String(facts.names.length));
  for (const type of ["pointerenter", "focusin"]) root.addEventListener(type, () => followScheme(root));
  listenToKeys(table, place);
  table.draw();
}

/** Lets each head sort by a click, and open its filter. */
export function makeHeads(table: LiveTableView): void {
  const { root, facts, heads, state } = table;
  for (const [column, head] of heads.entries()) {
    const sort = makeElement(root, "button", "", {
      type: "button",
      tabindex: "-1",
      style: "all:unset;cursor:pointer",
      title: "sort: ascending, descending, as it came",
    });
    const order = makeElement(root, "span", "", { "aria-hidden": "true" });
    order.className = "seqreg-order";
    const name = head.firstChild;
    sort.append(...head.childNodes);
    if (name === null) sort.append(order);
    else name.after(order);
    head.append(sort);
    head.style.cursor = "pointer";
    head.setAttribute("aria-colindex", String(column + 1));
    let filter: PageElement | null = null;
    if (facts.tools && facts.count > 5) {
      const open = () =>
        togglePanel(table, button, `filter ${columnName(facts, column)}`, (panel) => {
          fillFilterPanel(table, column, panel);
        });
      const button = makeButton(root, "filter", open, {
        tabindex: "-1",
        "aria-expanded": "false",
        "aria-label": `filter ${columnName(facts, column)}`,
        style: "all:unset;cursor:pointer;font-size:smaller;font-weight:normal;text-decoration:underline dotted",
      });
      button.className = "seqreg-filter";
      filter = button;
      head.append(makeElement(root, "br"), button);
    }
    head.addEventListener("click", ({ target }) => {
      if (filter !== null && filter.contains(target)) return;
      if (state.sorted !== column) [state.sorted, state.direction] = [column, 1];
      else if (state.direction === 1) state.direction = -1;
      else [state.sorted, state.direction] = [-1, 1];
      table.draw();
    });
  }
}

/** Shows which columns there are, which one orders the rows, and which are filtered. */
export function drawHeads({ root, heads, state }: LiveTableView): void {
  const base = pageColour(root);
  for (const [column, head] of heads.entries()) {
    const align = head.style.textAlign;
    head.style.cssText = `text-align:${align};vertical-align:bottom;cursor:pointer${
      state.shown.includes(column) ? "" : ";display:none"
    }`;
    if (column === state.pinned) pin(head, base);
    const order = column !== state.sorted ? "none" : state.direction > 0 ? "ascending" : "descending";
    head.setAttribute("aria-sort", order);
    const mark = head.querySelector(".seqreg-order");
    if (mark !== null) mark.textContent = order === "none" ? "" : order === "ascending" ? " ▲" : " ▼";
    const filter = head.querySelector(".seqreg-filter");
    if (filter !== null) {
      const isOn = state.conditions.has(column);
      filter.textContent = isOn ? "filtered" : "filter";
      filter.style.fontWeight = isOn ? "bold" : "normal";
    }
  }
}
