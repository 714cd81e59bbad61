/**
 * The types of an archive's columns, from all of their values.
 *
 * One pass over the inflated archive with the kernel that checks its rows: a column's cells are looked at as long as
 * one of them can still change its type, and only those that are not plain for the type that is left. So most cells
 * become no text, and memory is bounded by the columns.
 */
import type { FieldType } from "../../../contract/metadata.ts";
import { checkRows } from "../rows/check_rows.ts";
import { CELL_NUMBERS, type CheckedRows, readCell } from "../rows/checked_rows.ts";
import { InferredColumn, LONG_TEXT } from "./_inferred_column.ts";

/** Bytes above which a cell is not decoded: it cannot have another type than text. */
const LONG_BYTES = 4096;
/** Bytes that are looked at before kinds are chosen anew for the first time. */
const FIRST_BYTES = 4096;

/**
 * Infers the type of every column by lossless rules: whole numbers of 64 bits, decimals whose digits a float keeps,
 * dates, booleans in one spelling, JSON arrays; text for all else, such as a column with a leading zero or a unit.
 *
 * @param chunks Inflated CSV with commas.
 * @param options Name for errors, columns that are always text, signal.
 * @returns A type for each column, in their order.
 * @throws {ParseError} If it is not CSV.
 */
export async function inferTypes(
  chunks: AsyncIterable<Uint8Array>,
  { name, texts, signal }: {
    readonly name: string;
    readonly texts: readonly string[];
    readonly signal?: AbortSignal;
  },
): Promise<readonly FieldType[]> {
  await using checked = await checkRows(growingPieces(chunks), { name, signal });
  const columns = checked.header.map((name) => texts.includes(name) ? undefined : new InferredColumn());
  const kinds = () => columns.map((column) => column?.kind ?? 0);
  checked.setKinds(kinds());
  for await (const batch of checked) if (seeCells(batch, columns)) checked.setKinds(kinds());
  return columns.map((column) => column?.type ?? "string");
}

/** Shows cells to their columns; returns whether a column has become of another kind. */
function seeCells({ bytes, cells }: CheckedRows, columns: readonly (InferredColumn | undefined)[]): boolean {
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
