/** What plans, frames and tables call the types of columns. */
import type { DataFrame } from "nodejs-polars";
import type { ColumnDtype, Polars } from "@seqreg/core/engine/frames";
import type { PlanNode, ValueType } from "@seqreg/core/engine/plan/plan";
import { unsupported } from "@seqreg/core/engine/plan/unsupported";
import type { Columns } from "../sql/expression_sql.ts";
import { exactColumn, isTextType, membersOf } from "@seqreg/core/engine/frames";

/** Types of columns of a lake as plans have them. */
export const VALUE_TYPES: Readonly<Record<ColumnDtype, ValueType>> = {
  String: "text",
  Int64: "whole",
  Float64: "float",
  Bool: "boolean",
  "List(String)": "list",
  Date: "day",
};

export function scansOf(node: PlanNode): string[] {
  if (node.kind === "scan") return [JSON.stringify(node.paths)];
  if (node.kind === "join") return [...scansOf(node.left), ...scansOf(node.right)];
  if (node.kind === "union") return node.inputs.flatMap(scansOf);
  return node.kind === "frame" ? [] : scansOf(node.input);
}

/** Types of the columns of a frame. @throws {TypeError} If plans have no type for one. */
export function columnsOf(frame: DataFrame): Columns {
  const { columns, dtypes } = membersOf(frame);
  return new Map(dtypes.map((dtype, at) => [columns[at], typeOf(String(Reflect.get(dtype, "variant")))]));
}

function typeOf(variant: string): ValueType {
  if (variant === "UInt32") return "count";
  if (/^U?Int/.test(variant)) return "whole";
  if (/^Float/.test(variant)) return "float";
  if (isTextType(variant)) return "text";
  if (variant === "Bool") return "boolean";
  if (variant === "Date") return "day";
  if (variant === "List") return "list";
  if (variant === "Null") return "null";
  throw unsupported(`a frame with a column of ${variant}`);
}

/** Casts the columns of a result to the types that polars has for them. */
export function inTypes(pl: Polars, frame: DataFrame, columns: Columns): DataFrame {
  const types = [...columns];
  return membersOf(frame).lazy().select(...types.map(([name, type]) => {
    const column = exactColumn(pl, name);
    return type === "whole" || type === "count"
      ? column.cast(pl.Int64)
      : type === "float"
      ? column.cast(pl.Float64)
      : column;
  })).collectSync();
}
