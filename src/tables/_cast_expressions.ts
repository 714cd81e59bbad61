/**
 * The rules of `cast.ts` as polars expressions, for tables too large for JavaScript.
 *
 * Each type has a quick cast that takes nearly every value. What it does not take goes, as a column that is null nearly
 * everywhere, through a pattern; it stays beside the typed column as raw text. A test holds both forms of the rules to
 * each other.
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
  /** Their expressions, then that of the raw column if there is one. */
  readonly expressions: readonly Expr[];
  /** Name of the column of raw texts that the quick cast did not take. */
  readonly raw: string | undefined;
}

const BLANKS = "[ \\t\\n\\r]*";
const UNKNOWN = "(?:XX|xx|00)";
const DATE = `^${BLANKS}([0-9]{4})(?:-(?:${UNKNOWN}(?:-${UNKNOWN})?|(0[1-9]|1[0-2])` +
  `(?:-(?:${UNKNOWN}|(0[1-9]|[12][0-9]|3[01])(?:[T ][0-9:.]+(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?))?))?${BLANKS}$`;

/** Name of the column that holds what the quick cast of a field did not take; none of the names that are taken. */
export function rawName(field: string, taken: readonly string[]): string {
  let name = `${field} (raw)`;
  while (taken.includes(name)) name += "'";
  return name;
}

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
  const unit = definition?.unit ?? "";
  const raw = rawName(field, taken);
  switch (type) {
    case "integer":
      return quickly(
        pl,
        field,
        raw,
        type,
        "Int64",
        text.cast(pl.Int64),
        (odd) => odd.str.extract(integer(unit), 1).cast(pl.Int64),
      );
    case "float": {
      const finite = (value: Expr) => pl.when(value.isFinite()).then(value).otherwise(pl.lit(null));
      return quickly(
        pl,
        field,
        raw,
        type,
        "Float64",
        finite(text.cast(pl.Float64)),
        (odd) => finite(odd.str.extract(float(unit), 1).cast(pl.Float64)),
      );
    }
    case "boolean":
      return quickly(
        pl,
        field,
        raw,
        type,
        "Bool",
        truth(pl, (word) => text.eq(pl.lit(word ? "true" : "false"))),
        (odd) => truth(pl, (word) => odd.str.contains(word ? TRUE : FALSE)),
      );
    case "list":
      return {
        columns: [{ name: field, field, type, dtype: "List(String)" }],
        expressions: [listOf(pl, text).alias(field)],
        raw: undefined,
      };
    case "date":
      if (dates === "text") return asText(text, field, type);
      checkDateNames(field, taken);
      return withDates(pl, text, field);
    case "string":
      return asText(text, field, type);
  }
}

/** Whether a text is a date, an expression that is null for null. */
export function isDate(pl: Polars, text: Expr): Expr {
  const { day, lastDay } = datePieces(pl, text);
  const whole = pl.when(day.isNull()).then(pl.lit(true)).otherwise(day.ltEq(lastDay));
  return text.str.contains(DATE).and(text.str.extract(DATE, 1).neq(pl.lit("0000"))).and(whole);
}

function asText(text: Expr, field: string, type: "string" | "date"): CastColumns {
  return { columns: [{ name: field, field, type, dtype: "String" }], expressions: [text], raw: undefined };
}

function quickly(
  pl: Polars,
  field: string,
  raw: string,
  type: "integer" | "float" | "boolean",
  dtype: "Int64" | "Float64" | "Bool",
  quick: Expr,
  slowly: (odd: Expr) => Expr,
): CastColumns {
  const odd = pl.when(quick.isNull()).then(pl.col(field)).otherwise(pl.lit(null));
  return {
    columns: [{ name: field, field, type, dtype }],
    expressions: [quick.fillNull(slowly(odd)).alias(field), odd.alias(raw)],
    raw,
  };
}

function integer(unit: string): string {
  return `^${BLANKS}([+-]?[0-9]+)(?:\\.0*)?${unitPattern(unit)}${BLANKS}$`;
}

function float(unit: string): string {
  return `^${BLANKS}([+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?)${unitPattern(unit)}${BLANKS}$`;
}

function unitPattern(unit: string): string {
  return unit === "" ? "" : `(?:[ \\t]*${unit.replace(/[^A-Za-z0-9 ]/g, (letter) => escaped(letter))})?`;
}

function escaped(letter: string): string {
  return `\\x{${letter.codePointAt(0)!.toString(16)}}`;
}

const TRUE = `^${BLANKS}(?:[tT][rR][uU][eE]|[tT]|[yY][eE][sS]|[yY]|1)${BLANKS}$`;
const FALSE = `^${BLANKS}(?:[fF][aA][lL][sS][eE]|[fF]|[nN][oO]|[nN]|0)${BLANKS}$`;

function truth(pl: Polars, is: (word: boolean) => Expr): Expr {
  return pl.when(is(true)).then(pl.lit(true)).when(is(false)).then(pl.lit(false)).otherwise(pl.lit(null));
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
    raw: undefined,
  };
}
