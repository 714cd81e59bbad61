/** Rows as CSV with commas: the form in which every table is passed on. */
import { csvRow } from "../../io/csv/csv_text.ts";
import { repeatsHeader } from "../../io/csv/repeated_header.ts";
import { cellsOfWidth, hasNoValue } from "../../io/csv/row_values.ts";
import { transformed } from "../../io/bytes/closing.ts";
import type { CsvRow } from "../../io/csv/split_rows.ts";
import type { TextTable } from "../../io/csv/text_table.ts";
import type { TextForm } from "./_text_form.ts";

const CHUNK_ROWS = 1000;

const encoder = new TextEncoder();

/**
 * Writes the rows of a text as CSV: the header, then each row on its own line of the text, so that faults are named by
 * the line where they are. A row of another width than the table's keeps another width; one that repeats the header is
 * left out.
 *
 * @param repeated Takes the lines of those that repeat the header.
 */
export function csvOfText(
  batches: AsyncIterable<readonly CsvRow[]>,
  form: TextForm,
  repeated: number[],
): AsyncGenerator<Uint8Array> {
  return transformed(batches, (rows) => linesOf(rows, form, repeated));
}

async function* linesOf(
  batches: AsyncIterable<readonly CsvRow[]>,
  { header, line: headerLine, names, columns, cells, width }: TextForm,
  repeated: number[],
): AsyncGenerator<Uint8Array> {
  const isWhole = cells.length === width;
  const kept = (row: readonly string[]) => isWhole ? row : cells.map((cell) => row[cell]);
  let index = 0;
  let line = 1;
  const texts: string[] = [];
  const write = (row: readonly string[], at: number) => {
    const text = csvRow(row);
    texts.push("\n".repeat(Math.max(0, at - line)), text, "\n");
    line = Math.max(line, at) + 1 + (text.match(/\n/g)?.length ?? 0);
  };
  for await (const rows of batches) {
    for (const row of rows) {
      const at = index++;
      if (at === header) write(columns, headerLine);
      else if (at > header && repeatsHeader(row.cells, names)) repeated.push(row.line);
      else if (at > header && !hasNoValue(row.cells)) {
        const values = cellsOfWidth(row.cells, width);
        write(values !== undefined ? kept(values) : ofOtherWidth(row, columns.length), row.line);
      }
    }
    if (texts.length > 0) yield encoder.encode(texts.join(""));
    texts.length = 0;
  }
}

/** The cells of a row that is not as wide as its table, with one more if it could be taken for one. */
function ofOtherWidth({ cells }: CsvRow, width: number): readonly string[] {
  return cellsOfWidth(cells, width) === undefined ? cells : [...cells, "…"];
}

/** Writes a table in memory as CSV, some rows at a time. */
export async function* csvOfTable({ columns, rows }: TextTable): AsyncGenerator<Uint8Array> {
  yield encoder.encode(`${csvRow(columns)}\n`);
  for (let from = 0; from < rows.length; from += CHUNK_ROWS) {
    const texts = rows.slice(from, from + CHUNK_ROWS).filter((row) => !hasNoValue(row)).map((row) =>
      `${csvRow(row)}\n`
    );
    yield encoder.encode(texts.join(""));
  }
}
