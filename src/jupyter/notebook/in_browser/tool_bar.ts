/**
 * The line above a table: a filter for all columns, columns to choose, copy and CSV, pages, and what is shown. Runs in
 * the browser; see `cells.ts`.
 */
import { visible } from "@seqreg/core/io/display";
import { fillColumnPanel } from "./column_panel.ts";
import { describeCondition } from "./conditions.ts";
import { describeExport, fileName, writeRows } from "./export_rows.ts";
import { describeRows } from "./find_rows.ts";
import { columnName, type LiveTableView, makeButton, makeElement, makeSelect, togglePanel } from "./live_table.ts";
import type { PageElement } from "./page.ts";
import { copyText } from "./page_tools.ts";

/** Makes the line above the table; returns what draws it anew. */
export function makeToolBar(table: LiveTableView, tools: PageElement): (message: string) => void {
  const { root, facts, state } = table;
  const status = makeElement(root, "span", "", { role: "status" });
  const chips = makeElement(root, "div", "", { style: "display:flex;flex-wrap:wrap;gap:4px" });
  const steps: PageElement[] = [];
  tools.style.cssText = "display:flex;flex-wrap:wrap;gap:4px;align-items:center;margin:4px 0";
  const filter = makeElement(root, "input", "", {
    type: "search",
    placeholder: "filter rows",
    "aria-label": "filter rows",
  });
  if (facts.count > 5) {
    filter.addEventListener("input", () => {
      state.words = filter.value;
      state.page = 0;
      table.draw();
      table.refresh();
    });
    const columns = makeButton(root, "columns", () => {
      togglePanel(table, columns, "choose columns", (panel) => fillColumnPanel(table, panel));
    }, { "aria-expanded": "false" });
    tools.append(filter, columns);
  }
  tools.append(...copyButtons(table));
  if (facts.count > 10) {
    const sizes = [10, 20, 50, 100, 500].map((size) => [String(size), `${size} rows a page`] as const);
    const size = makeSelect(root, "rows a page", sizes, String(state.pageRows));
    size.addEventListener("change", () => {
      const first = state.page * state.pageRows;
      state.pageRows = Number(size.value);
      state.page = Math.floor(first / state.pageRows);
      table.draw();
    });
    const step = (text: string, label: string, by: number) =>
      makeButton(root, text, () => {
        state.page += by;
        table.draw();
      }, { "aria-label": label });
    steps.push(step("‹", "previous page", -1), step("›", "next page", 1));
    tools.append(size, ...steps);
  }
  tools.append(status);
  tools.after(chips);
  return (message) => {
    const pages = Math.max(1, Math.ceil(table.found.length / state.pageRows));
    for (const [index, step] of steps.entries()) {
      step.style.display = pages < 2 ? "none" : "";
      step.disabled = index === 0 ? state.page === 0 : state.page === pages - 1;
    }
    const shown = state.shown.length === facts.names.length
      ? ""
      : `, ${state.shown.length} of ${facts.names.length} columns`;
    status.textContent = visible(
      facts.count > 5 || message !== ""
        ? `${describeRows(table.found.length, facts, state)}${shown}${message === "" ? "" : `; ${message}`}`
        : "",
    );
    drawChips(table, chips, filter);
  };
}

/** Draws a button for each filter that is on, which takes it away, and one that takes all away. */
export function drawChips(table: LiveTableView, chips: PageElement, filter: PageElement): void {
  const { root, facts, state } = table;
  const remove = (columns: readonly number[]) => () => {
    for (const column of columns) state.conditions.delete(column);
    state.page = 0;
    // An open panel shows an earlier state.
    const opener = root.querySelector("th [aria-expanded=true]");
    if (opener !== null) opener.click();
    table.draw();
    filter.focus();
  };
  const made = [...state.conditions].map(([column, condition]) => {
    const words = `${columnName(facts, column)} ${describeCondition(condition)}`;
    return makeButton(root, `${visible(words)} ×`, remove([column]), { title: "remove this filter" });
  });
  if (made.length > 1) made.push(makeButton(root, "clear filters", remove([...state.conditions.keys()])));
  chips.replaceChildren(...made);
}

/** Makes the buttons that copy and save the rows that were found, with the columns that are shown. */
export function copyButtons(table: LiveTableView): PageElement[] {
  const { root, columns, facts, state } = table;
  const content = () => ({ columns, facts, rows: table.found, shown: state.shown });
  const copy = makeButton(root, "copy", () =>
    copyText(root, writeRows(content(), "tsv"), (isCopied) =>
      table.draw(
        isCopied
          ? `copied ${describeExport(content())}`
          : "the browser does not let this page copy: save as CSV instead",
      )), { title: "copy the rows that are found, to paste them into a spreadsheet" });
  const save = makeButton(root, "CSV", () => {
    const name = fileName(content());
    const address = URL.createObjectURL(new Blob([writeRows(content(), "csv")], { type: "text/csv" }));
    const link = makeElement(root, "a");
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    table.draw(`saved ${name}: ${describeExport(content())}`);
  }, { "aria-label": "save as CSV", title: "save the rows that are found as CSV" });
  return [copy, save];
}
