/**
 * Metadata as CSV to a table: exports, archives and tables that people made.
 *
 * What is wrong with a file and what becomes of it:
 *
 * | fault | rule |
 * |---|---|
 * | byte order mark | passed over |
 * | CRLF line ends, no line end at the end, empty lines | read |
 * | semicolons or tabs between the cells | read, with a warning |
 * | a row of several cells that are all empty (`,,`) | nothing, as an empty line |
 * | a row with more or fewer cells than the header | unparsed: left out, named with its line, `complete` is false |
 * | a quote inside a cell that does not begin with one (`5" pipe`) | a character |
 * | a quoted cell that never ends, text after a closing quote | error with the line on which the cell opens |
 * | a quoted cell with line feeds of more than 64 MiB | error with the line on which the cell opens |
 * | bytes that are not UTF-8 | error with the line |
 * | UTF-16 | error |
 * | NUL in a cell | kept, named with its row |
 * | carriage return in a cell | kept; a file whose lines end with it alone is an error |
 * | two columns of one name, a column without a name | error |
 * | no header: the first line has an accession in it | error |
 * | empty file; HTML, XML, JSON, a workbook or the like | error that says what it looks like |
 * | cells of many megabytes | read |
 * | an empty cell, `""` too | no value |
 */
import { ParseError } from "../../errors.ts";
import type { ByteSource } from "../../io/bytes/byte_source.ts";
import { readCsvRows } from "../../io/csv/csv_rows.ts";
import { cellsOfWidth, hasNoValue, raggedRow } from "../../io/csv/row_values.ts";
import { checkHeader } from "../../io/csv/check_header.ts";
import { peekSeparator } from "../../io/csv/peek_separator.ts";
import { noteSeparator } from "../../io/csv/separator.ts";
import { NOT_A_TABLE } from "../../io/csv/not_a_table.ts";
import { sourceName } from "../../io/bytes/open_bytes.ts";
import { isAccession } from "../../contract/accession.ts";
import { type Problem, quoteValue } from "../../contract/ledger.ts";
import { SPECIFICATION_NAMING } from "../../contract/naming.ts";
import { type OnProblem, TextColumns, type Texts } from "../types/columns.ts";
import { publicNames } from "../types/public_names.ts";
import { openExpected } from "./_peek.ts";
import { checkTableOptions, makeTable, MAX_PROBLEMS, type SourceTexts } from "../types/typed_table.ts";
import { TABLE_OPTIONS, type TableOptions, type TypedTable } from "../types/table.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";

/** Options of {@linkcode tableFromCsv}. */
export interface CsvTableOptions extends TableOptions {
  /** Character between cells; found by `findSeparator` by default, with a warning where it is not a comma. */
  readonly separator?: "," | ";" | "\t";
  /** Names by what the header calls its columns, where these are aliases; a column not named here keeps its name. */
  readonly renames?: ReadonlyMap<string, string>;
}

const CSV_TABLE_OPTIONS = {
  ...TABLE_OPTIONS,
  separator: rule.oneOf([",", "\t", ";"]),
  renames: rule.instanceOf<ReadonlyMap<string, string>>("a Map of names by column", Map),
} satisfies OptionRules<CsvTableOptions>;

/**
 * Makes a table of a CSV with a header, plain, gzip or Zstandard. Reads it as a stream; holds the columns asked for.
 *
 * @param source Where the CSV is.
 * @param options Definitions, naming, columns, separator.
 * @returns rows = rows of the CSV that could be read; columns typed by the definitions.
 * @throws {ParseError} If the file is not a CSV, by the rules of this module.
 * @throws {GzipError} If gzip data is damaged. Nothing is returned then.
 * @throws {TypeError | RangeError} If the options cannot be followed.
 * @see Specification 4.2, `text/csv`. Its dialect is not shown: RFC 4180 is what is read.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { tableFromCsv } from "./from_csv.ts";
 *
 * const csv = "Registry Accession,Host Age\nvj000000000001,37\nvj000000000002,37 years\n";
 * const age = { name: "Host Age", alias: "host_age", description: "", unit: "", example: "37 years" };
 * const table = await tableFromCsv(new TextEncoder().encode(csv), {
 *   definitions: [{ ...age, type: "integer" }],
 * });
 *
 * assertEquals<unknown>((await table.frame()).getColumn("Host Age").toArray(), [37, null]);
 * assertEquals(table.problems[0].value, "37 years");
 * ```
 */
export async function tableFromCsv(source: ByteSource, options: CsvTableOptions = {}): Promise<TypedTable> {
  checkTableOptions("tableFromCsv()", options, CSV_TABLE_OPTIONS);
  return makeTable(await readTextColumns(source, options), options);
}

export async function readTextColumns(source: ByteSource, options: CsvTableOptions): Promise<SourceTexts> {
  const { naming = SPECIFICATION_NAMING, signal } = options;
  const name = options.name ?? sourceName(source);
  const expected = openExpected(source, { signal, name, expected: "a CSV table", refuse: NOT_A_TABLE });
  const { separator, chunks } = options.separator === undefined
    ? await peekSeparator(expected)
    : { separator: options.separator, chunks: expected };
  const isUnusual = options.separator === undefined && separator !== ",";
  const problems: Problem[] = [];
  const most = Math.max(options.maxProblems ?? 0, MAX_PROBLEMS);
  let [unparsed, problemCount] = [0, 0];
  const onProblem = (problem: Problem) => {
    if (problemCount++ < most) problems.push(problem);
  };
  let layout: CsvLayout | undefined;
  for await (const rows of readCsvRows(chunks, { separator, name })) {
    signal?.throwIfAborted();
    for (const { cells, line } of rows) {
      if (layout === undefined) {
        checkHeader(cells, name);
        const header = cells.map((cell) => options.renames?.get(cell) ?? cell);
        layout = layOut(publicNames(header, options.definitions ?? [], naming), naming.accessionField, options.columns);
        continue;
      }
      if (hasNoValue(cells)) continue;
      const values = cellsOfWidth(cells, layout.width);
      if (values === undefined) {
        unparsed++;
        onProblem(raggedProblem(cells, line, layout));
        continue;
      }
      layout.columns.addCells(values, layout.targets, layout.positions);
      findNul(values, line, layout, onProblem);
    }
  }
  if (layout === undefined) {
    throw new ParseError(`Cannot read ${name}: it is empty, expected a header line`, { line: 1 });
  }
  const entries = isUnusual ? [noteSeparator(name, separator)] : [];
  return { columns: layout.columns, hasHeader: true, unparsed, problems, problemCount, entries };
}

/** Where the cells of a row go. */
interface CsvLayout {
  readonly width: number;
  readonly columns: TextColumns;
  readonly targets: readonly Texts[];
  readonly positions: readonly number[];
  readonly names: readonly string[];
  readonly idPosition: number;
}

/** Lays out the columns asked for, and that of the accessions; the header has public names. */
function layOut(header: readonly string[], idField: string, asked?: readonly string[]): CsvLayout {
  const names = asked === undefined ? header : header.filter((name) => asked.includes(name) || name === idField);
  const columns = new TextColumns(names);
  return {
    width: header.length,
    columns,
    targets: names.map((name) => columns.get(name)!),
    positions: names.map((name) => header.indexOf(name)),
    names,
    idPosition: header.indexOf(idField),
  };
}

function raggedProblem(cells: readonly string[], line: number, { width, idPosition }: CsvLayout): Problem {
  return {
    line,
    ...cells[idPosition] && isAccession(cells[idPosition]) && { id: cells[idPosition] },
    value: quoteValue(cells.join(",").slice(0, 1000)),
    reason: raggedRow(cells.length, width),
    kept: false,
  };
}

function findNul(cells: readonly string[], line: number, layout: CsvLayout, onProblem: OnProblem): void {
  const { positions, names, idPosition } = layout;
  for (let index = 0; index < positions.length; index++) {
    const text = cells[positions[index]];
    if (!text.includes("\0")) continue;
    onProblem({
      row: layout.columns.rows,
      line,
      ...cells[idPosition] && { id: cells[idPosition] },
      field: names[index],
      value: quoteValue(text),
      reason: "holds a NUL character",
      kept: true,
    });
  }
}
