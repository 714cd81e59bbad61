/**
 * Frees the columns of a polars frame at once, by its native object, a private member: `DataFrame._df`.
 * `tests/core/tables/types/drop_columns_test.ts` fails when polars changes it.
 */
import type { DataFrame } from "nodejs-polars";
import { membersOf } from "../../engine/frames/frame_members.ts";

/**
 * Removes all columns from a frame. An unshared column is freed at once instead of waiting for a collection.
 *
 * @param small Name of a column of little memory, which replaces each other one until the next collection.
 */
export function dropColumns(frame: DataFrame, small: string): void {
  const { columns, _df: native } = membersOf(frame);
  for (const [index, name] of columns.entries()) {
    const column = native.column(small);
    column.rename(name);
    native.replaceAtIdx(index, column);
  }
  for (const name of columns) native.dropInPlace(name);
}
