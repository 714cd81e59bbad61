/** Which fields the records of each source leave empty. */
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { ANALYSIS_OPTIONS } from "../run/analysis_options.ts";
import { listSome } from "@seqreg/core/contract/ledger";
import type { Analysis, AnalysisOptions } from "../run/analysis.ts";
import { GroupedRows } from "../run/gap_counts.ts";
import { type MatrixCell, matrixSpec } from "../chart/matrix.ts";
import { missingInFiles, missingTextsBy } from "../run/missing_texts.ts";
import { notePlaceNames } from "../run/place_names_note.ts";
import { Run } from "../run/run.ts";
import { keyOf, MISSING_TEST } from "../source/texts.ts";
import type { Role } from "../source/roles.ts";
import type { AnalysisSource } from "../source/source.ts";
import type { SourceColumn } from "../source/source_column.ts";
import { readTexts } from "../source/text_keys.ts";
import { NEUTRAL_COLOUR, SEQUENCE_COLOURS } from "../chart/palette.ts";
import { count, counted, label, labels, percent } from "../chart/words.ts";
import { exactColumn, isListType, isTextType } from "@seqreg/core/engine/frames";

/** Options of {@linkcode completenessBySource}. */
export interface CompletenessBySourceOptions extends AnalysisOptions {
  /** What divides the records: the database that they came from (the default), or another field. */
  readonly by?: "dataSource" | "submitterCountry" | "country" | "molecule" | "completeness" | "family" | "host";
  /** How many sources are shown by name, those with most records; 10 by default, 20 at most. */
  readonly top?: number;
}

export const COMPLETENESS_BY_SOURCE_OPTIONS = {
  ...ANALYSIS_OPTIONS,
  by: rule.oneOf(["dataSource", "submitterCountry", "country", "molecule", "completeness", "family", "host"]),
  top: rule.wholeNumber({ from: 1, to: 20 }),
} satisfies OptionRules<CompletenessBySourceOptions>;

const SHAPE = {
  field: "String",
  source: "String",
  records: "Int64",
  placeholder: "Int64",
  empty: "Int64",
  missing_share: "Float64",
} as const;
const [SOURCE, EMPTY, PLACEHOLDER] = ["seqreg_source", "empty ", "placeholder "];
/** Shares up to which a class goes. */
const CLASSES = [
  { name: "0 %", most: 0, colour: SEQUENCE_COLOURS[0] },
  { name: "up to 10 %", most: 0.1, colour: SEQUENCE_COLOURS[1] },
  { name: "up to 50 %", most: 0.5, colour: SEQUENCE_COLOURS[2] },
  { name: "up to 90 %", most: 0.9, colour: SEQUENCE_COLOURS[3] },
  { name: "above 90 %", most: 1, colour: SEQUENCE_COLOURS[4] },
] as const;

/** A source's records, and those of each field that are empty or hold a placeholder. */
interface SourceCounts {
  readonly source: string;
  records: number;
  readonly empty: Map<string, number>;
  readonly placeholder: Map<string, number>;
}

/**
 * Counts for each field and source the records without a value, or with a placeholder (`?`, `unknown`).
 *
 * Fields that every record has are left out of the picture, and a note names how many; the source's own field too.
 *
 * @param source A frame, a result of a registry, or a lake.
 * @param options What divides the records, and how many are shown.
 * @returns Fields and sources × `field`, `source` (String; `other (…)` for those beyond `top`, `none stated` for
 * records without one), `records` of the source, `placeholder`, `empty` (Int64), `missing_share` of both (Float64, 0 to
 * 1), for all fields, the emptiest first; sources by falling number of records.
 * @throws {RangeError} If `top` is not between 1 and 20.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { completenessBySource } from "./completeness_by_source.ts";
 *
 * const source = pl.DataFrame({ "Data Source": ["A", "A", "B"], Host: ["pig", null, "?"] });
 *
 * assertEquals((await completenessBySource(source)).frame.getColumn("missing_share").toArray(), [0.5, 1]);
 * ```
 */
export async function completenessBySource(
  source: AnalysisSource,
  options: CompletenessBySourceOptions = {},
): Promise<Analysis> {
  checkOptions("completenessBySource()", options, COMPLETENESS_BY_SOURCE_OPTIONS);
  const { by = "dataSource", top = 10 } = options;
  const what = WORDS[by];
  const title = `Records without a value by field and ${what.one}`;
  const run = await Run.start(source, options, { title, shape: SHAPE, needs: [by] });
  if (run.absent.length > 0) return run.stop();
  const columns = run.source.columns.filter(({ name, field }) => name === field && name !== run.name(by));
  if (columns.length === 0) return run.stop("There is nothing to show: the data has no other fields");
  const bySource = await countBySource(run, by, columns);
  const all = [...bySource.values()].sort((a, b) => b.records - a.records || (a.source < b.source ? -1 : 1));
  const n = all.reduce((sum, { records }) => sum + records, 0);
  if (n === 0) return run.stop("There is nothing to show: the data has no records");
  const groups = all.map(({ source, records }) => ({ name: source, count: records }));
  run.noteCase(by, groups);
  await notePlaceNames(run, run.name(by), groups);
  const sources = [
    ...all.slice(0, top),
    ...all.length > top ? [merge(all.slice(top), `other (${counted(all.length - top, what.many)})`)] : [],
  ];
  const missing = (name: string, { empty, placeholder }: SourceCounts) =>
    (empty.get(name) ?? 0) + (placeholder.get(name) ?? 0);
  const sums = new Map(columns.map(({ name }) => [name, sources.reduce((sum, one) => sum + missing(name, one), 0)]));
  const fields = columns.map(({ name }) => name).sort((a, b) => sums.get(b)! - sums.get(a)! || (a < b ? -1 : 1));
  const rows = fields.flatMap((field) =>
    sources.map((one) => ({
      field,
      source: one.source,
      records: one.records,
      placeholder: one.placeholder.get(field) ?? 0,
      empty: one.empty.get(field) ?? 0,
      missing_share: missing(field, one) / one.records,
    }))
  );
  const shown = fields.filter((field) => sums.get(field)! > 0);
  if (shown.length === 0) {
    return run.stop(`There is nothing to show: every field of ${counted(n, "records")} has a value`, rows);
  }
  if (shown.length < fields.length) {
    run.note(`${counted(fields.length - shown.length, "fields")} without a gap are not drawn; the numbers have all`);
  }
  if (sources.length === 1) run.note(`There is one ${what.one} alone: nothing can be compared`);
  const cells = shown.flatMap((field, rowAt) =>
    sources.map((one, columnAt) => ({ rowAt, columnAt, row: field, column: one.source, records: missing(field, one) }))
  );
  const records = new Map(sources.map((one) => [one.source, one.records]));
  const share = (cell: MatrixCell) => cell.records / records.get(cell.column)!;
  const look = {
    text: (cell: MatrixCell) => shortPercent(share(cell)),
    colourOf: (cell: MatrixCell) => CLASSES.find(({ most }) => share(cell) <= most)?.colour ?? NEUTRAL_COLOUR,
  };
  const { spec } = matrixSpec(
    { cells, rows: shown, columns: sources.map((one) => one.source) },
    { rows: "field", columns: what.one, look },
  );
  const names = labels(sources.map((one) => one.source));
  return await run.finish(rows, {
    counts: { n },
    meta: {
      title,
      subtitle: `Cells: % of the records of the column without a value. Records: ${
        listSome(sources.map((one, index) => `${names[index]} ${count(one.records)}`), 5)
      }`,
      legendTitle: "without a value",
      legend: CLASSES.map(({ name, colour }) => ({ label: name, colour })),
      description: `Cells of the share of ${
        counted(n, "records")
      } without a value, by field and ${what.one}. Emptiest: ${label(shown[0])}, ${
        percent(sums.get(shown[0])!, n)
      } without.`,
    },
    spec,
  });
}

const WORDS: Readonly<Record<NonNullable<CompletenessBySourceOptions["by"]>, { one: string; many: string }>> = {
  dataSource: { one: "source", many: "sources" },
  submitterCountry: { one: "submitter's country", many: "countries" },
  country: { one: "country", many: "countries" },
  molecule: { one: "molecule type", many: "types" },
  completeness: { one: "completeness", many: "kinds" },
  family: { one: "family", many: "families" },
  host: { one: "host", many: "hosts" },
};

/** Counts empty values and placeholders of every column for each source. What files of a lake say is not read again. */
async function countBySource<Needed extends Role>(
  run: Run<Needed>,
  role: Needed,
  columns: readonly SourceColumn[],
): Promise<Map<string, SourceCounts>> {
  const { pl } = run;
  using facts = run.facts();
  const isFloat = (dtype: string) => /^Float/.test(dtype);
  const gaps = columns.filter(({ name, dtype }) => isListType(dtype) || facts?.nulls(name) !== 0);
  const texts = columns.filter(({ name, dtype }) => isTextType(dtype) && (facts?.mayHold(name, MISSING_TEST) ?? true));
  const grouped = facts === undefined || !run.isText(role) ? undefined : GroupedRows.by(facts, run.name(role));
  const stated = grouped?.groups ?? (await run.tally({ text: run.text(role) })).map(({ keys: [text] }) => text);
  const read = readTexts(run, { role, name: run.name(role), texts: stated });
  const counts = new Map<string, SourceCounts>();
  const add = (rows: readonly Record<string, unknown>[]) => {
    for (const { [SOURCE]: key, ...values } of rows) {
      const source = (key === null ? null : keyOf(read.textOf(String(key)), read.words)) ?? "none stated";
      const known = counts.get(source) ?? { source, records: 0, empty: new Map(), placeholder: new Map() };
      counts.set(source, known);
      for (const [name, value] of Object.entries(values)) {
        const [kind, field] = name.startsWith(EMPTY)
          ? [known.empty, name.slice(EMPTY.length)]
          : [known.placeholder, name.slice(PLACEHOLDER.length)];
        if (name === "records") known.records += Number(value);
        else kind.set(field, (kind.get(field) ?? 0) + Number(value));
      }
    }
  };
  // What the files told, which the engine need not count.
  const [emptyTold, placeholderTold] = [new Set<SourceColumn>(), new Set<SourceColumn>()];
  if (grouped !== undefined) {
    const records = grouped.records();
    const addCounts = (name: string, each: readonly number[]) =>
      add(grouped.groups.map((source, group) => ({ [SOURCE]: source, [name]: each[group] })));
    addCounts("records", records);
    for (const column of new Set([...gaps, ...texts])) {
      const both = texts.includes(column) ? await missingInFiles(run, grouped, column.name) : undefined;
      const found = both ?? grouped.count(column.name);
      if (found === undefined) continue;
      addCounts(EMPTY + column.name, found.empty);
      emptyTold.add(column);
      if (both === undefined) continue;
      addCounts(PLACEHOLDER + column.name, both.holding);
      placeholderTold.add(column);
    }
  }
  const bySource = run.source.scan().withColumns(run.text(role).alias(SOURCE));
  const sums = [
    ...gaps.filter((column) => !emptyTold.has(column)).map(({ name }) =>
      exactColumn(pl, name).isNull().sum().alias(EMPTY + name)
    ),
    ...grouped === undefined ? [pl.len().alias("records")] : [],
  ];
  if (sums.length > 0) add((await run.collect(bySource.groupBy(SOURCE).agg(...sums))).toRecords());
  // Only the few rows that hold one are more than looked at.
  const isNaN = (name: string) => exactColumn(pl, name).isNan().fillNull(pl.lit(false));
  const floats = columns.filter(({ dtype }) => isFloat(dtype)).map(({ name }) => name);
  if (floats.length > 0) {
    const rows = bySource.filter(floats.map(isNaN).reduce((a, b) => a.or(b)));
    const sums = floats.map((name) => isNaN(name).sum().alias(EMPTY + name));
    add((await run.collect(rows.groupBy(SOURCE).agg(...sums))).toRecords());
  }
  const untold = texts.filter((column) => !placeholderTold.has(column)).map(({ name }) => name);
  for (const [name, groups] of await missingTextsBy(run, untold, run.text(role))) {
    for (const [source, { blank, placeholder }] of groups) {
      add([{ [SOURCE]: source, [EMPTY + name]: blank, [PLACEHOLDER + name]: placeholder }]);
    }
  }
  return counts;
}

function merge(many: readonly SourceCounts[], source: string): SourceCounts {
  const sum: SourceCounts = { source, records: 0, empty: new Map(), placeholder: new Map() };
  for (const one of many) {
    sum.records += one.records;
    for (const kind of ["empty", "placeholder"] as const) {
      for (const [field, count] of one[kind]) sum[kind].set(field, (sum[kind].get(field) ?? 0) + count);
    }
  }
  return sum;
}

/**
 * A share as a whole percentage of at most four characters; what is there is never written as none, nor a part as all.
 */
function shortPercent(share: number): string {
  if (share === 0 || share === 1) return String(share * 100);
  if (share < 0.01) return "<1";
  return share > 0.99 ? ">99" : String(Math.round(share * 100));
}
