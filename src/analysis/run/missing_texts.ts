/** Rows of a text column with placeholders, counted by the engine. */
import type { Expr } from "nodejs-polars";
import type { SourceColumn } from "../source/source_column.ts";
import type { Run } from "./run.ts";
import { BLANK, MISSING_PATTERN, missingKind } from "./texts.ts";

/** Rows of one group with placeholders. */
export interface MissingTexts {
  /** Rows that hold an empty text, or white space. */
  blank: number;
  /** Rows that hold a word such as `?` or `not collected`. */
  placeholder: number;
  /** How many different texts these are. */
  texts: number;
}

/** What runs queries. */
type Engine = Pick<Run, "pl" | "collect" | "source">;

const [TEXT, GROUP, ROWS] = ["seqreg_text", "seqreg_group", "seqreg_rows"];

/** Counts the rows of a text column with placeholders. */
export async function countMissingTexts(run: Engine, column: string): Promise<MissingTexts> {
  return (await missingTextsBy(run, column)).get(null) ?? { blank: 0, placeholder: 0, texts: 0 };
}

/** Counts the same by a text. */
export async function missingTextsBy(
  run: Engine,
  column: string,
  by?: Expr,
): Promise<Map<string | null, MissingTexts>> {
  const { pl } = run;
  const group = by ?? pl.lit(null).cast(pl.String);
  const rows = run.source.scan().select(pl.col(column).alias(TEXT), group.alias(GROUP))
    // The few texts that may be meant are then read one by one.
    .filter(pl.col(TEXT).str.contains(MISSING_PATTERN));
  const counts = new Map<string | null, MissingTexts>();
  for (const row of (await run.collect(rows.groupBy([GROUP, TEXT]).agg(pl.len().alias(ROWS)))).toRecords()) {
    const kind = missingKind(String(row[TEXT]));
    if (kind === 0) continue;
    const key = row[GROUP] === null ? null : String(row[GROUP]);
    const known = counts.get(key) ?? { blank: 0, placeholder: 0, texts: 0 };
    counts.set(key, known);
    known[kind === BLANK ? "blank" : "placeholder"] += Number(row[ROWS]);
    known.texts++;
  }
  return counts;
}

/** Rows of float columns with NaN, by column. */
export async function countNotNumbers(
  run: Engine,
  columns: readonly SourceColumn[],
): Promise<Map<string, number>> {
  const { pl } = run;
  const floats = columns.filter(({ dtype }) => /^Float/.test(dtype)).map(({ name }) => name);
  if (floats.length === 0) return new Map();
  const isNaN = (name: string) => pl.col(name).isNan().fillNull(pl.lit(false));
  // Only the few rows that hold one are more than looked at.
  const rows = run.source.scan().filter(floats.map(isNaN).reduce((a, b) => a.or(b)));
  const [found] = (await run.collect(rows.select(...floats.map((name) => isNaN(name).sum().alias(name))))).toRecords();
  return new Map(floats.map((name) => [name, Number(found[name])]));
}
