/** How columns of each type of polars become text, and which of them Parquet's own schema stores. */
import type { DataFrame, Expr } from "nodejs-polars";
import type { ColumnDtype } from "../../engine/frames/frame_columns.ts";
import type { Polars } from "./polars.ts";

type DataType = DataFrame["dtypes"][number];

/** How a column becomes text: as polars writes it, as a text, or as items with `;` between. */
export type TextKind = "plain" | "text" | "list" | "times";

/** The same of the types of a table. */
export const KINDS: Readonly<Record<ColumnDtype, TextKind>> = {
  "String": "text",
  "Int64": "plain",
  "Float64": "plain",
  "Bool": "plain",
  "List(String)": "list",
  "Date": "plain",
};

const TEXTS: ReadonlySet<string> = new Set(["String", "Utf8", "Categorical", "Enum"]);

/** Types whose text polars writes without a character that would have to be escaped or quoted. */
const PLAIN: ReadonlySet<string> = new Set([
  ...["Bool", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float32", "Float64"],
  ...["Decimal", "Date", "Datetime", "Time", "Null"],
]);

/**
 * How a column becomes text.
 *
 * @throws {TypeError} If no form can be read back.
 */
export function textKind(name: string, dtype: DataType): TextKind {
  const { variant } = dtype;
  if (TEXTS.has(variant)) return "text";
  if (PLAIN.has(variant)) return "plain";
  const item = itemOf(dtype);
  if (item?.variant === "Datetime") return "times";
  // As an item a time would lose what is less than a second.
  if (item !== undefined && item.variant !== "Time" && (TEXTS.has(item.variant) || PLAIN.has(item.variant))) {
    return "list";
  }
  throw new TypeError(
    `Cannot write column ${JSON.stringify(name)} of ${
      wordsOf(dtype)
    } as text: write Parquet, leave the column out, or ` +
      "cast it to numbers, texts or lists of them",
  );
}

export function textOf({ element, lit, List, String }: Polars, column: Expr, kind: TextKind): Expr {
  if (kind === "plain") return column;
  if (kind === "text") return column.cast(String);
  // One item that is null would make the whole cell null.
  const text = column.cast(List(String)).lst.eval(element().fillNull(lit(""))).lst.join(";");
  // As polars writes a column of them.
  return kind === "times" ? text.str.replaceAll(/(\d) (\d)/, "${1}T${2}") : text;
}

/** Types that Parquet's own schema stores as well as Arrow's. */
const PARQUET_TYPES: ReadonlySet<string> = new Set([
  ...["String", "Bool", "Int64", "Int32", "UInt32", "UInt64", "Float64", "Date"],
]);

/** Whether Parquet's own schema has a type, with all that is in it. */
export function hasParquetType(dtype: DataType): boolean {
  const item = itemOf(dtype);
  return item === undefined ? PARQUET_TYPES.has(dtype.variant) : hasParquetType(item);
}

function itemOf(dtype: DataType): DataType | undefined {
  return dtype.variant === "List" ? Reflect.get(dtype, "inner")?.[0] : undefined;
}

/** A type as polars for Python names it: `List(Struct)`. */
function wordsOf(dtype: DataType): string {
  const item = itemOf(dtype);
  return item === undefined ? dtype.variant : `List(${wordsOf(item)})`;
}
