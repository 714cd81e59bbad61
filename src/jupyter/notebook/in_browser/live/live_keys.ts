/**
 * A live table by the keyboard, as the data grid of WAI-ARIA has it: one stop of Tab, from which arrow keys go from
 * cell to cell. Runs in the browser; see `../cells.ts`.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/grid/
 */
import type { PageElement, PageEvent } from "../page.ts";
import { ownKeys } from "../page_tools.ts";
import { leftOf, type LivePage, sizesOf, widthOf } from "./live_page.ts";
import { moveTo } from "./live_scroll.ts";

/** The element at the keyboard's position in the grid; `undefined` where it is not in the page. */
export function stopAt({ parts, state, place, first }: LivePage): PageElement | undefined {
  const column = state.shown[place.column];
  if (place.line !== "row") return parts.heads.get(column)?.[place.line];
  const line = parts.lines[place.row - first];
  if (line === undefined || !line.isConnected) return undefined;
  return [...line.childNodes].slice(1).find((cell) => cell.getAttribute("aria-colindex") === String(place.column + 1));
}

/** Puts the one stop of Tab where the keyboard is, and the focus there if asked for. */
export function setLiveStop(page: LivePage, focus: boolean): void {
  const { place, parts, state, total } = page;
  place.column = Math.max(0, Math.min(place.column, state.shown.length - 1));
  place.row = Math.max(0, Math.min(place.row, total - 1));
  const stop = stopAt(page) ?? parts.lines[0]?.childNodes[1] ?? parts.heads.get(state.shown[0])?.sort;
  for (const other of parts.grid.querySelectorAll("[tabindex='0']")) if (other !== stop) other.tabIndex = -1;
  if (stop === undefined) return;
  stop.tabIndex = 0;
  if (focus) stop.focus();
}

/** Scrolls so that the keyboard's position is in sight. */
export function bringIntoSight(page: LivePage): void {
  const { place, facts, parts, state } = page;
  if (place.line === "row") {
    if (place.row < page.first) moveTo(page, place.row);
    else if (place.row >= page.first + facts.height) moveTo(page, place.row - facts.height + 1);
  }
  const left = leftOf(page, place.column);
  const right = left + widthOf(page, state.shown[place.column]);
  const width = parts.view.clientWidth || 1000;
  if (left - sizesOf().number < parts.view.scrollLeft) parts.view.scrollLeft = left - sizesOf().number;
  else if (right > parts.view.scrollLeft + width) parts.view.scrollLeft = right - width;
  page.draw();
}

/** Goes where a key says; whether it was one of the grid's. */
export function moveLive(
  page: LivePage,
  { key, ctrlKey, target }: Pick<PageEvent, "key" | "ctrlKey" | "target">,
): boolean {
  const { place, facts, state, total } = page;
  const isField = target.localName === "input";
  const lines = ["sort", "range", "filter", "row"] as const;
  const last = state.shown.length - 1;
  if (key === "ArrowDown") {
    if (place.line !== "row") place.line = lines[lines.indexOf(place.line) + 1];
    else place.row = Math.min(total - 1, place.row + 1);
    if (place.line === "row" && (place.row < page.first || place.row >= page.first + facts.height)) {
      if (isField || target.getAttribute("role") !== "gridcell") place.row = page.first;
    }
  } else if (key === "ArrowUp") {
    if (place.line !== "row") place.line = lines[Math.max(0, lines.indexOf(place.line) - 1)];
    else if (place.row === 0) place.line = "filter";
    else place.row--;
  } else if (key === "PageDown" && !isField) {
    [place.line, place.row] = ["row", Math.min(total - 1, place.row + facts.height)];
  } else if (key === "PageUp" && !isField) [place.line, place.row] = ["row", Math.max(0, place.row - facts.height)];
  else if (isField) return false;
  else if (key === "ArrowRight") place.column = Math.min(last, place.column + 1);
  else if (key === "ArrowLeft") place.column = Math.max(0, place.column - 1);
  else if (key === "Home") {
    if (ctrlKey) place.row = 0;
    place.column = 0;
  } else if (key === "End") {
    if (ctrlKey) place.row = Math.max(0, total - 1);
    place.column = last;
  } else return false;
  bringIntoSight(page);
  setLiveStop(page, true);
  return true;
}

export function toggleMark(page: LivePage, row: number): void {
  const id = page.rows.get(row)?.id;
  if (id === undefined) return;
  if (!page.state.marked.delete(id)) page.state.marked.add(id);
  page.draw();
  page.change();
}

/** Lets keys move in the grid; `open` shows the record of a row. */
export function listenToLiveKeys(page: LivePage, open: (row: number) => void): void {
  const { root, parts, place, state } = page;
  const rowOf = (element: PageElement) => {
    const row = element.closest("[data-row]")?.getAttribute("data-row");
    return row === null || row === undefined ? undefined : Number(row) - 1;
  };
  parts.grid.addEventListener("focusin", ({ target }) => {
    const row = rowOf(target);
    const cell = target.closest("[data-column]");
    const column = state.shown.findIndex((column) =>
      page.facts.columns[column].name === cell?.getAttribute("data-column")
    );
    if (column >= 0) place.column = column;
    if (row !== undefined) [place.line, place.row] = ["row", row];
    else if (cell !== null) {
      const head = parts.heads.get(state.shown[place.column]);
      place.line = target === head?.filter ? "filter" : target === head?.range ? "range" : "sort";
    }
    setLiveStop(page, false);
  });
  parts.grid.addEventListener("keydown", (event) => {
    if (event.altKey || event.metaKey) return;
    const row = rowOf(event.target);
    if (row !== undefined && event.key === "Enter") open(row);
    else if (row !== undefined && event.key === " ") toggleMark(page, row);
    else if (event.shiftKey || !moveLive(page, event)) return;
    event.preventDefault();
  });
  parts.grid.addEventListener("click", ({ target }) => {
    const row = rowOf(target);
    if (row !== undefined && target.className === "seqreg-live-number") toggleMark(page, row);
    else if (row !== undefined) setLiveStop(page, true);
  });
  parts.grid.addEventListener("dblclick", ({ target }) => {
    const row = rowOf(target);
    if (row !== undefined) open(row);
  });
  ownKeys(root, (event) =>
    !event.metaKey && !event.altKey &&
    (event.key.length === 1
      ? !event.ctrlKey
      : /^(Arrow|Page|Home$|End$|Enter$|Escape$|Backspace$|Delete$|Tab$)/.test(event.key)));
}
