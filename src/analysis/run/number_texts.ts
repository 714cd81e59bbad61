/** Numbers that a column holds as texts, and texts of numbers: read as everywhere in the toolkit, each once. */
import type { Expr, LazyDataFrame } from "nodejs-polars";
import { isMissing, readDecimal } from "@seqreg/core/contract/values";
import type { OpenSource, Polars } from "../source/source.ts";
import type { SourceColumn } from "../source/source_column.ts";
import { describeMeaning, type Role } from "../source/roles.ts";
import { count, counted, does } from "../chart/words.ts";
import { Outliers } from "./plausible.ts";
import { exactColumn } from "@seqreg/core/engine/frames";

const [TEXT, NUMBER, ROWS, VALUE] = ["seqreg_text", "seqreg_number", "seqreg_rows", "seqreg_value"];

/** Units that values may have where the definitions are not known. */
const UNITS: Readonly<Partial<Record<Role, string>>> = { length: "bp", gc: "%", ambiguous: "bp" };

export interface NumberTexts {
  readonly column: SourceColumn;
  /** Numbers by their texts. */
  readonly numbers: ReadonlyMap<string, number>;
  /** Records with a word for a missing value, or white space. */
  readonly missing: number;
  /** Records with a text. */
  readonly filled: number;
  /** What is neither, by text. */
  readonly unreadable: Outliers;
}

export async function readNumberTexts(
  pl: Polars,
  source: OpenSource,
  { column, role, signal }: { readonly column: SourceColumn; readonly role: Role; readonly signal?: AbortSignal },
): Promise<NumberTexts> {
  const texts = source.scan().select(exactColumn(pl, column.name).alias(TEXT)).filter(pl.col(TEXT).isNotNull());
  const distinct = await source.collect(texts.groupBy(TEXT).agg(pl.len().alias(ROWS)), { signal });
  const { units = {} } = source;
  const unit = (Object.hasOwn(units, column.field) ? units[column.field] : UNITS[role]) ?? "";
  const numbers = new Map<string, number>();
  const unreadable = new Outliers();
  let missing = 0;
  let filled = 0;
  for (const row of distinct.toRecords()) {
    const [text, records] = [String(row[TEXT]), Number(row[ROWS])];
    filled += records;
    const number = readDecimal(text, unit);
    if (isMissing(text)) missing += records;
    else if (number === undefined) unreadable.add(text, records);
    else numbers.set(text, number);
  }
  return { column, numbers, missing, filled, unreadable };
}

/** Returns the source with the numbers in place of a column's texts; null for other texts. */
export function withNumbers(
  pl: Polars,
  source: OpenSource,
  { column, numbers }: { readonly column: SourceColumn; readonly numbers: ReadonlyMap<string, number> },
): OpenSource {
  const isWhole = [...numbers.values()].every(Number.isSafeInteger);
  const frame = pl.DataFrame([
    pl.Series(TEXT, [...numbers.keys()], pl.String),
    pl.Series(NUMBER, [...numbers.values()], pl.Float64).cast(isWhole ? pl.Int64 : pl.Float64),
  ]);
  return withColumn(source, {
    column: { ...column, type: isWhole ? "integer" : "float", dtype: isWhole ? "Int64" : "Float64" },
    rows: (scanned) => scanned.join(frame.lazy(), { leftOn: column.name, rightOn: TEXT, how: "left" }),
    value: pl.col(NUMBER),
    pl,
  });
}

/** Returns the source with texts in place of a column's numbers, `1.5` and `2016`; null for NaN. */
export async function withTexts(
  pl: Polars,
  source: OpenSource,
  { column, signal }: { readonly column: SourceColumn; readonly signal?: AbortSignal },
): Promise<OpenSource> {
  const value = exactColumn(pl, column.name).cast(pl.Float64);
  const tally = source.scan().select(value.alias(NUMBER)).groupBy(NUMBER).agg(pl.len().alias(ROWS));
  const found = (await source.collect(tally, { signal })).getColumn(NUMBER).toArray();
  const numbers = [...new Set(found.filter((one) => typeof one === "number" && !Number.isNaN(one)))];
  const frame = pl.DataFrame([
    pl.Series(NUMBER, numbers, pl.Float64),
    pl.Series(TEXT, numbers.map(String), pl.String),
  ]);
  return withColumn(source, {
    column: { ...column, type: "string", dtype: "String" },
    rows: (scanned) =>
      scanned.withColumns(value.alias(VALUE)).join(frame.lazy(), { leftOn: VALUE, rightOn: NUMBER, how: "left" }),
    value: pl.col(TEXT),
    pl,
  });
}

/** Returns the source with another column in place of one of the same name, whose files tell nothing of it. */
function withColumn(
  source: OpenSource,
  { pl, column, rows, value }: {
    readonly pl: Polars;
    readonly column: SourceColumn;
    readonly rows: (scanned: LazyDataFrame) => LazyDataFrame;
    readonly value: Expr;
  },
): OpenSource {
  const selected = source.columns.map(({ name }) => name === column.name ? value.alias(name) : exactColumn(pl, name));
  let replaced: LazyDataFrame | undefined;
  const { files: _files, ...rest } = source;
  return {
    ...rest,
    columns: source.columns.map((one) => one.name === column.name ? column : one),
    scan: () => replaced ??= rows(source.scan()).select(...selected),
  };
}

/** Explains why a column is not used for a role of numbers: which of its values keep it text, and how to use it. */
export function whyText(role: Role, { column: { name }, unreadable, filled }: NumberTexts): string {
  const { records } = unreadable;
  const why = records === 0
    ? "although all of its values are numbers"
    : `since ${count(records)} of ${counted(filled, "values")} ${
      does(records, "are")
    } not numbers (${unreadable.list()})`;
  const text = JSON.stringify(name);
  return `${text}, the field for the ${describeMeaning(role)}, is text, ${why}. To use it, with what is not a number ` +
    `left out and counted: { fields: { ${role}: ${text} } }, or --field ${role}=${text} on the command line`;
}
