/**
 * Writes cells so that a table's format survives any value.
 *
 * Tables in notebooks carry these functions to the browser as source: they use nothing outside themselves and each
 * other.
 *
 * Own code instead of `stringify` of `@std/csv`, which ends rows with CRLF, while registries end them with LF, and does
 * not quote a lone carriage return, so that readers would end a row there.
 */

/**
 * Writes one row of CSV as RFC 4180 has it, without a line end.
 *
 * Values are kept as they are: a leading `=` or `+` is not altered, since a spreadsheet's habits are not data's fault.
 */
export function csvRow(cells: readonly string[]): string {
  // A row of one empty cell would be an empty line, which readers skip.
  if (cells.length === 1 && cells[0] === "") return '""';
  return cells.map(csvCell).join(",");
}

/** Writes one cell of CSV, quoted where it holds a comma, a quote or a line end. */
export function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Writes one row of TSV without a line end; tab, newline, carriage return and backslash become `\t`, `\n`, `\r`, `\\`.
 *
 * @see The command line's contract: TSV never holds a raw tab or line end inside a cell.
 */
export function tsvRow(cells: readonly string[]): string {
  // As in CSV, a row of one empty cell would be an empty line.
  if (cells.length === 1 && cells[0] === "") return '""';
  return cells.map(tsvCell).join("\t");
}

/** Writes one cell of TSV, with escapes for tab, line ends and backslash. */
export function tsvCell(text: string): string {
  return /[\t\n\r\\]/.test(text)
    ? text.replaceAll("\\", "\\\\").replaceAll("\t", "\\t").replaceAll("\n", "\\n").replaceAll("\r", "\\r")
    : text;
}
