/** Types of polars by their names: variants such as `Int64`, or with what they hold, such as `List(String)`. */
import type { FieldType } from "../../contract/metadata.ts";

/** The type of a field that has the values of a column; `string` for any other type. */
export function fieldTypeOf(dtype: string): FieldType {
  if (/^U?Int/.test(dtype)) return "integer";
  if (/^(?:Float|Decimal)/.test(dtype)) return "float";
  if (dtype === "Bool") return "boolean";
  if (isListType(dtype)) return "list";
  return /^Date/.test(dtype) ? "date" : "string";
}

/** Whether a column has texts; categories are none. */
export function isTextType(dtype: string): boolean {
  return dtype === "String" || dtype === "Utf8";
}

export function isListType(dtype: string): boolean {
  return dtype.startsWith("List");
}
