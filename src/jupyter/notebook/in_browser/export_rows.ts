/**
 * Rows of a table as a file or for the clipboard, and what is not in them, in words. Runs in the browser; see
 * `cells.ts`.
 */
import type { SentCell } from "./cells.ts";
import { csvRow, tsvRow } from "@seqreg/core/io/csv/csv_text";
import type { TableFacts } from "./find_rows.ts";

export interface RowsToWrite {
  readonly columns: readonly (readonly SentCell[])[];
  readonly facts: TableFacts;
  /** Rows, in order. */
  readonly rows: readonly number[];
  /** Columns, in order. */
  readonly shown: readonly number[];
}

/** The columns that a file gets: sequences are left out, since the table holds their first characters only. */
export function writtenColumns({ facts, shown }: RowsToWrite): number[] {
  return shown.filter((column) => facts.kinds[column] !== "sequence");
}

/** A cell as a file holds it: null is empty, numbers have all their digits, cut texts say that they are cut. */
export function fileText(cell: SentCell): string {
  if (cell === null) return "";
  if (typeof cell !== "object") return String(cell);
  return `${cell[0]}… (${cell[1].toLocaleString("en")} characters)`;
}

/** Writes rows with a header as CSV or TSV, with the rules of the toolkit's own files. */
export function writeRows(content: RowsToWrite, format: "csv" | "tsv"): string {
  const { columns, facts, rows } = content;
  const write = format === "csv" ? csvRow : tsvRow;
  const written = writtenColumns(content);
  const lines = [write(written.map((column) => facts.names[column]))];
  for (const row of rows) lines.push(write(written.map((column) => fileText(columns[column][row]))));
  return lines.join("\n") + "\n";
}

/** Names the file after the table; an excerpt says so. */
export function fileName({ facts, rows }: RowsToWrite): string {
  const { caption, count, total } = facts;
  const stem = caption.replace(/[^A-Za-z0-9_]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 40) || "table";
  const isWhole = count === total;
  if (rows.length === count) return isWhole ? `${stem}.csv` : `${stem}-first-${count}-of-${total ?? "more"}.csv`;
  return `${stem}-${rows.length}-of-${isWhole ? "" : "first-"}${count}.csv`;
}

export function describeExport(content: RowsToWrite): string {
  const { columns, facts, rows, shown } = content;
  const written = writtenColumns(content);
  const number = (value: number, noun: string) => `${value.toLocaleString("en")} ${noun}${value === 1 ? "" : "s"}`;
  const some = rows.length === facts.count ? "" : ` of ${facts.count.toLocaleString("en")}`;
  const parts = [`${number(rows.length, "row")}${some} × ${number(written.length, "column")}`];
  if (facts.count !== facts.total) {
    const all = facts.total === null ? "" : ` of ${facts.total.toLocaleString("en")}`;
    parts.push(`the table holds the first ${facts.count.toLocaleString("en")}${all} rows`);
  }
  const isCut = (column: number) =>
    rows.some((row) => typeof columns[column][row] === "object" && columns[column][row]);
  const cut = written.filter(isCut).map((column) => facts.names[column]);
  if (cut.length > 0) parts.push(`long values are cut in ${cut.slice(0, 5).join(", ")}${cut.length > 5 ? ", …" : ""}`);
  const left = shown.filter((column) => !written.includes(column)).map((column) => facts.names[column]);
  if (left.length > 0) parts.push(`${left.join(", ")} is left out`);
  return parts.length > 1 && facts.complete !== "" ? `${parts.join("; ")}; ${facts.complete}` : parts.join("; ");
}
