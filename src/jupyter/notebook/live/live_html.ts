/** What stands in the file of a live table, and wherever no page asks for rows: its first rows as a plain table. */
import type { LiveCell } from "../../live/live_question.ts";
import { DATA_CLASS, escapeHtml, type MediaBundle } from "@seqreg/core/io/display";
import type { PageFacts } from "../in_browser/live/live_page.ts";
import { tableView } from "../table_view.ts";

export function liveBundle(
  { facts, rows, numbers, isOwn }: {
    readonly facts: PageFacts;
    readonly rows: readonly (readonly LiveCell[])[];
    /** Numbers of the columns that are shown. */
    readonly numbers: readonly number[];
    /** Whether the kernel is one that pages can ask. */
    readonly isOwn: boolean;
  },
): MediaBundle {
  const { title, note, count, columns } = facts;
  const table = tableView({
    caption: title,
    columns: numbers.map((column) => columns[column].name),
    types: numbers.map((column) => columns[column].type),
    rows: rows.map((row) => row.map(wholeText)),
    total: count,
  });
  const notes = [
    note,
    isOwn ? "" : "the kernel Deno (seqreg) shows all rows here: seqreg lab, or seqreg kernel install",
  ].filter((text) => text !== "");
  if (notes.length === 0) return table;
  return {
    "text/plain": `${table["text/plain"]}\n${notes.join("\n")}`,
    "text/html": `${table["text/html"]}<div class="seqreg-live-note ${DATA_CLASS}"><small>${
      notes.map(escapeHtml).join("<br>")
    }</small></div>`,
  };
}

/** Marks what a page makes live. */
export function liveElement(id: string, fallback: MediaBundle): MediaBundle {
  return {
    "text/plain": fallback["text/plain"],
    "text/html": `<div data-seqreg-live="saved" data-view="${id}">${fallback["text/html"] ?? ""}</div>`,
  };
}

/** A cell as the table of the first rows has it. */
function wholeText(cell: LiveCell): string | number | null {
  return typeof cell === "object" && cell !== null ? `${cell[0]}… (${cell[1].toLocaleString("en")} characters)` : cell;
}
