/**
 * The types of an archive's columns, from all of their values.
 *
 * One pass over the inflated archive with the kernel that checks its rows: a column's cells are looked at as long as
 * one of them can still change its type, and only those that are not plain for the type that is left. So most cells
 * become no text, and memory is bounded by the columns.
 */
import type { FieldType } from "../../../contract/metadata.ts";
import { InferredColumn, LONG_TEXT } from "./_inferred_column.ts";
import { RowChecker } from "./_row_checker.ts";

/** Memory that one long row may leave behind. */
const KEPT_BYTES = 64 * 1024 * 1024;

/**
 * Infers the type of every column by lossless rules: whole numbers of 64 bits, decimals whose digits a float keeps,
 * dates, booleans in one spelling, JSON arrays; text for all else, such as a column with a leading zero or a unit.
 *
 * @param chunks Inflated CSV with commas.
 * @param options Name for errors, columns that are text whatever they hold, signal.
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
  let columns: (InferredColumn | undefined)[] = [];
  let isChanged = false;
  const kinds = () => columns.map((column) => column?.kind ?? 0);
  const see = (index: number, text: string) => {
    const column = columns[index];
    if (column === undefined) return;
    const before = column.kind;
    column.see(text);
    isChanged ||= column.kind !== before;
  };
  const checker = new RowChecker({
    onHeader(names) {
      columns = names.map((name) => texts.includes(name) ? undefined : new InferredColumn());
      return kinds();
    },
    onRows() {},
    onOddCell(index, _row, text) {
      if (text !== "") see(index, text);
      return text;
    },
    onLongCell: (index) => see(index, LONG_TEXT),
    onProblem() {},
  }, name);
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    // The first rows decide most: they alone are looked at cell by cell.
    for (const part of columns.length === 0 ? partsOf(chunk) : [chunk]) {
      checker.push(part);
      if (isChanged) checker.changeKinds(kinds());
      isChanged = false;
    }
    if (checker.heldBytes > KEPT_BYTES) checker.shrink();
  }
  checker.finish();
  return columns.map((column) => column?.type ?? "string");
}

/** Bytes of a chunk in pieces that grow. */
function* partsOf(chunk: Uint8Array): Generator<Uint8Array> {
  for (let at = 0, length = 4096; at < chunk.length; at += length, length *= 2) yield chunk.subarray(at, at + length);
}
