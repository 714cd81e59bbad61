/** A look at the quotes of a table with tabs or bars, byte by byte, which needs no rows. */
import { copyBytes } from "../../io/bytes/join_bytes.ts";
import type { TableSeparator } from "../../io/csv/separator.ts";

const [LF, CR, QUOTE] = [10, 13, 34];
/** Bytes of a byte order mark in UTF-8, and the last of them. */
const [MARK_BYTES, LAST_OF_MARK] = [3, 0xbf];
/** Bytes of a row that are waited for. */
const MAX_ROW_BYTES = 1 << 20;

/**
 * Whether every cell that begins with a quote ends with one, and holds others only in pairs and not first: then a quote
 * can mean nothing else, and no cell holds a separator or a line end.
 *
 * @param chunks The text, UTF-8 with line feeds.
 * @returns `false` too where a row is too long to be looked at.
 */
export async function hasClosedQuotes(chunks: AsyncIterable<Uint8Array>, separator: TableSeparator): Promise<boolean> {
  const isClosed = closedQuotes(separator.charCodeAt(0));
  let held: Uint8Array = new Uint8Array(0);
  for await (const chunk of chunks) {
    const text = copyBytes([held, chunk]);
    const end = text.lastIndexOf(LF) + 1;
    if (text.length - end > MAX_ROW_BYTES || !isClosed(text.subarray(0, end))) return false;
    held = text.subarray(end);
  }
  return isClosed(held);
}

/** Whether all cells of some whole rows are closed. */
function closedQuotes(separator: number): (rows: Uint8Array) => boolean {
  return (rows) => {
    for (let at = rows.indexOf(QUOTE); at !== -1; at = rows.indexOf(QUOTE, at)) {
      const before = at === 0 ? LF : rows[at - 1];
      // What follows a byte order mark begins a cell too: such a table is looked at row by row.
      if (at === MARK_BYTES && before === LAST_OF_MARK) return false;
      if (before !== separator && before !== LF) {
        at++;
        continue;
      }
      let end = at + 1;
      while (end < rows.length && rows[end] !== separator && rows[end] !== LF) end++;
      const next = end;
      if (rows[end] !== separator && rows[end - 1] === CR) end--;
      if (!isQuotedCell(rows, at, end)) return false;
      at = next;
    }
    return true;
  };
}

function isQuotedCell(rows: Uint8Array, start: number, end: number): boolean {
  if (end - start < 2 || rows[end - 1] !== QUOTE) return false;
  if (end - start > 2 && rows[start + 1] === QUOTE) return false;
  for (let at = start + 1; at < end - 1; at++) {
    if (rows[at] !== QUOTE) continue;
    if (rows[++at] !== QUOTE || at === end - 1) return false;
  }
  return true;
}
