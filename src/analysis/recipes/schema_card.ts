/** What each field is declared to be, and what is in it. */
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { ANALYSIS_OPTIONS } from "../run/analysis_options.ts";
import type { DataFrame } from "nodejs-polars";
import { listSome } from "@seqreg/core/contract/ledger";
import { Analysis, type AnalysisOptions } from "../run/analysis.ts";
import type { ColumnFacts } from "@seqreg/core/engine/local/column_facts";
import { countDistinct, countsValuesAlone, FEW } from "../run/distinct.ts";
import { GroupedRows } from "../run/gap_counts.ts";
import { countMissingTexts, countNotNumbers, countNulls, missingInFiles } from "../run/missing_texts.ts";
import { Run } from "../run/run.ts";
import { isMissing } from "@seqreg/core/contract/values";
import { MISSING_PATTERN, MISSING_TEST } from "../source/texts.ts";
import type { Role } from "../source/roles.ts";
import type { AnalysisSource } from "../source/source.ts";
import type { SourceColumn } from "../source/source_column.ts";
import { count, counted, decimal } from "../chart/words.ts";
import { exactColumn, isListType, isTextType, membersOf } from "@seqreg/core/engine/frames";

/** Options of {@linkcode schemaCard}. */
export interface SchemaCardOptions extends AnalysisOptions {
  /**
   * Whether distinct values are always counted exactly: `all` is always exact; `few` (the default) reports for a table
   * with more than a million rows only whether there are more than 10,000, and counts words such as `?` as values; a
   * note lists the columns that may have them.
   */
  readonly distinct?: "few" | "all";
}

export const SCHEMA_CARD_OPTIONS = {
  ...ANALYSIS_OPTIONS,
  distinct: rule.oneOf(["few", "all"]),
} satisfies OptionRules<SchemaCardOptions>;

const SHAPE = {
  field: "String",
  declared: "String",
  frame_type: "String",
  unit: "String",
  values: "Int64",
  empty_percent: "Float64",
  misfits: "Int64",
  distinct: "Int64",
  is_key: "String",
  example: "String",
} as const;

const EXAMPLE_LETTERS = 60;
/** Rows in which an example is looked for before all. */
const EXAMPLE_ROWS = 1000;

/**
 * A table of the fields: declared type, type in the frame, unit, values, share of empty ones, values that do not fit
 * the declared type, distinct values, whether the field is a key (every record has a value of its own), and an example.
 *
 * @param source A frame, a result of a registry, or a lake.
 * @param options How far distinct values are counted.
 * @returns Fields × `field`, `declared`, `frame_type`, `unit` (String; null without one), `values` (Int64; placeholders
 * such as `?`, an empty text or `not collected` do not count), `empty_percent` (Float64), `misfits` (Int64; null where
 * they were not counted, as outside a lake), `distinct` (Int64; null for lists, and for more than 10,000 in a table of
 * more than a million rows), `is_key` (`yes` or `no`), `example` (the first value), in the order of the fields. It is a
 * table without a chart.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { schemaCard } from "./schema_card.ts";
 *
 * const { frame } = await schemaCard(pl.DataFrame({ Isolate: ["a", "a"], Accession: ["1", "2"] }));
 *
 * assertEquals(frame.getColumn("is_key").toArray(), ["no", "yes"]);
 * ```
 */
export async function schemaCard(source: AnalysisSource, options: SchemaCardOptions = {}): Promise<Analysis> {
  checkOptions("schemaCard()", options, SCHEMA_CARD_OPTIONS);
  const title = "Fields and what is in them";
  const run = await Run.start(source, options, { title, shape: SHAPE, needs: [] });
  const columns = run.source.columns.filter(({ name, field }) => name === field);
  if (columns.length === 0) return run.stop("There is nothing to show: the data has no fields");
  using facts = run.facts();
  const records = facts?.rows ?? await run.countRows();
  const firstRows = await run.collect(run.source.scan().limit(EXAMPLE_ROWS));
  const { units = {}, misfits } = run.source;
  const isCheap = countsValuesAlone(run, { records, facts, all: options.distinct === "all" });
  const notNumbers = isCheap ? new Map<string, number>() : await countNotNumbers(run, columns);
  const names = columns.map(({ name }) => name);
  const nulls = await countNulls(run, names, facts);
  // Placeholders do not count as values.
  const missing = isCheap ? new Map<string, Placeholders>() : await placeholdersOf(run, columns, { nulls, facts });
  const filled = new Map(names.map((name) => {
    const less = nulls.get(name)! + (missing.get(name)?.rows ?? 0) + (notNumbers.get(name) ?? 0);
    return [name, records - less];
  }));
  const wordsOf = new Map([...missing].map(([name, { texts }]) => [name, texts]));
  // NaN is one of the distinct numbers, and no value.
  for (const [name, rows] of notNumbers) if (rows > 0) wordsOf.set(name, 1);
  const distinct = await countDistinct(
    run,
    new Map(columns.filter(({ dtype }) => !isListType(dtype)).map(({ name }) => [name, filled.get(name)!])),
    wordsOf,
    { records, facts, all: options.distinct === "all", ...isCheap && { test: MISSING_TEST } },
  );
  const uncounted: string[] = [];
  const rows = [];
  for (const column of columns) {
    const { name, type, dtype } = column;
    const values = filled.get(name)!;
    const known = distinct.get(name) ?? { distinct: null, isKey: false };
    if (known.distinct === null && !isListType(dtype)) uncounted.push(name);
    rows.push({
      field: name,
      declared: type,
      frame_type: dtype,
      unit: ownValue(units, name) ?? null,
      values,
      empty_percent: records === 0 ? null : Number(decimal((records - values) / records * 100, 2)),
      misfits: misfits === undefined ? null : ownValue(misfits, name) ?? 0,
      distinct: known.distinct,
      is_key: known.isKey ? "yes" : "no",
      example: values === 0 ? null : await exampleOf(run, firstRows, column),
    });
  }
  const keys = rows.filter(({ is_key }) => is_key === "yes").map(({ field }) => field);
  run.note(
    keys.length === 0
      ? "No field is a key: joining on any of them can multiply rows"
      : `Join on ${keys.join(" or ")}: in these ${
        counted(records, "records")
      } each value stands once. Joining on any other field can multiply rows`,
  );
  if (uncounted.length > 0) {
    run.note(
      `More than ${count(FEW)} distinct values, not counted further: ${listSome(uncounted, 60)}. ` +
        '{ distinct: "all" } counts them',
    );
  }
  const unread = columns.filter(({ name, dtype }) => isTextType(dtype) && distinct.get(name)?.mayHold).map(({ name }) =>
    name
  );
  if (unread.length > 0) {
    run.note(
      `Words such as "?" and "unknown" count as values in ${listSome(unread, 60)}, which may hold them: the table is ` +
        'large. { distinct: "all" } counts them as missing, as fieldCompleteness does',
    );
  }
  // A date keeps its text, and only what is read from it is empty; of other types the value itself is.
  for (const isDate of [false, true]) {
    const misfit = rows.filter(({ declared, misfits }) =>
      misfits !== null && misfits > 0 && (declared === "date") === isDate
    );
    if (misfit.length === 0) continue;
    const names = listSome(misfit.map(({ field, misfits }) => `${field} (${count(misfits ?? 0)})`), 60);
    run.note(
      isDate
        ? `Values that are not dates keep their text in the frame, and their earliest and latest day are null: ${names}. ` +
          "They are kept as problems"
        : `Values that do not fit the declared type are empty in the frame: ${names}. They are kept as problems`,
    );
  }
  return new Analysis({ title, frame: run.frame(rows), chart: undefined, notes: [...run.filterNotes, ...run.notes] });
}

/** The value of a field, whose name may be that of a member of every object. */
function ownValue<Value>(values: Readonly<Record<string, Value>>, field: string): Value | undefined {
  return Object.hasOwn(values, field) ? values[field] : undefined;
}

/** Rows of a text column with placeholders, and the number of different ones. */
interface Placeholders {
  readonly rows: number;
  readonly texts: number;
}

/** Counts the placeholders of text columns; columns without any may be left out. */
async function placeholdersOf(
  run: Run,
  columns: readonly SourceColumn[],
  { nulls, facts }: { readonly nulls: ReadonlyMap<string, number>; readonly facts: ColumnFacts | undefined },
): Promise<Map<string, Placeholders>> {
  const rows = facts && GroupedRows.whole(facts);
  const found = new Map<string, Placeholders>();
  const left: string[] = [];
  for (const { name, dtype } of columns) {
    if (!isTextType(dtype) || facts?.mayHold(name, MISSING_TEST) === false) continue;
    const gaps = rows && await missingInFiles(run, rows, name);
    if (gaps === undefined) left.push(name);
    else found.set(name, { rows: gaps.empty[0] - nulls.get(name)! + gaps.holding[0], texts: gaps.texts.size });
  }
  for (const [name, { blank, placeholder, texts }] of await countMissingTexts(run, left)) {
    found.set(name, { rows: blank + placeholder, texts });
  }
  return found;
}

/** The first value of a column as text. */
async function exampleOf(
  run: Run<Role>,
  firstRows: DataFrame,
  { name, dtype }: SourceColumn,
): Promise<string | null> {
  const { pl } = run;
  const text = (frame: DataFrame) => {
    const values: readonly unknown[] = membersOf(frame).getColumn(name).dropNulls().toArray();
    for (const value of values) {
      const text = Array.isArray(value) ? value.join("; ") : value instanceof Date ? textOf(value) : String(value);
      if (!isMissing(text)) return text;
    }
    return undefined;
  };
  const filled = run.source.scan().select(exactColumn(pl, name)).filter(exactColumn(pl, name).isNotNull());
  const said = isTextType(dtype) ? filled.filter(exactColumn(pl, name).str.contains(MISSING_PATTERN).not()) : filled;
  const found = text(firstRows) ?? text(await run.collect(filled.limit(1))) ?? text(await run.collect(said.limit(1)));
  return found === undefined ? null : found.slice(0, EXAMPLE_LETTERS).toWellFormed();
}

/** A day, or a time in UTC, wherever the machine stands. */
function textOf(time: Date): string {
  return time.toISOString().replace(/T00:00:00\.000Z$/, "");
}
