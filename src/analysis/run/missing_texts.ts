/** Rows without a value, or with a placeholder, counted by the engine. */
import type { Expr } from "nodejs-polars";
import type { SourceColumn } from "../source/source_column.ts";
import type { ColumnFacts } from "@seqreg/core/engine/local/column_facts";
import type { Run } from "./run.ts";
import { valueWords } from "../source/text_keys.ts";
import type { Gaps, GroupedRows } from "./gap_counts.ts";
import { BLANK, MISSING_PATTERN, MISSING_TEST, missingKind } from "../source/texts.ts";
import { exactColumn } from "@seqreg/core/engine/frames";

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
type GapRun = Pick<Run, "pl" | "collect" | "collectEach" | "source" | "abilities" | "options" | "note">;

const [COLUMN, TEXT, GROUP, ROWS] = ["seqreg_column", "seqreg_text", "seqreg_group", "seqreg_rows"];

/** Counts the rows of text columns with placeholders, by column; columns without any are left out. */
export async function countMissingTexts(run: GapRun, columns: readonly string[]): Promise<Map<string, MissingTexts>> {
  const counts = new Map<string, MissingTexts>();
  for (const [name, groups] of await missingTextsBy(run, columns)) counts.set(name, groups.get(null)!);
  return counts;
}

/** Counts the same by a text of each row. */
export async function missingTextsBy(
  run: GapRun,
  columns: readonly string[],
  by?: Expr,
): Promise<Map<string, Map<string | null, MissingTexts>>> {
  const { pl } = run;
  const group = by ?? pl.lit(null).cast(pl.String);
  const mayBe = (name: string) => exactColumn(pl, name).str.contains(MISSING_PATTERN);
  // Where queries take long to start, one pass over all columns leaves few of them.
  const some = run.abilities.collectsColumns ? columns : await columnsWith(run, columns, mayBe);
  const rows = some.map((name) =>
    run.source.scan().select(exactColumn(pl, name).alias(TEXT), group.alias(GROUP))
      // The few texts that may be meant are then read one by one.
      .filter(mayBe(TEXT))
      .groupBy([GROUP, TEXT]).agg(pl.len().alias(ROWS)).withColumns(pl.lit(name).alias(COLUMN))
  );
  const counts = new Map<string, Map<string | null, MissingTexts>>();
  const found = await run.collectEach(rows);
  const values = new Map<string, ReadonlySet<string>>();
  for (const [column, some] of Map.groupBy(found, (row) => String(row[COLUMN]))) {
    values.set(column, await valueWords(run, column, some.map((row) => row[TEXT])));
  }
  for (const row of found) {
    const column = String(row[COLUMN]);
    const kind = missingKind(String(row[TEXT]), values.get(column));
    if (kind === 0) continue;
    const groups = counts.get(column) ?? new Map<string | null, MissingTexts>();
    counts.set(column, groups);
    const key = row[GROUP] === null ? null : String(row[GROUP]);
    const known = groups.get(key) ?? { blank: 0, placeholder: 0, texts: 0 };
    groups.set(key, known);
    known[kind === BLANK ? "blank" : "placeholder"] += Number(row[ROWS]);
    known.texts++;
  }
  return counts;
}

/**
 * Counts the rows of a text column without a value, and with placeholders, in the files of a lake; `undefined` where
 * the files do not tell, or where a word for missing is a value.
 */
export async function missingInFiles(run: GapRun, rows: GroupedRows, column: string): Promise<Gaps | undefined> {
  const found = rows.count(column, MISSING_TEST);
  return found === undefined || (await valueWords(run, column, [...found.texts])).size > 0 ? undefined : found;
}

/** Columns that have rows for which something holds. */
async function columnsWith(
  run: GapRun,
  columns: readonly string[],
  holds: (name: string) => Expr,
): Promise<readonly string[]> {
  if (columns.length === 0) return [];
  const sums = columns.map((name) => holds(name).fillNull(run.pl.lit(false)).sum().alias(name));
  const [found] = (await run.collect(run.source.scan().select(...sums))).toRecords();
  return columns.filter((name) => Number(found[name]) > 0);
}

/** Rows of columns without a value, by column: from the footers of a lake's files where they state it, else counted. */
export async function countNulls(
  run: GapRun,
  columns: readonly string[],
  facts: ColumnFacts | undefined,
): Promise<Map<string, number>> {
  const { pl } = run;
  const stated = new Map(columns.map((name) => [name, facts?.nulls(name)]));
  const sums = columns.filter((name) => stated.get(name) === undefined).map((name) =>
    exactColumn(pl, name).isNull().sum().alias(name)
  );
  const counted = sums.length === 0 ? {} : (await run.collect(run.source.scan().select(...sums))).toRecords()[0];
  return new Map(columns.map((name) => [name, stated.get(name) ?? Number(counted[name])]));
}

/** Rows of float columns with NaN, by column. */
export async function countNotNumbers(
  run: GapRun,
  columns: readonly SourceColumn[],
): Promise<Map<string, number>> {
  const { pl } = run;
  const floats = columns.filter(({ dtype }) => /^Float/.test(dtype)).map(({ name }) => name);
  if (floats.length === 0) return new Map();
  const isNaN = (name: string) => exactColumn(pl, name).isNan().fillNull(pl.lit(false));
  // Only the few rows that hold one are more than looked at.
  const rows = run.source.scan().filter(floats.map(isNaN).reduce((a, b) => a.or(b)));
  const [found] = (await run.collect(rows.select(...floats.map((name) => isNaN(name).sum().alias(name))))).toRecords();
  return new Map(floats.map((name) => [name, Number(found[name])]));
}
