/**
 * The types of a table's columns, from their names and all of their values.
 *
 * One pass over the CSV with the module that checks its rows: a column's cells are looked at as long as one of them can
 * still change its type, and only those that are not plain for the type that is left. So most cells become no text, and
 * memory is bounded by the columns. A second pass compares the numbers of columns in which some are written otherwise
 * than programs print them.
 */
import { type KnownColumn, knownColumn } from "../../contract/fields/column_names.ts";
import { checkRows } from "../lake/rows/check_rows.ts";
import { CELL_NUMBERS, type CheckedRows, readCell } from "../lake/rows/checked_rows.ts";
import {
  InferredColumn,
  KnownNameColumn,
  LONG_TEXT,
  type ObservedColumn,
  SpeltColumn,
  type UnfulfilledType,
} from "./_inferred_column.ts";

/** Bytes above which a cell is not decoded: it cannot have another type than text. */
const LONG_BYTES = 4096;
/** Bytes that are looked at before kinds are chosen anew for the first time. */
const FIRST_BYTES = 4096;

/** The type of a column, by its name and its values. */
export interface InferredType extends KnownColumn {
  /** The type of its name, if its values have another. */
  readonly unfulfilled?: UnfulfilledType;
}

export interface InferTypesOptions {
  /** Named in errors. */
  readonly name: string;
  /** Columns that are always text. */
  readonly texts?: readonly string[];
  /** Types of columns that the file declares, of which no value is looked at. */
  readonly declared?: readonly (KnownColumn | undefined)[];
  /** Whether the table writes decimals with commas, so that numbers with a point stay text. */
  readonly hasDecimalCommas?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Infers the type of every column.
 *
 * A column whose name is that of a public field, or has the word date, has that type if at least half of its first
 * 20,000 values fit. Any other has the type that all of its values have without a loss: whole numbers up to 2^53,
 * decimals whose digits a float keeps and of which no two texts are one number, dates, booleans in one spelling, JSON
 * arrays without null and `;`; text for all else, such as a column with a leading zero or a unit. Words for missing
 * values say nothing.
 *
 * @param read Reads the CSV, with commas, from its beginning; called again for a second pass.
 * @returns Type and unit of each column, in their order.
 * @throws {ParseError} If it is not CSV.
 */
export async function inferTypes(
  read: () => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>,
  { name, texts = [], declared, hasDecimalCommas, signal }: InferTypesOptions,
): Promise<readonly InferredType[]> {
  if (declared?.every((type) => type !== undefined)) return declared;
  const options = { name, signal };
  const known: (KnownColumn | undefined)[] = [];
  const columns = await seeAll(
    await read(),
    (header) =>
      header.map((column, index) => {
        if (texts.includes(column) || declared?.[index] !== undefined) return undefined;
        known[index] = knownColumn(column);
        return known[index] === undefined
          ? new InferredColumn(hasDecimalCommas)
          : new KnownNameColumn(known[index], hasDecimalCommas);
      }),
    options,
  );
  let numbers: readonly (ObservedColumn | undefined)[] = [];
  if (columns.some((column) => column?.isSpelt)) {
    numbers = await seeAll(
      await read(),
      () => columns.map((column) => column?.isSpelt ? new SpeltColumn() : undefined),
      options,
    );
  }
  return columns.map((column, index) =>
    declared?.[index] ?? {
      type: (numbers[index] ?? column)?.type ?? "string",
      unit: column instanceof KnownNameColumn && column.isKnown ? known[index]?.unit ?? "" : "",
      ...column instanceof KnownNameColumn && column.unfulfilled && { unfulfilled: column.unfulfilled },
    }
  );
}

/** Shows all cells of a table to its columns. */
async function seeAll<C extends ObservedColumn>(
  chunks: AsyncIterable<Uint8Array>,
  columnsOf: (header: readonly string[]) => readonly (C | undefined)[],
  options: { readonly name: string; readonly signal?: AbortSignal },
): Promise<readonly (C | undefined)[]> {
  await using checked = await checkRows(growingPieces(chunks), options);
  const columns = columnsOf(checked.header);
  const kinds = () => columns.map((column) => column?.kind ?? 0);
  checked.setKinds(kinds());
  for await (const batch of checked) if (seeCells(batch, columns)) checked.setKinds(kinds());
  return columns;
}

/** Shows cells to their columns; returns whether a column has become of another kind. */
function seeCells({ bytes, cells }: CheckedRows, columns: readonly (ObservedColumn | undefined)[]): boolean {
  let isChanged = false;
  for (let at = 0; at < cells.length; at += CELL_NUMBERS) {
    const column = columns[cells[at]];
    if (column === undefined) continue;
    const [start, end] = [cells[at + 2], cells[at + 3]];
    const text = end - start > LONG_BYTES ? LONG_TEXT : readCell(bytes, start, end);
    if (text === "") continue;
    const before = column.kind;
    column.see(text);
    isChanged ||= column.kind !== before;
  }
  return isChanged;
}

/**
 * Cuts the first chunk into pieces that grow: the first rows decide most, and they alone are looked at cell by cell.
 */
async function* growingPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const chunk of chunks) {
    if (!isFirst) yield chunk;
    else yield* piecesOf(chunk);
    isFirst = false;
  }
}

function* piecesOf(chunk: Uint8Array): Generator<Uint8Array> {
  for (let at = 0, length = FIRST_BYTES; at < chunk.length; at += length, length *= 2) {
    yield chunk.subarray(at, at + length);
  }
}
