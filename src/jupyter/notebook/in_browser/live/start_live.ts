/** A live table in a page: begins it, and ends it. Runs in the browser; see `../cells.ts`. */
import { visible } from "@seqreg/core/io/display";
import { makeButton, makeElement } from "../live_table.ts";
import type { PageElement } from "../page.ts";
import type { LiveAnswer, LiveChannel } from "./channel.ts";
import { drawHeads, drawLines, drawStatus } from "./draw_live.ts";
import { fetchLive } from "./fetch_live.ts";
import { makeHead } from "./live_heads.ts";
import { listenToLiveKeys, setLiveStop } from "./live_keys.ts";
import { type LivePage, type PageFacts, type PageParts, type PageState, sizesOf, stateOf } from "./live_page.ts";
import { copyRows, openCode, openColumns, openRecord } from "./live_panels.ts";
import { listenToScroll, moveTo, place } from "./live_scroll.ts";
import { liveStyle } from "./live_style.ts";
import { readFilter } from "../read_filter.ts";
import { renewLive, tellFailure } from "./renew_live.ts";

/** Begins a live table in its element, instead of the first rows, which come back when it ends. */
export function startLive(root: PageElement, facts: PageFacts, state: LiveAnswer, channel: LiveChannel): void {
  const saved = [...root.childNodes];
  root.setAttribute("data-seqreg-live", "open");
  let page = beginLive(root, facts, state, channel);
  channel.onState((state) => {
    takeState(page, state);
    page.renew(true);
  });
  page.restart = (facts) => {
    const { restart } = page;
    // The rows that are marked may be others in the new files.
    page = beginLive(root, facts, { ...stateOf(page), marked: [] }, channel);
    page.restart = restart;
    page.change();
  };
  channel.onEnd((reason) => {
    const note = makeElement(root, "p", reason, { role: "note" });
    root.replaceChildren(note, ...saved);
    root.setAttribute("data-seqreg-live", "closed");
  });
}

/** Makes the elements of a live table and shows its first rows. */
export function beginLive(root: PageElement, facts: PageFacts, state: LiveAnswer, channel: LiveChannel): LivePage {
  const parts = makeParts(root, facts);
  const shown: PageState = {
    filters: new Map(),
    sort: null,
    shown: facts.columns.map((_, column) => column),
    widths: new Map(),
    marked: new Set(),
  };
  const page: LivePage = {
    root,
    facts,
    channel,
    state: shown,
    total: facts.count,
    isCounted: true,
    first: 0,
    rows: new Map(),
    version: 0,
    parts,
    place: { line: "row", row: 0, column: 0 },
    draw: () => {
      for (const column of page.state.shown) {
        if (!parts.heads.has(column)) parts.heads.set(column, makeHead(page, column));
      }
      drawHeads(page);
      drawLines(page);
      drawStatus(page);
      setLiveStop(page, false);
      fetchLive(page);
    },
    renew: (isChoice) => renewLive(page, isChoice),
    fail: (failure) => tellFailure(page, failure),
    restart: () => {},
    change: () => channel.tell(stateOf(page)),
  };
  const tools = parts.status.parentElement;
  const go = makeElement(root, "input", "", { type: "text", inputmode: "numeric", "aria-label": "go to row" });
  go.placeholder = "go to row";
  const jump = () => {
    const digits = go.value.replace(/[,\s]/g, "");
    const isRow = /^0*[1-9]\d*$/.test(digits);
    const fault = isRow || digits === "" ? "" : `"${visible(digits)}" is not a row: write a number from 1`;
    if (fault !== "" || go.getAttribute("aria-invalid") !== null) page.parts.message.textContent = fault;
    if (fault === "") go.removeAttribute("aria-invalid");
    else go.setAttribute("aria-invalid", "true");
    if (!isRow || page.total === 0) return;
    const row = Number(digits);
    page.place.line = "row";
    page.place.row = Math.min(row, page.total) - 1;
    moveTo(page, page.place.row);
  };
  go.addEventListener("change", jump);
  go.addEventListener("keydown", (event) => {
    if (event.key === "Enter") jump();
  });
  tools?.append(
    go,
    makeButton(root, "columns", () => openColumns(page)),
    makeButton(root, "record", () => openRecord(page, page.place.row)),
    makeButton(root, "copy", () => copyRows(page), { title: "copy the rows in sight" }),
    makeButton(root, "as code", () => openCode(page)),
  );
  listenToScroll(page);
  listenToLiveKeys(page, (row) => openRecord(page, row));
  takeState(page, state);
  page.renew(true);
  place(page);
  return page;
}

/** Takes filters, order, columns and marks that are named; what the table does not have is left out. */
export function takeState(page: LivePage, said: LiveAnswer): void {
  const { facts, state, parts } = page;
  const numberOf = (name: unknown) => facts.columns.findIndex((column) => column.name === name);
  state.filters.clear();
  for (const [name, text] of Object.entries(Object(said.filters))) {
    const column = numberOf(name);
    if (column < 0) continue;
    const { rule } = readFilter(String(text), facts.columns[column].kind);
    if (rule !== undefined) state.filters.set(column, { text: String(text), rule });
  }
  const { by, descending } = Object(said.sort);
  state.sort = numberOf(by) < 0 ? null : { column: numberOf(by), descending: descending === true };
  const columns: unknown = said.columns;
  const shown = Array.isArray(columns) ? columns.map(numberOf).filter((column) => column >= 0) : [];
  state.shown = shown.length > 0 ? [...new Set(shown)] : facts.columns.map((_, column) => column);
  state.marked.clear();
  if (Array.isArray(said.marked)) { for (const id of said.marked) state.marked.add(Number(id)); }
  for (const column of state.shown) {
    if (!parts.heads.has(column)) parts.heads.set(column, makeHead(page, column));
  }
  for (const [column, { filter, fault }] of parts.heads) {
    filter.value = state.filters.get(column)?.text ?? "";
    fault.textContent = "";
  }
}

export function makeParts(root: PageElement, facts: PageFacts): PageParts {
  const { row, head } = sizesOf();
  const make = (name: string, attributes: Readonly<Record<string, string>> = {}) =>
    makeElement(root, name, "", attributes);
  const box = make("div", { class: "seqreg-live tex2jax_ignore mathjax_ignore" });
  const style = makeElement(root, "style", liveStyle(head, row));
  const tools = make("div", { class: "seqreg-live-tools" });
  const status = make("span", { role: "status" });
  const message = make("div", { class: "seqreg-live-message", role: "alert" });
  const panel = make("div");
  panel.hidden = true;
  const view = make("div", { class: "seqreg-live-view" });
  const grid = make("div", {
    role: "grid",
    "aria-label": visible(facts.title),
    "aria-multiselectable": "true",
    class: "seqreg-live-grid",
  });
  const line = make("div", { role: "row", "aria-rowindex": "1", class: "seqreg-live-heads" });
  line.append(make("span", { "aria-hidden": "true", class: "seqreg-live-corner" }));
  const body = make("div", { role: "rowgroup", class: "seqreg-live-body" });
  const top = make("div", { role: "rowgroup", class: "seqreg-live-top" });
  top.append(line);
  grid.append(top, body);
  view.append(grid);
  view.style.height = `${head + facts.height * row + 18}px`;
  tools.append(status);
  box.append(style, tools);
  if (facts.note !== "") box.append(makeElement(root, "div", visible(facts.note), { class: "seqreg-live-note" }));
  box.append(message, panel, view);
  root.replaceChildren(box);
  return { status, message, panel, view, grid, head: line, body, lines: [], heads: new Map() };
}
