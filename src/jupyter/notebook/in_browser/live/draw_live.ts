/**
 * Heads, rows in sight and status as elements: values reach the page as text only. Runs in the browser; see
 * `../cells.ts`.
 */
import { type SentCell, shownText } from "../cells.ts";
import { makeElement } from "../live_table.ts";
import type { PageElement } from "../page.ts";
import { columnsInPage, leftOf, type LivePage, sizesOf, widthOf } from "./live_page.ts";

export function drawHeads(page: LivePage): void {
  const { parts, state } = page;
  const columns = columnsInPage(page);
  const corner = parts.head.firstChild;
  const cells = columns.flatMap((index) => {
    const head = parts.heads.get(state.shown[index]);
    if (head === undefined) return [];
    head.cell.style.left = `${leftOf(page, index)}px`;
    head.cell.style.width = `${widthOf(page, state.shown[index])}px`;
    head.cell.setAttribute("aria-colindex", String(index + 1));
    head.mark();
    return [head.cell];
  });
  const before = [...parts.head.childNodes].slice(1);
  // A field that is being written into stays where it is.
  if (before.length !== cells.length || cells.some((cell, index) => cell !== before[index])) {
    parts.head.replaceChildren(...corner === null ? [] : [corner], ...cells);
  }
  parts.grid.setAttribute("aria-colcount", String(state.shown.length));
  parts.grid.style.width = `${leftOf(page, state.shown.length)}px`;
}

export function drawLines(page: LivePage): void {
  const { parts, rows, first, total, facts } = page;
  const count = Math.max(0, Math.min(facts.height, total - first));
  while (parts.lines.length < facts.height) {
    const line = makeElement(page.root, "div", "", { role: "row" });
    line.className = "seqreg-live-row";
    line.style.top = `${parts.lines.length * sizesOf().row}px`;
    line.append(makeElement(page.root, "span", "", { "aria-hidden": "true", class: "seqreg-live-number" }));
    parts.lines.push(line);
  }
  const columns = columnsInPage(page);
  const lines = parts.lines.slice(0, count);
  for (const [index, line] of lines.entries()) {
    const row = first + index;
    const known = rows.get(row);
    line.setAttribute("data-row", String(row + 1));
    line.setAttribute("aria-rowindex", String(row + 2));
    const isMarked = known !== undefined && page.state.marked.has(known.id);
    line.setAttribute("aria-selected", String(isMarked));
    line.className = `seqreg-live-row${row % 2 === 1 ? " seqreg-live-odd" : ""}`;
    const number = line.firstChild;
    if (number !== null) number.textContent = (row + 1).toLocaleString("en");
    const cells = [...line.childNodes].slice(1);
    for (const [at, index] of columns.entries()) {
      const column = page.state.shown[index];
      const cell = cells[at] ?? makeElement(page.root, "span", "", { role: "gridcell", tabindex: "-1" });
      if (cells[at] === undefined) line.append(cell);
      cell.setAttribute("data-column", facts.columns[column].name);
      cell.setAttribute("aria-colindex", String(index + 1));
      cell.style.left = `${leftOf(page, index)}px`;
      cell.style.width = `${widthOf(page, column)}px`;
      drawLiveCell(cell, known?.cells.get(column), facts.columns[column].kind === "number");
    }
    for (const cell of cells.slice(columns.length)) cell.remove();
  }
  const before = parts.body.childNodes.length;
  if (before !== count) parts.body.replaceChildren(...lines);
  parts.grid.setAttribute("aria-rowcount", String(total + 1));
}

/** Draws one cell; one whose value is not here is empty. */
export function drawLiveCell(cell: PageElement, value: SentCell | undefined, isNumber: boolean): void {
  // A line has room for one.
  const text = value === undefined ? "" : shownText(value).replaceAll("\n", "↵");
  if (cell.textContent !== text) {
    cell.textContent = text;
    cell.title = text.length > 12 ? text : typeof value === "number" && String(value) !== text ? String(value) : "";
  }
  cell.className = `seqreg-live-cell${isNumber ? " seqreg-live-right" : ""}${
    value === null ? " seqreg-live-null" : ""
  }`;
}

export function drawStatus(page: LivePage): void {
  const { facts, total, state, isCounted, parts } = page;
  const number = (value: number) => value.toLocaleString("en");
  const rows = state.filters.size === 0
    ? `${number(facts.count)} row${facts.count === 1 ? "" : "s"}`
    : `${isCounted ? number(total) : "…"} of ${number(facts.count)} rows`;
  const columns = `${number(state.shown.length)} column${state.shown.length === 1 ? "" : "s"}`;
  const text = `${facts.title}: ${rows} × ${columns}`;
  if (parts.status.textContent !== text) parts.status.textContent = text;
}
