/** The one check of a table's header, for every reader of tables. */
import { isAccession } from "../../contract/accession.ts";
import { ParseError } from "../../errors.ts";

/** The fault of a header whose rows end with carriage returns alone: the whole table looks like one row. */
export const LONE_RETURNS = "its lines end with carriage returns alone; save it with LF or CRLF line ends";

/**
 * Finds why a first row cannot be names of columns: a name is empty or occurs twice, the row is a record, or the bytes
 * are no text with lines. `undefined` if it can.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { headerFault } from "./check_header.ts";
 *
 * assertEquals(headerFault(["Country", "Country"]), 'two columns are called "Country"');
 * ```
 */
export function headerFault(header: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (const [index, column] of header.entries()) {
    if (column.trim() === "") return `column ${index + 1} has no name`;
    if (seen.has(column)) return `two columns are called ${JSON.stringify(column)}`;
    if (isAccession(column)) {
      return `it has no header: the first line holds the accession ${column}, expected names of columns`;
    }
    if (column.includes("\r")) return LONE_RETURNS;
    if (column.includes("\0")) {
      return "its header holds NUL characters: it is binary data, or UTF-16 text that must be saved as UTF-8";
    }
    seen.add(column);
  }
  return undefined;
}

/**
 * Refuses a first row that cannot be names of columns.
 *
 * @param header Cells of the first row.
 * @throws {ParseError} As {@linkcode headerFault} finds.
 */
export function checkHeader(header: readonly string[], name: string, line = 1): void {
  const fault = headerFault(header);
  if (fault !== undefined) throw new ParseError(`Cannot read ${name}: ${fault}`, { line });
}
