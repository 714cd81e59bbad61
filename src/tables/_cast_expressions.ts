/**
 * Lists and parts of dates as polars expressions, for tables too large for JavaScript.
 *
 * Numbers and booleans come typed already, see `_odd_cells.ts`. A test holds these forms of the rules to those of
 * `cast.ts`.
 */
import type { Expr } from "nodejs-polars";
import type { FieldDefinition } from "../spec/metadata.ts";
import { checkDateNames, dateColumnNames } from "./_columns.ts";
import type { Polars } from "./_polars.ts";
import type { DateColumns, TableColumn } from "./table.ts";

/** Columns made of one text column. */
export interface CastColumns {
  /** The columns for users. */
  readonly columns: readonly TableColumn[];
  /** Their expressions. */
  readonly expressions: readonly Expr[];
  /** Type that the column of the CSV is read as. */
  readonly read: "String" | "Int64" | "Float64" | "Bool";
}

const BLANKS = "[ \\t\\n\\r]*";
const UNKNOWN = "(?:XX|xx|00)";
const DATE = `^${BLANKS}([0-9]{4})(?:-(?:${UNKNOWN}(?:-${UNKNOWN})?|(0[1-9]|1[0-2])` +
  `(?:-(?:${UNKNOWN}|(0[1-9]|[12][0-9]|3[01])(?:[T ][0-9:.]+(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?))?))?${BLANKS}$`;

/** How the columns of a field are made. */
export interface CastOptions {
  /** Its definition; text without. */
  readonly definition: FieldDefinition | undefined;
  /** Whether a date has its three columns. */
  readonly dates: DateColumns;
  /** Names of all fields. */
  readonly taken: readonly string[];
}

/** Makes the columns of one field. @throws {RangeError} If the name of a date column is that of a field. */
export function castColumns(
  pl: Polars,
  field: string,
  { definition, dates, taken }: CastOptions,
): CastColumns {
  const text = pl.col(field);
  const type = definition?.type ?? "string";
  switch (type) {
    case "integer":
      return asRead(text, { name: field, field, type, dtype: "Int64" });
    case "float":
      return asRead(text, { name: field, field, type, dtype: "Float64" });
    case "boolean":
      return asRead(text, { name: field, field, type, dtype: "Bool" });
    case "list":
      return {
        columns: [{ name: field, field, type, dtype: "List(String)" }],
        expressions: [listOf(pl, text).alias(field)],
        read: "String",
      };
    case "date":
      if (dates === "text") return asRead(text, { name: field, field, type, dtype: "String" });
      checkDateNames(field, taken);
      return withDates(pl, text, field);
    case "string":
      return asRead(text, { name: field, field, type, dtype: "String" });
  }
}

/** Whether a text is a date, an expression that is null for null. */
function isDate(pl: Polars, text: Expr): Expr {
  const { day, lastDay } = datePieces(pl, text);
  const whole = pl.when(day.isNull()).then(pl.lit(true)).otherwise(day.ltEq(lastDay));
  return text.str.contains(DATE).and(text.str.extract(DATE, 1).neq(pl.lit("0000"))).and(whole);
}

function asRead(column: Expr, described: TableColumn & { readonly dtype: CastColumns["read"] }): CastColumns {
  return { columns: [described], expressions: [column], read: described.dtype };
}

function listOf(pl: Polars, text: Expr): Expr {
  const tidy = text.str.replaceAll(`${BLANKS};[; \\t\\n\\r]*`, ";").str.stripChars("; \t\n\r");
  const items = tidy.str.split(";");
  return pl.when(tidy.eq(pl.lit(""))).then(items.lst.head(0)).otherwise(items);
}

function datePieces(pl: Polars, text: Expr) {
  const piece = (group: number) => text.str.extract(DATE, group);
  const year = piece(1).cast(pl.Int32);
  const month = piece(2).cast(pl.Int32);
  const day = piece(3).cast(pl.Int32);
  const divides = (number: number) => year.modulo(pl.lit(number)).eq(pl.lit(0));
  const leap = divides(4).and(divides(100).not().or(divides(400)));
  const lastDay = pl.when(month.eq(pl.lit(2))).then(pl.when(leap).then(pl.lit(29)).otherwise(pl.lit(28)))
    .when(month.isIn([4, 6, 9, 11])).then(pl.lit(30)).otherwise(pl.lit(31));
  return { month, day, lastDay };
}

function withDates(pl: Polars, text: Expr, field: string): CastColumns {
  const [earliest, latest, precision] = dateColumnNames(field);
  const { month, day, lastDay } = datePieces(pl, text);
  const year = text.str.extract(DATE, 1);
  const two = (number: Expr, otherwise: number) =>
    number.fillNull(pl.lit(otherwise)).cast(pl.Int32).cast(pl.String).str.zFill(2);
  const on = (monthNumber: Expr, dayNumber: Expr) =>
    pl.when(isDate(pl, text))
      .then(pl.concatString([year, monthNumber, dayNumber], "-")).otherwise(pl.lit(null))
      .str.strptime(pl.Date, "%Y-%m-%d");
  const lastOfMonth = pl.when(month.isNull()).then(pl.lit(31)).otherwise(lastDay);
  const known = pl.when(month.isNull()).then(pl.lit("year")).when(day.isNull()).then(pl.lit("month"))
    .otherwise(pl.lit("day"));
  return {
    columns: [
      { name: field, field, type: "date", dtype: "String" },
      { name: earliest, field, type: "date", dtype: "Date" },
      { name: latest, field, type: "date", dtype: "Date" },
      { name: precision, field, type: "date", dtype: "String" },
    ],
    expressions: [
      text,
      on(two(month, 1), two(day, 1)).alias(earliest),
      on(two(month, 12), day.fillNull(lastOfMonth).cast(pl.Int32).cast(pl.String).str.zFill(2)).alias(latest),
      pl.when(isDate(pl, text)).then(known).otherwise(pl.lit(null)).alias(precision),
    ],
    read: "String",
  };
}
