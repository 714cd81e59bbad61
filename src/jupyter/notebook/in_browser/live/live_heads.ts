/**
 * The head of a column: its name, which sorts, its type, its distribution and its filter. Runs in the browser; see
 * `../cells.ts`.
 */
import { visible } from "@seqreg/core/io/display";
import { makeButton, makeElement, shortName } from "../live_table.ts";
import { type LivePage, type PageHead, widthOf } from "./live_page.ts";
import { makeRange } from "./live_ranges.ts";
import { filterHint, readFilter } from "../read_filter.ts";

export function makeHead(page: LivePage, number: number): PageHead {
  const { root, state } = page;
  const column = page.facts.columns[number];
  const label = shortName(column.name);
  const cell = makeElement(root, "div", "", {
    role: "columnheader",
    "data-column": column.name,
    "aria-sort": "none",
    class: "seqreg-live-head",
  });
  const sort = makeButton(root, label, () => {
    const { sort } = state;
    state.sort = sort?.column !== number
      ? { column: number, descending: false }
      : sort.descending
      ? null
      : { column: number, descending: true };
    page.renew(false);
    page.change();
  }, { tabindex: "-1", class: "seqreg-live-sort" });
  sort.title = [label, column.description, column.unit].filter((text) => text !== "").join("\n");
  const order = makeElement(root, "span", "", { "aria-hidden": "true" });
  // Before the name, of which the end may be cut.
  sort.firstChild?.before(order);
  const type = makeElement(root, "small", visible(column.type).slice(0, 40));
  const fault = makeElement(root, "div", "", { class: "seqreg-live-fault", role: "alert" });
  const filter = makeElement(root, "input", "", {
    type: "text",
    tabindex: "-1",
    "aria-label": `filter ${column.name}`,
    autocomplete: "off",
    spellcheck: "false",
  });
  filter.placeholder = filterHint(column.kind);
  const apply = (text: string) => {
    const { rule, fault: words } = readFilter(text, column.kind);
    fault.textContent = words === undefined ? "" : visible(words);
    if (words !== undefined) return;
    if ((state.filters.get(number)?.text ?? "") === (rule === undefined ? "" : text)) return;
    if (rule === undefined) state.filters.delete(number);
    else state.filters.set(number, { text, rule });
    page.renew(true);
    page.change();
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  filter.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => apply(filter.value), 500);
  });
  const now = () => {
    clearTimeout(timer);
    apply(filter.value);
  };
  filter.addEventListener("change", now);
  filter.addEventListener("keydown", (event) => {
    if (event.key === "Enter") now();
  });
  const range = makeRange(page, number, (text) => {
    filter.value = text;
    now();
  });
  const edge = makeElement(root, "div", "", { "aria-hidden": "true", class: "seqreg-live-edge" });
  let begin: { readonly x: number; readonly width: number } | undefined;
  edge.addEventListener("pointerdown", (event) => {
    begin = { x: event.clientX, width: widthOf(page, number) };
    edge.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  edge.addEventListener("pointermove", (event) => {
    if (begin === undefined) return;
    state.widths.set(number, Math.max(60, Math.min(800, begin.width + event.clientX - begin.x)));
    page.draw();
  });
  edge.addEventListener("pointerup", () => begin = undefined);
  cell.append(sort, type, range.element, filter, fault, edge);
  return {
    cell,
    sort,
    range: range.element,
    filter,
    fault,
    drawnFor: undefined,
    draw: range.draw,
    mark: () => {
      const isSorted = state.sort?.column === number;
      const direction = isSorted ? state.sort?.descending ? "descending" : "ascending" : "none";
      cell.setAttribute("aria-sort", direction);
      order.textContent = direction === "none" ? "" : direction === "ascending" ? "▲ " : "▼ ";
      filter.className = state.filters.has(number) ? "seqreg-live-on" : "";
    },
  };
}
