/** What becomes of each field of a metadata archive. */
import type { FieldDefinition, FieldType } from "../../../contract/metadata.ts";
import { checkDateNames, dateColumnNames } from "../../types/columns.ts";
import type { PartColumn } from "./_part_encoder.ts";
import type { DateColumns, TableColumn } from "../../types/table.ts";

/** A field: a column of the CSV and what is made of it. */
export interface PartField {
  /** The columns for users. */
  readonly columns: readonly TableColumn[];
  /** The same for the encoder. */
  readonly part: PartColumn;
}

/** How the columns of a field are made. */
export interface PartFieldOptions {
  /** Its definition; text without. */
  readonly definition: FieldDefinition | undefined;
  /** Whether a date has its three columns. */
  readonly dates: DateColumns;
  readonly taken: readonly string[];
}

const TYPES = {
  integer: { dtype: "Int64", part: "integer" },
  float: { dtype: "Float64", part: "float" },
  boolean: { dtype: "Bool", part: "boolean" },
  list: { dtype: "List(String)", part: "list" },
  date: { dtype: "String", part: "text" },
  string: { dtype: "String", part: "text" },
} as const satisfies Record<FieldType, { dtype: TableColumn["dtype"]; part: PartColumn["type"] }>;

/** Describes one field. @throws {RangeError} If the name of a date column is that of a field. */
export function partField(field: string, { definition, dates, taken }: PartFieldOptions): PartField {
  const type = definition?.type ?? "string";
  const { dtype, part } = TYPES[type];
  const column: TableColumn = { name: field, field, type, dtype };
  if (type !== "date" || dates === "text") return { columns: [column], part: { type: part, names: [field] } };
  checkDateNames(field, taken);
  const names = dateColumnNames(field);
  const made = names.map((name, index): TableColumn => ({
    name,
    field,
    type,
    dtype: index === 2 ? "String" : "Date",
  }));
  return { columns: [column, ...made], part: { type: "dates", names: [field, ...names] } };
}
