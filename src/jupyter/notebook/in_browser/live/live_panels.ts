/** Panels of a live table: one record, the columns, what is shown as code. Runs in the browser; see `../cells.ts`. */
import { visible } from "@seqreg/core/io/display";
import { searchedText, type SentCell, shownText } from "../cells.ts";
import { makeButton, makeElement, makeTick, shortName } from "../live_table.ts";
import type { PageElement } from "../page.ts";
import { copyText } from "../page_tools.ts";
import { filtersOf, type LivePage, widthOf } from "./live_page.ts";

/** Opens the panel; Escape closes it, and the focus goes back to where it was. */
export function openPanel(page: LivePage, label: string, content: readonly PageElement[]): void {
  const { root, parts } = page;
  const before = root.ownerDocument.activeElement;
  const close = () => {
    parts.panel.replaceChildren();
    parts.panel.hidden = true;
    before?.focus();
  };
  const box = makeElement(root, "div", "", { role: "group", "aria-label": label, class: "seqreg-live-panel" });
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close();
  });
  const button = makeButton(root, "close", close);
  box.append(...content, button);
  parts.panel.replaceChildren(box);
  parts.panel.hidden = false;
  button.focus();
}

/** Shows every field of a row, with what it means. */
export function openRecord(page: LivePage, row: number): void {
  const known = page.rows.get(row);
  if (known === undefined) return;
  page.channel.ask({ op: "record", id: known.id }).then(({ cells }) => {
    if (!Array.isArray(cells)) return;
    const { root, facts } = page;
    const list = makeElement(root, "div", "", { class: "seqreg-live-record", role: "list", tabindex: "0" });
    for (const [index, column] of facts.columns.entries()) {
      const field = makeElement(root, "div", "", { role: "listitem" });
      const name = makeElement(root, "strong", shortName(column.name));
      const meaning = [column.description, column.unit].filter((text) => text !== "").join("; ");
      if (meaning !== "") name.append(makeElement(root, "br"), makeElement(root, "small", visible(meaning)));
      const cell: SentCell = cells[index] ?? null;
      field.append(
        name,
        makeElement(root, "span", shownText(cell), cell === null ? { class: "seqreg-live-null" } : {}),
      );
      list.append(field);
    }
    openPanel(page, `record ${row + 1}`, [list]);
  }, (failure) => page.fail(failure));
}

/** Shows what is shown as code that finds it again. */
export function openCode(page: LivePage): void {
  const { sort, shown } = page.state;
  page.channel.ask({ op: "code", columns: shown, sort, filters: filtersOf(page) }).then(({ typescript, sql }) => {
    const { root } = page;
    const part = (name: string, text: string) => {
      const code = makeElement(root, "pre", text, { tabindex: "0", "aria-label": name, class: "seqreg-live-code" });
      const copy = makeButton(root, `copy ${name}`, () => copyShown(page, text));
      const box = makeElement(root, "div");
      box.append(makeElement(root, "strong", name), " ", copy, code);
      return box;
    };
    openPanel(page, "as code", [part("TypeScript", String(typescript)), part("SQL", String(sql))]);
  }, (failure) => page.fail(failure));
}

/** Lets a person choose columns, their order and their widths. */
export function openColumns(page: LivePage): void {
  const { root, facts, state } = page;
  const list = makeElement(root, "div", "", { class: "seqreg-live-columns", role: "group", "aria-label": "columns" });
  const update = (shown: readonly number[]) => {
    if (shown.length > 0) state.shown = shown;
    page.draw();
    page.change();
  };
  const controls = () => [...list.querySelectorAll("button, input")];
  const nameOf = (control: PageElement) => control.getAttribute("aria-label") ?? control.parentElement?.textContent;
  const fill = () => {
    const used = controls().find((control) => control === root.ownerDocument.activeElement);
    const hidden = facts.columns.map((_, column) => column).filter((column) => !state.shown.includes(column));
    list.replaceChildren(
      ...[...state.shown, ...hidden].slice(0, 500).map((column) => {
        const label = shortName(facts.columns[column].name);
        const line = makeElement(root, "div");
        const place = state.shown.indexOf(column);
        const tick = makeTick(root, label, place >= 0, (isTicked) => {
          update(isTicked ? [...state.shown, column] : state.shown.filter((other) => other !== column));
          fill();
        });
        line.append(tick);
        if (place < 0) return line;
        const move = (by: number) => () => {
          const shown = state.shown.filter((other) => other !== column);
          shown.splice(Math.max(0, place + by), 0, column);
          update(shown);
          fill();
        };
        const widen = (by: number) => () => {
          state.widths.set(column, Math.max(60, Math.min(800, widthOf(page, column) + by)));
          page.draw();
        };
        line.append(
          makeButton(root, "←", move(-1), { "aria-label": `${label} earlier` }),
          makeButton(root, "→", move(1), { "aria-label": `${label} later` }),
          makeButton(root, "−", widen(-40), { "aria-label": `${label} narrower` }),
          makeButton(root, "+", widen(40), { "aria-label": `${label} wider` }),
        );
        return line;
      }),
    );
    // A list that is made anew has lost the focus.
    if (used !== undefined) controls().find((control) => nameOf(control) === nameOf(used))?.focus();
  };
  fill();
  openPanel(page, "choose columns", [list]);
}

/** Copies the rows in sight as TSV; the page then states what of them is cut or not fetched yet. */
export function copyRows(page: LivePage): void {
  const { facts, state, rows, first } = page;
  const text = (value: string) => value.replace(/[\t\r\n]+/g, " ");
  const lines = [state.shown.map((column) => text(facts.columns[column].name)).join("\t")];
  let cut = 0;
  let absent = 0;
  for (let row = first; row < Math.min(first + facts.height, page.total); row++) {
    const cells = rows.get(row)?.cells;
    lines.push(
      state.shown.map((column) => {
        const cell = cells?.get(column);
        if (cell === undefined) absent++;
        if (cell === undefined || cell === null) return "";
        if (typeof cell !== "object") return text(String(cell));
        cut++;
        return `${text(searchedText(cell))}…`;
      }).join("\t"),
    );
  }
  const lacks = [
    ...cut > 0 ? [`long texts are cut in ${cut} ${cut === 1 ? "cell" : "cells"}`] : [],
    ...absent > 0 ? [`${absent} ${absent === 1 ? "cell" : "cells"} not fetched yet: scroll there, and copy again`] : [],
  ];
  copyShown(page, `${lines.join("\n")}\n`, ["copied", ...lacks].join("; "));
}

/** Copies a text, and reports in the page whether the browser allowed it. */
export function copyShown({ root, parts }: LivePage, text: string, copied = "copied"): void {
  copyText(root, text, (isCopied) => {
    parts.message.textContent = isCopied ? copied : "the browser does not let this page copy";
  });
}
