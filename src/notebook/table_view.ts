/**
 * A table under a cell: readable as it stands, and with filter, sort and pages where scripts may run.
 *
 * @module
 */
import type { MediaBundle } from "./display.ts";
import { cut, escapeHtml, visible } from "./html.ts";
import { TABLE_SCRIPT } from "./_table_script.ts";

/** One cell: a number, a text, or nothing. */
export type CellValue = string | number | bigint | boolean | null | undefined;

/** What a table holds. */
export interface TableContent {
  /** Names of the columns. */
  readonly columns: readonly string[];
  /** Types of the columns, shown under their names. */
  readonly types?: readonly string[];
  /** The rows that there are to show; the first 1,000, up to 160 kB, are sent. */
  readonly rows: readonly (readonly CellValue[])[];
  /** Rows that there are in all; as many as `rows` when absent. */
  readonly total?: number;
  /** What the table is, in a few words. */
  readonly caption: string;
}

/** Rows sent to the front end at most. */
const MOST_ROWS = 1000;
/** Letters sent to the front end at most. */
const MOST_LETTERS = 160_000;
/** Rows shown at a time, and all that is shown without a script. */
const PAGE_ROWS = 20;
/** Letters of a cell that are shown; the rest is reachable. */
const SHOWN_LETTERS = 60;
/** Letters of a cell that are reachable. */
const REACHABLE_LETTERS = 180;

/**
 * Writes a table for a notebook.
 *
 * @param content Columns, rows, caption.
 * @returns HTML in which every value is escaped, and plain text.
 *
 * @example
 * ```ts
 * import { assert } from "@std/assert";
 * import { tableView } from "./table_view.ts";
 *
 * const view = tableView({ caption: "hosts", columns: ["Host"], rows: [["<script>"], [null]] });
 *
 * assert(!view["text/html"]?.includes("<script>alert"));
 * assert(view["text/plain"].startsWith("hosts: 2 rows × 1 column"));
 * ```
 */
export function tableView(content: TableContent): MediaBundle {
  const { columns, types, caption } = content;
  const total = content.total ?? content.rows.length;
  const sent = boundRows(content.rows);
  const numeric = columns.map((_, index) => isNumeric(sent, index));
  const size = `${plural(total, "row")} × ${plural(columns.length, "column")}`;
  const note = sent.length < total ? `; the first ${sent.length.toLocaleString("en")} are here` : "";
  const title = `${cut(caption, 200)}: ${size}${note}`;
  return {
    "text/html": html(content, sent, numeric, title),
    "text/plain": `${visible(title)}\n${plainTable(columns, types, sent.slice(0, PAGE_ROWS), numeric)}` +
      (sent.length > PAGE_ROWS ? `\n… ${total - PAGE_ROWS} more` : ""),
  };
}

function html(
  { columns, types }: TableContent,
  sent: readonly (readonly CellValue[])[],
  numeric: readonly boolean[],
  title: string,
): string {
  const id = `seqreg-${crypto.randomUUID()}`;
  const heads = columns.map((name, index) => {
    const type = types?.[index];
    const small = type === undefined
      ? ""
      : `<br><small style="font-weight:normal;opacity:.7">${escapeHtml(cut(type, 60))}</small>`;
    return `<th scope="col" style="text-align:${numeric[index] ? "right" : "left"}">${
      escapeHtml(cut(name, 80))
    }${small}</th>`;
  });
  const rows = sent.slice(0, PAGE_ROWS).map((row) =>
    `<tr>${columns.map((_, index) => cellHtml(row[index], numeric[index])).join("")}</tr>`
  );
  const rest = sent.slice(0, MOST_ROWS).map((row) => columns.map((_, index) => jsonCell(row[index])));
  const data = JSON.stringify({ rows: rest, numeric, page: PAGE_ROWS, shown: SHOWN_LETTERS }).replaceAll(
    "<",
    "\\u003c",
  );
  return `<div id="${id}" class="seqreg-table" style="overflow-x:auto">` +
    `<div>${escapeHtml(title)}</div><table aria-label="${escapeHtml(title)}">` +
    `<thead><tr>${heads.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>` +
    (sent.length > PAGE_ROWS ? `<p class="seqreg-more"><small>first ${PAGE_ROWS} rows</small></p>` : "") +
    `<script type="application/json">${data}</script><script>(${TABLE_SCRIPT})(${JSON.stringify(id)})</script></div>`;
}

function cellHtml(value: CellValue, numeric: boolean): string {
  if (value === null || value === undefined) return `<td style="opacity:.5;text-align:left"><i>null</i></td>`;
  const text = String(value);
  const style = `text-align:${numeric ? "right" : "left"};white-space:nowrap`;
  if (text.length <= SHOWN_LETTERS) return `<td style="${style}">${escapeHtml(text)}</td>`;
  return `<td style="${style}" title="${escapeHtml(cut(text, REACHABLE_LETTERS))}">${
    escapeHtml(cut(text, SHOWN_LETTERS))
  }</td>`;
}

function jsonCell(value: CellValue): string | number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  return visible(cut(String(value), REACHABLE_LETTERS));
}

function boundRows(rows: readonly (readonly CellValue[])[]): readonly (readonly CellValue[])[] {
  let letters = 0;
  let count = 0;
  for (const row of rows.slice(0, MOST_ROWS)) {
    for (const value of row) letters += Math.min(REACHABLE_LETTERS, String(value ?? "").length) + 3;
    if (letters > MOST_LETTERS && count > 0) break;
    count++;
  }
  return rows.slice(0, count);
}

function isNumeric(rows: readonly (readonly CellValue[])[], index: number): boolean {
  const values = rows.map((row) => row[index]).filter((value) => value !== null && value !== undefined);
  return values.length > 0 && values.every((value) => typeof value === "number" || typeof value === "bigint");
}

function plural(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

function plainTable(
  columns: readonly string[],
  types: readonly string[] | undefined,
  rows: readonly (readonly CellValue[])[],
  numeric: readonly boolean[],
): string {
  const line = (cells: readonly string[]) => cells.map((cell) => cut(visible(cut(cell, 100)).replace(/\s+/g, " "), 30));
  const lines = [line(columns)];
  if (types !== undefined) lines.push(line(types));
  for (const row of rows) lines.push(line(columns.map((_, index) => String(row[index] ?? "null"))));
  const widths = columns.map((_, index) => Math.max(...lines.map((cells) => cells[index].length)));
  return lines.map((cells) =>
    cells.map((cell, index) => numeric[index] ? cell.padStart(widths[index]) : cell.padEnd(widths[index])).join("  ")
      .trimEnd()
  ).join("\n");
}
