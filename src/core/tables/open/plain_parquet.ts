/** Parquet files whose values every engine reads as one and the same text. */
import { exactColumn, loadPolars, membersOf } from "../../engine/frames/mod.ts";
import { scanFiles } from "../../engine/frames/scan_files.ts";
import { sqlNames } from "../../engine/local/sql_names.ts";

/** Types of polars that have one text: no times, no decimals, nothing in lists; floats of 32 bits are longer as 64. */
const HAS_ONE_TEXT = /^(?:String|Utf8|Categorical|Bool|Int(?:8|16|32|64)|UInt(?:8|16|32)|Float64|Date)$/;

/**
 * Whether all columns of a Parquet file have types of which every engine makes the same texts, and names that SQL keeps
 * apart, and all floats are finite. Of the others each engine makes its own: {@linkcode openTable} makes ours.
 *
 * @returns `false` also of a file that polars does not read.
 */
export async function isPlainParquet(path: string): Promise<boolean> {
  const pl = await loadPolars();
  try {
    const file = scanFiles(pl, [path]);
    const { columns, dtypes } = membersOf(file.limit(0).collectSync());
    if (sqlNames(columns).some((name, index) => name !== columns[index])) return false;
    if (!dtypes.every(({ variant }) => HAS_ONE_TEXT.test(variant))) return false;
    const floats = columns.filter((_, index) => dtypes[index].variant === "Float64");
    if (floats.length === 0) return true;
    const tests = floats.map((name, index) => exactColumn(pl, name).isFinite().all().alias(String(index)));
    return membersOf(file.select(...tests).collectSync()).row(0).every((isFinite) => isFinite === true);
  } catch {
    return false;
  }
}
