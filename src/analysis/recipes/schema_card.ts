/**
 * What each field is declared to be, and what is in it.
 *
 * @module
 */
import { checkOptions } from "../../contract/options/check_options.ts";
import type { OptionRules } from "../../contract/options/option_rule.ts";
import * as rule from "../../contract/options/rules.ts";
import { ANALYSIS_OPTIONS } from "../run/analysis_options.ts";
import type { DataFrame } from "nodejs-polars";
import { listSome } from "../../contract/ledger.ts";
import { Analysis, type AnalysisOptions } from "../run/analysis.ts";
import { ColumnFacts } from "../run/column_facts.ts";
import { countDistinct, FEW } from "../run/distinct.ts";
import { Run } from "../run/run.ts";
import type { Role } from "../source/roles.ts";
import type { AnalysisSource } from "../source/source.ts";
import { count, counted, decimal } from "../chart/words.ts";

/** Options of {@linkcode schemaCard}. */
export interface SchemaCardOptions extends AnalysisOptions {
  /**
   * Whether distinct values are always counted exactly: `all` is exact whatever it costs; `few` (the default) says of a
   * table with more than a million rows only that there are more than 10,000, where there are.
   */
  readonly distinct?: "few" | "all";
}

/** The rules of {@linkcode SchemaCardOptions}. */
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

/** Longest example, in letters. */
const EXAMPLE_LETTERS = 60;
/** Rows in which an example is looked for before all. */
const EXAMPLE_ROWS = 1000;

/**
 * A table of the fields: declared type, type in the frame, unit, values, share of empty ones, values that do not fit the
 * declared type, distinct values, whether the field is a key (every record has a value of its own), and an example.
 *
 * @param source A frame, a result of a registry, or a lake.
 * @param options How far distinct values are counted.
 * @returns Fields × `field`, `declared`, `frame_type`, `unit` (String; null for none), `values` (Int64), `empty_percent`
 * (Float64), `misfits` (Int64; null where they were not counted, as outside a lake), `distinct` (Int64; null for lists,
 * and for more than 10,000 in a table of more than a million rows), `is_key` (`yes` or `no`), `example` (the first
 * value), in the order of the fields. There is no chart: it is a table.
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
  using facts = ColumnFacts.open(run.source.files);
  const records = facts?.rows ?? run.countRows();
  const firstRows = run.collect(run.source.scan().limit(EXAMPLE_ROWS));
  const { units = {}, misfits } = run.source;
  const filled = new Map(columns.map(({ name }) => [
    name,
    records -
    (facts?.nulls(name) ??
      run.countRows(run.source.scan().select(run.pl.col(name)).filter(run.pl.col(name).isNull()))),
  ]));
  const distinct = countDistinct(
    run,
    new Map(columns.filter(({ dtype }) => !isList(dtype)).map(({ name }) => [name, filled.get(name)!])),
    { records, facts, all: options.distinct === "all" },
  );
  const uncounted: string[] = [];
  const rows = columns.map(({ name, type, dtype }) => {
    const values = filled.get(name)!;
    const known = distinct.get(name) ?? { distinct: null, isKey: false };
    if (known.distinct === null && !isList(dtype)) uncounted.push(name);
    return {
      field: name,
      declared: type,
      frame_type: dtype,
      unit: units[name] ?? null,
      values,
      empty_percent: records === 0 ? null : Number(decimal((records - values) / records * 100, 2)),
      misfits: misfits === undefined ? null : misfits[name] ?? 0,
      distinct: known.distinct,
      is_key: known.isKey ? "yes" : "no",
      example: values === 0 ? null : exampleOf(run, firstRows, name),
    };
  });
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
  const misfit = rows.filter(({ misfits }) => misfits !== null && misfits > 0);
  if (misfit.length > 0) {
    run.note(
      `Values that do not fit the declared type are empty in the frame: ${
        listSome(misfit.map(({ field, misfits }) => `${field} (${count(misfits ?? 0)})`), 60)
      }. They are kept as problems`,
    );
  }
  return new Analysis({ title, frame: run.frame(rows), chart: undefined, notes: run.notes });
}

function isList(dtype: string): boolean {
  return dtype.startsWith("List");
}

/** The first value of a column as text. */
function exampleOf(run: Run<Role>, firstRows: DataFrame, name: string): string | null {
  const { pl } = run;
  const text = (frame: DataFrame) => {
    const value = frame.getColumn(name).dropNulls().head(1).toArray()[0];
    return value === undefined || value === null ? null : Array.isArray(value) ? value.join("; ") : String(value);
  };
  const found = text(firstRows) ??
    text(run.collect(run.source.scan().select(pl.col(name)).filter(pl.col(name).isNotNull()).limit(1)));
  return found === null ? null : found.slice(0, EXAMPLE_LETTERS).toWellFormed();
}
