/** Which fields are filled. */
import { isTextType } from "@seqreg/core/engine/frames";
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { ANALYSIS_OPTIONS } from "../run/analysis_options.ts";
import type { Analysis, AnalysisOptions } from "../run/analysis.ts";
import { BACKGROUND_BAR, BACKGROUND_COLOUR, marginFor } from "../chart/axes.ts";
import type { ColumnFacts } from "@seqreg/core/engine/local/column_facts";
import { GroupedRows } from "../run/gap_counts.ts";
import { countMissingTexts, countNotNumbers, countNulls, missingInFiles } from "../run/missing_texts.ts";
import { Run } from "../run/run.ts";
import { MISSING_TEST } from "../source/texts.ts";
import type { Role } from "../source/roles.ts";
import type { AnalysisSource } from "../source/source.ts";
import type { SourceColumn } from "../source/source_column.ts";
import { CATEGORY_COLOURS } from "../chart/palette.ts";
import { count, counted, does, labels, percent } from "../chart/words.ts";

/** Options of {@linkcode fieldCompleteness}. */
export interface FieldCompletenessOptions extends AnalysisOptions {
  /** Columns to look at; all by default. */
  readonly columns?: readonly string[];
}

export const FIELD_COMPLETENESS_OPTIONS = {
  ...ANALYSIS_OPTIONS,
  columns: rule.texts,
} satisfies OptionRules<FieldCompletenessOptions>;

const SHAPE = { field: "String", filled: "Int64", placeholder: "Int64", empty: "Int64" } as const;
/**
 * Counts for each field the records with a value, with a placeholder (`?`, `unknown`, every word of `MISSING_WORDS`),
 * or with nothing: null, an empty text, white space, NaN.
 *
 * @param source A frame, a result of a registry, or a lake.
 * @param options Which columns.
 * @returns Fields × `field` (String), `filled`, `placeholder`, `empty` (Int64), the fullest first.
 * @throws {RangeError} If a column is not there.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { fieldCompleteness } from "./field_completeness.ts";
 *
 * const { frame } = await fieldCompleteness(pl.DataFrame({ Host: ["pig", "?", null] }));
 *
 * assertEquals(frame.toRecords(), [{ field: "Host", filled: 1, placeholder: 1, empty: 1 }]);
 * ```
 */
export async function fieldCompleteness(
  source: AnalysisSource,
  options: FieldCompletenessOptions = {},
): Promise<Analysis> {
  checkOptions("fieldCompleteness()", options, FIELD_COMPLETENESS_OPTIONS);
  const title = "How far fields are filled";
  const run = await Run.start(source, options, { title, shape: SHAPE, needs: [] });
  const own = run.source.columns.filter(({ name, field }) => name === field);
  const columns = options.columns === undefined ? own : [...new Set(options.columns)].map((name) => {
    const found = own.find((column) => column.name === name);
    if (found === undefined) throw new RangeError(`Cannot count ${JSON.stringify(name)}: the data has no such column`);
    return found;
  });
  if (columns.length === 0) return run.stop("There is nothing to show: the data has no fields");
  using facts = run.facts();
  const n = facts?.rows ?? await run.countRows();
  if (n === 0) return run.stop("There is nothing to show: the data has no records");
  const looked = await countEmpty(run, columns, facts);
  const rows = looked.map(({ field, empty, placeholder }) => ({
    field,
    filled: n - empty - placeholder,
    placeholder,
    empty,
  }))
    .sort((a, b) => b.filled - a.filled || (a.field < b.field ? -1 : 1));
  const names = labels(rows.map(({ field }) => field));
  const bars = rows.flatMap(({ field, filled, placeholder }, index) => {
    const [name, middle, end] = [names[index], filled / n * 100, (filled + placeholder) / n * 100];
    return [
      { field, name, kind: "filled", records: filled, from: 0, to: middle },
      { field, name, kind: "placeholder", records: placeholder, from: middle, to: end },
    ];
  }).filter(({ from, to }) => to > from);
  const never = rows.filter(({ filled }) => filled === 0);
  if (never.length > 0) {
    run.note(
      `${counted(never.length, "fields")} ${does(never.length, "have")} no value at all: ${
        never.map(({ field }) => field).join(", ")
      }`,
    );
  }
  const colours: Readonly<Record<string, string>> = { filled: CATEGORY_COLOURS[0], placeholder: CATEGORY_COLOURS[1] };
  const worst = rows[rows.length - 1];
  return await run.finish(rows, {
    counts: { n },
    meta: {
      title,
      legend: [
        { label: "a value", colour: colours.filled },
        ...bars.some(({ kind }) => kind === "placeholder")
          ? [{ label: "placeholder (?, unknown)", colour: colours.placeholder }]
          : [],
        { label: "nothing", colour: BACKGROUND_COLOUR },
      ],
      description:
        `Bars of the share of ${counted(n, "records")} with a value, for ${counted(rows.length, "fields")}. ` +
        `Full: ${count(rows.filter(({ filled }) => filled === n).length)}. Emptiest: ${worst.field}, ${
          percent(worst.filled, n)
        } filled.`,
    },
    spec: (plot) => ({
      height: rows.length * 18 + 64,
      marginLeft: marginFor(names),
      marginRight: 64,
      x: { domain: [0, 100], label: "share of records (%)", grid: true },
      y: { label: null, domain: names, padding: 0.2 },
      marks: [
        plot.barX(rows, {
          y: (_: unknown, index: number) => names[index],
          x1: 0,
          x2: 100,
          ...BACKGROUND_BAR,
          title: ({ field, empty }: (typeof rows)[number]) => `${field}\nnothing: ${percent(empty, n)}`,
        }),
        plot.barX(bars, {
          y: "name",
          x1: "from",
          x2: "to",
          fill: ({ kind }: { kind: string }) => colours[kind],
          title: ({ field, kind, records }: (typeof bars)[number]) =>
            `${field}\n${kind === "filled" ? "a value" : "placeholder"}: ${percent(records, n)}, ${
              counted(records, "records")
            }`,
        }),
        plot.text(rows, {
          y: (_: unknown, index: number) => names[index],
          text: ({ filled }: { filled: number }) => percent(filled, n),
          frameAnchor: "right",
          textAnchor: "start",
          dx: 8,
        }),
        plot.ruleX([0]),
      ],
    }),
  });
}

/** Rows of each column without a value, and with a placeholder. What the files of a lake say is not read again. */
async function countEmpty(
  run: Run<Role>,
  columns: readonly SourceColumn[],
  facts: ColumnFacts | undefined,
): Promise<{ field: string; empty: number; placeholder: number }[]> {
  const notNumbers = await countNotNumbers(run, columns);
  const all = facts && GroupedRows.whole(facts);
  const counts: { field: string; empty: number; placeholder: number }[] = [];
  const left: { readonly name: string; readonly mayHold: boolean }[] = [];
  for (const { name, dtype } of columns) {
    const mayHold = isTextType(dtype) && (facts?.mayHold(name, MISSING_TEST) ?? true);
    const found = mayHold && all !== undefined ? await missingInFiles(run, all, name) : undefined;
    if (found === undefined) left.push({ name, mayHold });
    else counts.push({ field: name, empty: found.empty[0], placeholder: found.holding[0] });
  }
  const names = left.map(({ name }) => name);
  const nulls = await countNulls(run, names, facts);
  const texts = await countMissingTexts(run, left.filter(({ mayHold }) => mayHold).map(({ name }) => name));
  for (const name of names) {
    const { blank, placeholder } = texts.get(name) ?? { blank: 0, placeholder: 0 };
    const empty = nulls.get(name)! + blank + (notNumbers.get(name) ?? 0);
    counts.push({ field: name, empty, placeholder });
  }
  return counts;
}
