/** Numbers that a column holds as texts: read as everywhere in the toolkit, and what is no number counted apart. */
import type { LazyDataFrame } from "nodejs-polars";
import { isMissing, readDecimal } from "@seqreg/core/contract/values";
import type { OpenSource, Polars } from "../source/source.ts";
import type { SourceColumn } from "../source/source_column.ts";
import { describeMeaning, type Role } from "../source/roles.ts";
import { count, counted, does } from "../chart/words.ts";
import { Outliers } from "./plausible.ts";
import { exactColumn } from "@seqreg/core/engine/frames";

const [TEXT, NUMBER, ROWS] = ["seqreg_text", "seqreg_number", "seqreg_rows"];

/** Units that values may have where the definitions are not known. */
const UNITS: Readonly<Partial<Record<Role, string>>> = { length: "bp", gc: "%", ambiguous: "bp" };

/** What a column of texts holds. */
export interface NumberTexts {
  /** The column. */
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

/** Reads the distinct texts of a column. */
export async function readNumberTexts(
  pl: Polars,
  source: OpenSource,
  { column, role, signal }: { readonly column: SourceColumn; readonly role: Role; readonly signal?: AbortSignal },
): Promise<NumberTexts> {
  const texts = source.scan().select(exactColumn(pl, column.name).alias(TEXT)).filter(pl.col(TEXT).isNotNull());
  const distinct = await source.collect(texts.groupBy(TEXT).agg(pl.len().alias(ROWS)), { signal });
  const unit = source.units?.[column.field] ?? UNITS[role] ?? "";
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

/** Returns the source with the numbers in place of a column's texts; null for what is none. */
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
  const selected = source.columns.map(({ name }) =>
    name === column.name ? pl.col(NUMBER).alias(name) : exactColumn(pl, name)
  );
  let rows: LazyDataFrame | undefined;
  const { files: _files, ...rest } = source;
  return {
    ...rest,
    columns: source.columns.map((one) =>
      one.name === column.name
        ? { ...one, type: isWhole ? "integer" : "float", dtype: isWhole ? "Int64" : "Float64" }
        : one
    ),
    scan: () =>
      rows ??= source.scan().join(frame.lazy(), { leftOn: column.name, rightOn: TEXT, how: "left" }).select(
        ...selected,
      ),
  };
}

/** Says why a column is not used for a role of numbers: which of its values keep it text, and how to use it. */
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
