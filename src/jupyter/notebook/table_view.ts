/** A table under a cell: readable as it stands, and with filter, sort and pages where scripts may run. */
import { cut, DATA_CLASS, escapeHtml, type MediaBundle, visible } from "@seqreg/core/io/display";
import { cellText, cutSaying, type ShownValue } from "./_cell_text.ts";
import {
  deflateBase64,
  escapeJson,
  packRows,
  rowsWorthReading,
  type SentRows,
  STRIP_CHARACTERS,
} from "./_table_rows.ts";
import type { CellKind } from "./in_browser/cells.ts";
import type { TableFacts } from "./in_browser/find_rows.ts";
import { START_SCRIPT, tableCode } from "./in_browser/table_code.ts";
import { sequenceStrip, STRIP_COLOURS, STRIP_LEGEND, STRIP_MARKS, stripPicture } from "./sequence_strip.ts";
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";

export type { ShownValue };

/** @deprecated Write {@linkcode ShownValue}: `CellValue` is of `seqreg/tables`. */
export type CellValue = ShownValue;

/** What a table holds. */
export interface TableContent {
  /** Names of the columns. */
  readonly columns: readonly string[];
  /** Types of the columns, shown under their names. */
  readonly types?: readonly string[];
  /** The rows to show: as many are sent as fit in 200 kB compressed, and at least the first 1,000. */
  readonly rows: readonly (readonly ShownValue[])[];
  /** Total number of rows; as many as `rows` when absent, `null` if unknown. */
  readonly total?: number | null;
  /** What the table is, in a few words. */
  readonly caption: string;
  /**
   * Whether the title says how many rows and columns there are, and the table has filters and buttons; `false` for the
   * properties of one thing.
   */
  readonly sized?: boolean;
  /** Name of the column that stays in view; by default the first named after an accession, or `id`. */
  readonly pinned?: string;
  /** How to get all rows and whole values, in a few words, said where a file from the table holds less. */
  readonly complete?: string;
  /** How to see all rows in the page, in a few words, said below a title of which the table holds fewer rows. */
  readonly live?: string;
}

const TABLE_CONTENT = {
  columns: rule.required(rule.texts),
  types: rule.texts,
  rows: rule.required(rule.like("a list of rows", Array.isArray)),
  total: rule.nullable(rule.wholeNumber({ from: 0 })),
  caption: rule.required(rule.text),
  sized: rule.flag,
  pinned: rule.text,
  complete: rule.text,
  live: rule.text,
} satisfies OptionRules<TableContent>;

/**
 * Writes a table for a notebook.
 *
 * Fractions are shown with seven significant digits, long texts cut; the values themselves are in the cells' titles. A
 * column named `sequence` that holds sequences is drawn as strips. The first rows can be read without a script; with
 * one all rows that were sent are filtered, sorted and paged, and where there are more of them the table says so.
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
  checkOptions("tableView()", content, TABLE_CONTENT);
  const { columns, types, caption } = content;
  const total = content.total === undefined ? content.rows.length : content.total;
  const strip = findSequences(content);
  const sent = packRows({ rows: content.rows, columns: columns.length, strip });
  const kinds = columns.map((_, index) => index === strip ? "sequence" : kindOf(content, sent.count, index));
  const size = `${total === null ? "rows not counted" : plural(total, "row")} × ${plural(columns.length, "column")}`;
  const isWhole = sent.count === total;
  const note = isWhole ? "" : `; the first ${sent.count.toLocaleString("en")} are here`;
  const title = content.sized === false ? cut(caption, 200) : `${cut(caption, 200)}: ${size}${note}`;
  const limits = [
    isWhole ? "" : describeRest(sent.count, total),
    isWhole ? "" : content.live ?? "",
    sent.isCut ? `long values are searched in their first ${sent.reachable.toLocaleString("en")} characters` : "",
    strip < 0 ? "" : `sequences are searched in their first ${STRIP_CHARACTERS} characters`,
  ].filter((text) => text !== "").join("; ");
  const shown = content.rows.slice(0, Math.min(PAGE_ROWS, sent.count));
  const more = total === null
    ? sent.count > PAGE_ROWS ? "more" : ""
    : total > PAGE_ROWS
    ? `${total - PAGE_ROWS} more`
    : "";
  return {
    "text/html": html(content, { sent, shown, kinds, title, limits, strip, total }),
    "text/plain": `${visible(title)}\n${plainTable(columns, types, shown, kinds)}${more === "" ? "" : `\n… ${more}`}`,
  };
}

/**
 * Estimates how many rows of a table are worth reading, from its first 1,000: somewhat more than fit.
 *
 * @param rows The first rows.
 */
export function readableRows(
  columns: readonly string[],
  rows: readonly (readonly ShownValue[])[],
  total: number,
): number {
  const strip = findSequences({ columns, rows });
  return rowsWorthReading({ rows, columns: columns.length, strip }, total);
}

function describeRest(sent: number, total: number | null): string {
  const [first, all] = [sent.toLocaleString("en"), total?.toLocaleString("en")];
  return `only the first ${first} ${all === undefined ? "rows" : `of ${all} rows`} are searched`;
}

/** Bytes of rows that are written out at most, beyond the first. */
const MOST_STATIC_BYTES = 60_000;
/** Rows shown at a time, and all that is shown without a script. */
const PAGE_ROWS = 20;
/** Characters of a cell that are shown, as many as a digest has; the rest is reachable. */
const SHOWN_LETTERS = 64;
/** Columns beyond which a cell's own text has no title: the table would grow too large. */
const MOST_TITLED_COLUMNS = 40;

interface ReadyTable {
  readonly sent: SentRows;
  readonly shown: readonly (readonly ShownValue[])[];
  readonly kinds: readonly CellKind[];
  readonly total: number | null;
  readonly title: string;
  /** What a search does not reach, in words; empty when it reaches everything. */
  readonly limits: string;
  /** Column of sequences; -1 without one. */
  readonly strip: number;
}

function html(content: TableContent, table: ReadyTable): string {
  const { columns, types } = content;
  const { sent, shown, kinds, title, limits, strip } = table;
  const id = `seqreg-${crypto.randomUUID()}`;
  const heads = columns.map((name, index) => {
    const type = types?.[index];
    const small = type === undefined
      ? ""
      : `<br><small style="font-weight:normal;opacity:.8">${escapeHtml(cut(type, 60))}</small>`;
    return `<th scope="col" style="text-align:${alignOf(kinds[index])}">${escapeHtml(cut(name, 80))}${small}</th>`;
  });
  const rows = boundTexts(
    shown.map((row) =>
      `<tr>${columns.map((_, index) => cellHtml(row[index], index, table, columns.length)).join("")}</tr>`
    ),
  );
  const script = sent.count === 0
    ? ""
    : `<script class="seqreg-rows" type="${
      sent.isCompressed ? "text/plain" : "application/json"
    }">${sent.text}</script>` +
      `<script class="seqreg-code" type="text/plain">${code ??= deflateBase64(tableCode())}</script>` +
      `<script>(${START_SCRIPT})(${JSON.stringify(id)},${factsOf(content, table)})</script>`;
  return `<div id="${id}" class="seqreg-table ${DATA_CLASS}"><div>${escapeHtml(title)}</div>` +
    (limits === "" ? "" : `<div class="seqreg-limits"><small>${escapeHtml(limits)}</small></div>`) +
    (strip < 0 ? "" : `<div><small>${escapeHtml(STRIP_LEGEND)}</small></div>`) +
    // What scrolls must be reached by the keyboard too.
    `<div style="overflow-x:auto" tabindex="0" role="region" aria-label="${escapeHtml(title)}">` +
    `<table aria-label="${escapeHtml(title)}">` +
    `<thead><tr>${heads.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table></div>` +
    (sent.count > rows.length
      ? `<p class="seqreg-more"><small>first ${
        plural(rows.length, "row")
      }; filters and the other rows need scripts: in ` +
        `JupyterLab, trust this notebook</small></p>`
      : "") +
    `${script}</div>`;
}

/** The source that makes a table live, compressed once. */
let code: string | undefined;

/** What the script receives in addition to the rows. */
function factsOf(content: TableContent, { sent, kinds, limits, total }: ReadyTable): string {
  const { columns, caption, sized, pinned, complete } = content;
  const facts: TableFacts = {
    caption: cut(caption, 80),
    names: columns,
    kinds,
    count: sent.count,
    total,
    limits,
    complete: complete ?? "",
    page: PAGE_ROWS,
    shown: SHOWN_LETTERS,
    pinned: pinned === undefined ? columns.findIndex((name) => /accession|^id$/i.test(name)) : columns.indexOf(pinned),
    tools: sized !== false,
    marks: STRIP_MARKS,
    colours: STRIP_COLOURS,
  };
  return escapeJson(JSON.stringify(facts));
}

function alignOf(kind: CellKind): string {
  return kind === "number" ? "right" : "left";
}

function cellHtml(value: ShownValue, index: number, table: ReadyTable, columns: number): string {
  const align = alignOf(table.kinds[index]);
  if (value === null || value === undefined) return `<td style="opacity:.7;text-align:${align}"><i>null</i></td>`;
  if (index === table.strip && typeof value === "string") {
    const { marks, description } = sequenceStrip(value);
    const characters = `${description}: ${cut(value, STRIP_CHARACTERS)}`;
    return `<td style="text-align:left"><img src="${stripPicture(marks)}" alt="${escapeHtml(characters)}" title="${
      escapeHtml(characters)
    }" width="192" height="12" style="image-rendering:pixelated;width:192px;height:12px"></td>`;
  }
  const { text, short } = cellText(value);
  const style = `text-align:${align};white-space:pre`;
  const whole = short || text.length > SHOWN_LETTERS ? cutSaying(String(value), table.sent.reachable) : "";
  const title = whole === "" || columns > MOST_TITLED_COLUMNS ? "" : ` title="${escapeHtml(whole)}"`;
  return `<td style="${style}"${title}>${escapeHtml(cut(text, SHOWN_LETTERS))}</td>`;
}

function boundTexts(rows: readonly string[]): readonly string[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => (bytes += row.length) > MOST_STATIC_BYTES && index > 0);
  return end < 0 ? rows : rows.slice(0, end);
}

/** Finds the column of sequences: named so, with characters only, and long enough to be worth a picture. */
function findSequences({ columns, rows }: Pick<TableContent, "columns" | "rows">): number {
  const index = columns.findIndex((name) => /^sequence(_\d+)?$/i.test(name));
  if (index < 0) return -1;
  const values = rows.slice(0, PAGE_ROWS).map((row) => row[index]).filter((value) =>
    value !== null && value !== undefined
  );
  const isSequence = (value: ShownValue) => typeof value === "string" && /^[A-Za-z*.-]*$/.test(value.slice(0, 1000));
  return values.every(isSequence) && values.some((value) => String(value).length >= STRIP_CHARACTERS) ? index : -1;
}

/** How a column is filtered and ordered: as numbers where it holds nothing else, as days by its type. */
function kindOf({ rows, types }: TableContent, count: number, index: number): CellKind {
  let values = 0;
  for (let row = 0; row < count; row++) {
    const value = rows[row][index];
    if (value === null || value === undefined) continue;
    if (typeof value !== "number" && typeof value !== "bigint") return isDay(types?.[index]) ? "date" : "text";
    values++;
  }
  return values > 0 ? "number" : isDay(types?.[index]) ? "date" : "text";
}

function isDay(type: string | undefined): boolean {
  return type !== undefined && /^date/i.test(type);
}

function plural(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

function plainTable(
  columns: readonly string[],
  types: readonly string[] | undefined,
  rows: readonly (readonly ShownValue[])[],
  kinds: readonly CellKind[],
): string {
  const line = (cells: readonly string[]) => cells.map((cell) => cut(visible(cut(cell, 100)).replace(/\s+/g, " "), 30));
  const lines = [line(columns)];
  if (types !== undefined) lines.push(line(types));
  for (const row of rows) lines.push(line(columns.map((_, index) => plainCell(row[index]))));
  const widths = columns.map((_, index) => Math.max(...lines.map((cells) => cells[index].length)));
  return lines.map((cells) =>
    cells.map((cell, index) => kinds[index] === "number" ? cell.padStart(widths[index]) : cell.padEnd(widths[index]))
      .join("  ")
      .trimEnd()
  ).join("\n");
}

function plainCell(value: ShownValue): string {
  return value === null || value === undefined ? "null" : cellText(value).text;
}
