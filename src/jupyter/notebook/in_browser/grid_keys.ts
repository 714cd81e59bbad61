/**
 * A table by the keyboard, as the grid of WAI-ARIA has it: one stop of Tab, from which arrow keys go from cell to cell.
 * Runs in the browser; see `cells.ts`.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/grid/
 */
import type { LiveTableView } from "./live_table.ts";
import type { PageElement, PageEvent } from "./page.ts";
import { ownKeys } from "./page_tools.ts";

/** Where the keyboard is: line 0 holds the heads, 1 the first row of the page; `part` counts what a line holds. */
export interface GridPlace {
  line: number;
  part: number;
}

/** Stops of a line of the grid: of the heads their buttons, of a row its cells. */
export function stopsOf({ root, heads, state }: LiveTableView, line: number): PageElement[] {
  if (line === 0) return state.shown.flatMap((column) => [...heads[column].querySelectorAll("button")]);
  const row = [...root.querySelectorAll("tbody tr")][line - 1];
  return row === undefined ? [] : [...row.querySelectorAll("td")];
}

/** Puts the one stop of Tab where the keyboard was, as near as the page has it, and the focus there if asked for. */
export function setStop(table: LiveTableView, place: GridPlace, focus: boolean): void {
  const lines = Math.min(table.state.pageRows, table.found.length - table.state.page * table.state.pageRows);
  place.line = Math.max(0, Math.min(place.line, lines));
  const stops = stopsOf(table, place.line);
  place.part = Math.max(0, Math.min(place.part, stops.length - 1));
  for (const other of table.root.querySelectorAll("table [tabindex='0']")) other.tabIndex = -1;
  const stop = stops[place.part];
  if (stop === undefined) return;
  stop.tabIndex = 0;
  if (focus) stop.focus();
}

/** Moves between heads, which have several buttons for a column, and rows, which have one cell for it. */
export function partIn(table: LiveTableView, from: GridPlace, line: number): number {
  const stops = stopsOf(table, 0);
  const perHead = Math.max(1, stops.length / Math.max(1, table.state.shown.length));
  if (from.line === 0 && line > 0) return Math.floor(from.part / perHead);
  return from.line > 0 && line === 0 ? from.part * perHead : from.part;
}

/** Goes where a key says; whether it was one of the grid's. */
export function moveBy(table: LiveTableView, place: GridPlace, event: Pick<PageEvent, "key" | "ctrlKey">): boolean {
  const { state, found } = table;
  const pages = Math.max(1, Math.ceil(found.length / state.pageRows));
  const lines = Math.min(state.pageRows, found.length - state.page * state.pageRows);
  const turn = (page: number, line: number) => {
    place.part = partIn(table, place, line);
    place.line = line;
    if (page !== state.page) {
      state.page = page;
      table.draw();
    }
  };
  const stops = stopsOf(table, place.line).length;
  if (event.key === "ArrowRight") place.part = Math.min(place.part + 1, stops - 1);
  else if (event.key === "ArrowLeft") place.part = Math.max(place.part - 1, 0);
  else if (event.key === "ArrowDown") {
    if (place.line < lines) turn(state.page, place.line + 1);
    else if (state.page < pages - 1) turn(state.page + 1, 1);
  } else if (event.key === "ArrowUp") {
    if (place.line > 1 || state.page === 0) turn(state.page, Math.max(0, place.line - 1));
    else if (place.line === 1) turn(state.page - 1, state.pageRows);
  } else if (event.key === "PageDown") {
    if (state.page < pages - 1) turn(state.page + 1, Math.max(1, place.line));
    else turn(state.page, lines);
  } else if (event.key === "PageUp") {
    if (state.page > 0) turn(state.page - 1, Math.max(1, place.line));
    else turn(state.page, Math.min(1, lines));
  } else if (event.key === "Home") {
    if (event.ctrlKey) turn(0, Math.min(1, lines));
    place.part = 0;
  } else if (event.key === "End") {
    if (event.ctrlKey) turn(pages - 1, found.length - (pages - 1) * state.pageRows);
    place.part = stopsOf(table, place.line).length - 1;
  } else return false;
  setStop(table, place, true);
  return true;
}

/** Lets keys move in the grid, which JupyterLab leaves to it. */
export function listenToKeys(table: LiveTableView, place: GridPlace): void {
  const { root } = table;
  const grid = root.querySelector("table");
  if (grid === null) return;
  grid.addEventListener("focusin", ({ target }) => {
    const cell = target.closest("td, th");
    const line = cell?.localName === "td"
      ? [...root.querySelectorAll("tbody tr")].findIndex((row) => row.contains(cell)) + 1
      : 0;
    const part = stopsOf(table, line).findIndex((stop) => stop.contains(target));
    if (part < 0) return;
    place.line = line;
    place.part = part;
    setStop(table, place, false);
  });
  grid.addEventListener("keydown", (event) => {
    if (event.altKey || event.metaKey || event.shiftKey) return;
    if (event.key === "Enter" && event.target.localName === "td") event.target.querySelector("button")?.click();
    else if (!moveBy(table, place, event)) return;
    event.preventDefault();
  });
  for (const [type, outline] of [["focusin", "2px solid"], ["focusout", ""]] as const) {
    root.addEventListener(type, ({ target }) => {
      if (outline !== "" && !target.matches(":focus-visible")) return;
      target.style.outline = outline;
      target.style.outlineOffset = outline === "" ? "" : "-2px";
    });
  }
  ownKeys(root, (event) =>
    !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey &&
    (/^(Arrow|Page|Home$|End$|Enter$|Escape$| $)/.test(event.key) ||
      (event.key.length === 1 && !grid.contains(event.target))));
}
