/**
 * A table under a cell: readable as it stands, and with filter, sort and pages where scripts may run.
 *
 * @module
 */
import type { MediaBundle } from "./display.ts";
import { cut, DATA_CLASS, escapeHtml, visible } from "./html.ts";
import { cellText, cutSaying } from "./_cell_text.ts";
import { TABLE_SCRIPT } from "./_table_script.ts";
import { sequenceStrip, STRIP_COLOURS, STRIP_LEGEND, STRIP_MARKS, stripPicture } from "./sequence_strip.ts";

/** One cell: a number, a text, or nothing. */
export type CellValue = string | number | bigint | boolean | null | undefined;

/** What a table holds. */
export interface TableContent {
  /** Names of the columns. */
  readonly columns: readonly string[];
  /** Types of the columns, shown under their names. */
  readonly types?: readonly string[];
  /** The rows that there are to show; the first 1,000, up to 120 kB, are sent. */
  readonly rows: readonly (readonly CellValue[])[];
  /** Rows that there are in all; as many as `rows` when absent, `null` when nobody has counted them. */
  readonly total?: number | null;
  /** What the table is, in a few words. */
  readonly caption: string;
  /** Whether the title says how many rows and columns there are; `false` for the properties of one thing. */
  readonly sized?: boolean;
}

/**
 * Writes a table for a notebook.
 *
 * Fractions are shown with seven significant digits, long texts cut; the values themselves are in the cells' titles. A
 * column named `sequence` that holds sequences is drawn as strips.
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
  const total = content.total === undefined ? content.rows.length : content.total;
  const strip = findSequences(content);
  const reachable = content.rows.length <= FEW_ROWS ? REACHABLE_OF_FEW : REACHABLE_LETTERS;
  const sent = boundRows(content.rows.slice(0, MOST_ROWS), columns.length, strip, reachable);
  const numeric = columns.map((_, index) => isNumeric(content.rows.slice(0, sent.length), index));
  const size = `${total === null ? "rows not counted" : plural(total, "row")} × ${plural(columns.length, "column")}`;
  const note = sent.length === total ? "" : `; the first ${sent.length.toLocaleString("en")} are here`;
  const title = content.sized === false ? cut(caption, 200) : `${cut(caption, 200)}: ${size}${note}`;
  const shown = content.rows.slice(0, Math.min(PAGE_ROWS, sent.length));
  const more = total === null
    ? sent.length > PAGE_ROWS ? "more" : ""
    : total > PAGE_ROWS
    ? `${total - PAGE_ROWS} more`
    : "";
  return {
    "text/html": html(content, { sent, shown, numeric, title, strip, reachable }),
    "text/plain": `${visible(title)}\n${plainTable(columns, types, shown, numeric)}${more === "" ? "" : `\n… ${more}`}`,
  };
}

/** Rows sent to the front end at most. */
const MOST_ROWS = 1000;
/** Bytes of rows sent to the front end for its script at most. */
const MOST_BYTES = 120_000;
/** Bytes of rows that are written out at most, beyond the first. */
const MOST_STATIC_BYTES = 60_000;
/** Rows shown at a time, and all that is shown without a script. */
const PAGE_ROWS = 20;
/** Letters of a cell that are shown, as many as a digest has; the rest is reachable. */
const SHOWN_LETTERS = 64;
/** Letters of a cell that are reachable. */
const REACHABLE_LETTERS = 180;
/** Where there are few rows, more of each is reachable. */
const FEW_ROWS = 50;
const REACHABLE_OF_FEW = 2000;
/** Letters of a sequence that its strip comes with. */
const STRIP_LETTERS = 24;
/** Columns beyond which a cell's own text has no title: the table would grow too large. */
const MOST_TITLED_COLUMNS = 40;

/** A table made ready to be written. */
interface ReadyTable {
  /** Rows for the script, each as JSON. */
  readonly sent: readonly string[];
  readonly shown: readonly (readonly CellValue[])[];
  readonly numeric: readonly boolean[];
  readonly title: string;
  /** Column of sequences; -1 where there is none. */
  readonly strip: number;
  readonly reachable: number;
}

function html({ columns, types }: TableContent, table: ReadyTable): string {
  const { sent, shown, numeric, title, strip } = table;
  const id = `seqreg-${crypto.randomUUID()}`;
  const heads = columns.map((name, index) => {
    const type = types?.[index];
    const small = type === undefined
      ? ""
      : `<br><small style="font-weight:normal;opacity:.8">${escapeHtml(cut(type, 60))}</small>`;
    return `<th scope="col" style="text-align:${numeric[index] ? "right" : "left"}">${
      escapeHtml(cut(name, 80))
    }${small}</th>`;
  });
  const rows = boundTexts(
    shown.map((row) =>
      `<tr>${columns.map((_, index) => cellHtml(row[index], index, table, columns.length)).join("")}</tr>`
    ),
  );
  const script = sent.length > 0
    ? `<script type="application/json">${json(table)}</script><script>(${TABLE_SCRIPT})(${JSON.stringify(id)})</script>`
    : "";
  return `<div id="${id}" class="seqreg-table ${DATA_CLASS}"><div>${escapeHtml(title)}</div>` +
    (strip < 0 ? "" : `<div><small>${escapeHtml(STRIP_LEGEND)}</small></div>`) +
    // What scrolls must be reached by the keyboard too.
    `<div style="overflow-x:auto" tabindex="0" role="region" aria-label="${escapeHtml(title)}">` +
    `<table aria-label="${escapeHtml(title)}">` +
    `<thead><tr>${heads.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table></div>` +
    (sent.length > rows.length ? `<p class="seqreg-more"><small>first ${plural(rows.length, "row")}</small></p>` : "") +
    `${script}</div>`;
}

/** What the script works on. */
function json({ sent, numeric, strip }: ReadyTable): string {
  const facts = { numeric, strip, page: PAGE_ROWS, shown: SHOWN_LETTERS, marks: STRIP_MARKS, colours: STRIP_COLOURS };
  return `{"rows":[${sent.join(",")}],${JSON.stringify(facts).slice(1)}`;
}

function cellHtml(value: CellValue, index: number, table: ReadyTable, columns: number): string {
  const align = table.numeric[index] ? "right" : "left";
  if (value === null || value === undefined) return `<td style="opacity:.7;text-align:${align}"><i>null</i></td>`;
  if (index === table.strip && typeof value === "string") {
    const { marks, description } = sequenceStrip(value);
    const letters = `${description}: ${cut(value, STRIP_LETTERS)}`;
    return `<td style="text-align:left"><img src="${stripPicture(marks)}" alt="${escapeHtml(letters)}" title="${
      escapeHtml(letters)
    }" width="192" height="12" style="image-rendering:pixelated;width:192px;height:12px"></td>`;
  }
  const { text, short } = cellText(value);
  const style = `text-align:${align};white-space:nowrap`;
  const whole = short || text.length > SHOWN_LETTERS ? cutSaying(String(value), table.reachable) : "";
  const title = whole === "" || columns > MOST_TITLED_COLUMNS ? "" : ` title="${escapeHtml(whole)}"`;
  return `<td style="${style}"${title}>${escapeHtml(cut(text, SHOWN_LETTERS))}</td>`;
}

/** A value for the script: a number, a text, nothing, or of a sequence its strip, words and first letters. */
function jsonCell(value: CellValue, isSequence: boolean, reachable: number): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (isSequence && typeof value === "string") {
    const { marks, description } = sequenceStrip(value);
    return [marks, description, visible(cut(value, STRIP_LETTERS))];
  }
  return visible(cutSaying(String(value), reachable));
}

/** Rows as JSON, as many as may be sent, and always the first. */
function boundRows(
  rows: readonly (readonly CellValue[])[],
  columns: number,
  strip: number,
  reachable: number,
): readonly string[] {
  const sent: string[] = [];
  let bytes = 0;
  for (const row of rows) {
    const cells = Array.from({ length: columns }, (_, index) => jsonCell(row[index], index === strip, reachable));
    // Where "<" is escaped no value can end the script.
    const text = JSON.stringify(cells).replaceAll("<", "\\u003c");
    bytes += encoder.encode(text).length + 1;
    if (bytes > MOST_BYTES && sent.length > 0) break;
    sent.push(text);
  }
  return sent;
}

const encoder = new TextEncoder();

function boundTexts(rows: readonly string[]): readonly string[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => (bytes += row.length) > MOST_STATIC_BYTES && index > 0);
  return end < 0 ? rows : rows.slice(0, end);
}

/** Finds the column of sequences: named so, with letters only, and long enough to be worth a picture. */
function findSequences({ columns, rows }: TableContent): number {
  const index = columns.findIndex((name) => /^sequence(_\d+)?$/i.test(name));
  if (index < 0) return -1;
  const values = rows.slice(0, PAGE_ROWS).map((row) => row[index]).filter((value) =>
    value !== null && value !== undefined
  );
  const isSequence = (value: CellValue) => typeof value === "string" && /^[A-Za-z*.-]*$/.test(value.slice(0, 1000));
  return values.every(isSequence) && values.some((value) => String(value).length >= STRIP_LETTERS) ? index : -1;
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
  for (const row of rows) lines.push(line(columns.map((_, index) => plainCell(row[index]))));
  const widths = columns.map((_, index) => Math.max(...lines.map((cells) => cells[index].length)));
  return lines.map((cells) =>
    cells.map((cell, index) => numeric[index] ? cell.padStart(widths[index]) : cell.padEnd(widths[index])).join("  ")
      .trimEnd()
  ).join("\n");
}

function plainCell(value: CellValue): string {
  return value === null || value === undefined ? "null" : cellText(value).text;
}
