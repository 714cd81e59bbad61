/** A smaller set in which no species, country or year has more than its part. */
import { checkArgument, checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { ANALYSIS_OPTIONS } from "../../run/analysis_options.ts";
import type { DataFrame, Expr, LazyDataFrame } from "nodejs-polars";
import { Analysis, type AnalysisOptions } from "../../run/analysis.ts";
import { BACKGROUND_BAR, BACKGROUND_COLOUR, countTicks, marginFor, PICTURE_WIDTH } from "../../chart/axes.ts";
import { ORDERS, withDrawOrder } from "../../run/draw_order.ts";
import { readTexts } from "../../source/text_keys.ts";
import { notePlaceNames } from "../../run/place_names_note.ts";
import { byCount, Run, type TallyRow, total } from "../../run/run.ts";
import { keyOf } from "../../source/texts.ts";
import type { Role } from "../../source/roles.ts";
import type { AnalysisSource } from "../../source/source.ts";
import { CATEGORY_COLOURS } from "../../chart/palette.ts";
import { count, counted, labels } from "../../chart/words.ts";
import { exactColumn, membersOf } from "@seqreg/core/engine/frames";

/** Options of {@linkcode stratifiedSample}. */
export interface StratifiedSampleOptions extends AnalysisOptions {
  /** What the strata are; `species` by default. */
  readonly by?: "species" | "genus" | "family" | "host" | "country" | "cluster" | "molecule";
  /** Most records of each stratum. */
  readonly most: number;
  /** Which draw: the same seed draws the same records; 1 by default. */
  readonly seed?: number;
}

export const STRATIFIED_SAMPLE_OPTIONS = {
  ...ANALYSIS_OPTIONS,
  by: rule.oneOf(["species", "genus", "family", "host", "country", "cluster", "molecule"]),
  most: rule.required(rule.wholeNumber({ from: 1 })),
  seed: rule.wholeNumber({ from: 0 }),
} satisfies OptionRules<StratifiedSampleOptions>;
const OPTIONS_ARGUMENT = rule.required(
  rule.like<StratifiedSampleOptions>("an object, { most, by?, seed? … }", () => true),
);

/** A sample: the numbers before and after, their chart, and the records on request. */
export class StratifiedSample extends Analysis {
  readonly #read: () => Promise<DataFrame>;
  #records: Promise<DataFrame> | undefined;

  /** Samples are made by {@linkcode stratifiedSample}. */
  constructor(analysis: Analysis, read: () => Promise<DataFrame>) {
    super(analysis);
    this.#read = read;
  }

  /** The records drawn: all columns of the source, in the order of their accessions. Read when first asked for. */
  records(): Promise<DataFrame> {
    return this.#records ??= this.#read();
  }
}

const SHAPE = { stratum: "String", before: "Int64", after: "Int64" } as const;
/** Strata that are drawn by name. */
const SHOWN = 15;
const [ROW, ORDER, RANK, BOUND, TEXT] = ["seqreg_row", "seqreg_order", "seqreg_rank", "seqreg_bound", "seqreg_text"];
const FIRST = "seqreg_first";

/**
 * Draws at most so many records of each stratum.
 *
 * The choice depends on a number computed from the digits of the accession and the seed: the same records for the same
 * seed, independent of their order, their files, the other strata and the engine. Records without a stratum are left
 * out. Accessions of the same digits are taken in the order of their texts.
 *
 * @param source A frame, a result of a registry, or a lake.
 * @param options Strata, most records of each, seed.
 * @returns Strata × `stratum` (String), `before`, `after` (Int64), the largest first; and the records by `records()`.
 * @throws {RangeError} If `most` is no whole number from 1, or the seed none from 0.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { stratifiedSample } from "./stratified_sample.ts";
 *
 * const source = pl.DataFrame({ Accession: ["1", "2", "3", "4"], Species: ["a", "a", "a", "b"] });
 * const drawn = await stratifiedSample(source, { most: 1 });
 *
 * assertEquals(drawn.frame.toRecords(), [{ stratum: "a", before: 3, after: 1 }, { stratum: "b", before: 1,
 *   after: 1 }]);
 * assertEquals((await drawn.records()).height, 2);
 * ```
 */
export async function stratifiedSample(
  source: AnalysisSource,
  options: StratifiedSampleOptions,
): Promise<StratifiedSample> {
  checkArgument("stratifiedSample()", "options", options, OPTIONS_ARGUMENT);
  checkOptions("stratifiedSample()", options, STRATIFIED_SAMPLE_OPTIONS);
  const { by = "species", most, seed = 1 } = options;
  const title = `Records by ${by}, before and after drawing at most ${count(most)} of each`;
  const run = await Run.start<Role>(source, options, { title, shape: SHAPE, needs: [by, "accession"] });
  const { pl } = run;
  if (run.absent.length > 0) return new StratifiedSample(run.stop(), () => Promise.resolve(pl.DataFrame({})));
  const id = run.name("accession");
  const stratum = run.text(by);
  const spelt = await run.tally({ key: stratum });
  const before = run.mergeKeys([by], spelt).sort(byCount);
  await notePlaceNames(run, run.name(by), before.map(({ keys: [name], count }) => ({ name, count })));
  const drawn = await draw(run, { by, stratum, id, most, seed, spelt, counts: before });
  const after = new Map<unknown, number>();
  for (const stratum of drawn.getColumn("key").toArray()) after.set(stratum, (after.get(stratum) ?? 0) + 1);
  const read = async () => {
    const all = run.source.scan().withRowIndex(ROW);
    const rows = drawn.getColumn(ROW).toArray().map(Number);
    const found = await run.collect(
      all.filter(pl.col(ROW).isIn(rows)).select(...run.source.columns.map((column) => exactColumn(pl, column.name))),
    );
    return membersOf(found).sort(exactColumn(pl, id));
  };
  const named = before.filter(({ keys: [key] }) => key !== null);
  const missing = total(before) - total(named);
  const rows = named.map(({ keys: [key], count }) => ({
    stratum: String(key),
    before: count,
    after: after.get(key) ?? 0,
  }));
  if (rows.length === 0) {
    return new StratifiedSample(
      run.stop(`There is nothing to draw from: no record has a ${by} (${count(missing)} without)`),
      read,
    );
  }
  const distinct = id === run.source.idField && run.source.distinctIds !== undefined
    ? run.source.distinctIds
    : Number((await run.collect(run.source.scan().select(exactColumn(pl, id).nUnique().alias("n")))).toRecords()[0].n);
  if (distinct < total(before)) {
    run.note(
      `${id} is not a key: ${count(total(before) - distinct)} rows repeat a value, and a join on it multiplies rows`,
    );
  }
  const n = drawn.height;
  const shown = rows.slice(0, SHOWN);
  const names = labels(shown.map(({ stratum }) => stratum));
  const marginLeft = marginFor(names);
  const bars = shown.map((row, index) => ({
    ...row,
    name: names[index],
    said: `${row.stratum}\nbefore: ${count(row.before)}\ndrawn: ${count(row.after)}`,
  }));
  if (rows.length > SHOWN) {
    run.note(`The ${SHOWN} largest of ${count(rows.length)} strata are drawn; the numbers have all`);
  }
  const analysis = await run.finish(rows, {
    counts: { n: total(named), missing },
    meta: {
      title,
      subtitle: `${count(n)} of ${
        counted(total(named), "records")
      } drawn, seed ${seed}; next to the bars: before → after`,
      legend: [{ label: "before", colour: BACKGROUND_COLOUR }, { label: "drawn", colour: CATEGORY_COLOURS[0] }],
      description:
        `Bars of records before and after the draw, for ${
          shown.length === rows.length ? "every stratum" : `the ${shown.length} largest of ${count(rows.length)} strata`
        }. ` +
        `Drawn: ${count(n)} of ${counted(total(named), "records")}.`,
    },
    spec: (plot) => ({
      height: bars.length * 24 + 64,
      marginLeft,
      marginRight: 100,
      x: { label: "records", grid: true, ...countTicks(shown[0].before, PICTURE_WIDTH - marginLeft - 100) },
      y: { label: null, domain: names, padding: 0.2 },
      marks: [
        plot.barX(bars, { y: "name", x: "before", ...BACKGROUND_BAR, title: "said" }),
        plot.barX(bars, {
          y: "name",
          x: "after",
          fill: CATEGORY_COLOURS[0],
          insetTop: 4,
          insetBottom: 4,
          title: "said",
        }),
        plot.text(bars, {
          y: "name",
          x: "before",
          text: ({ before, after }: { before: number; after: number }) => `${count(before)} → ${count(after)}`,
          textAnchor: "start",
          dx: 5,
        }),
        plot.ruleX([0]),
      ],
    }),
  });
  return new StratifiedSample(analysis, read);
}

/**
 * Finds the rows with the least numbers of each stratum.
 *
 * Of a stratum with a million rows few can be among the least ten: those whose number is small. Only they are sorted. A
 * stratum that would get too few (less likely than one in 10^12) makes the bound fall away for all.
 */
async function draw(
  run: Run<Role>,
  wanted: {
    readonly by: Role;
    readonly stratum: Expr;
    readonly id: string;
    readonly most: number;
    readonly seed: number;
    /** Strata as they are written. */
    readonly spelt: readonly TallyRow[];
    /** Strata by their keys. */
    readonly counts: readonly TallyRow[];
  },
): Promise<DataFrame> {
  const { pl } = run;
  const { by, stratum, id, most, seed } = wanted;
  const named = wanted.counts.filter(({ keys: [key] }) => key !== null);
  const counts = new Map(named.map(({ keys: [key], count }) => [String(key), count]));
  const texts = wanted.spelt.map(({ keys: [text] }) => text);
  const { textOf, words } = readTexts(run, { role: by, name: run.name(by), texts });
  const strata = wanted.spelt.flatMap(({ keys: [text] }) => {
    const key = text === null ? null : keyOf(textOf(String(text)), words);
    return key === null ? [] : [{ text: String(text), key }];
  });
  const scanned = run.source.scan().withRowIndex(ROW)
    .select(pl.col(ROW), stratum.alias(TEXT), exactColumn(pl, id));
  const order = await withDrawOrder(run, scanned, { id, seed, name: ORDER });
  const likely = most + 8 * Math.sqrt(most) + 30;
  const within = async (ordered: LazyDataFrame, bounds: DataFrame) => {
    const isLow = pl.col(ORDER).ltEq(pl.col(BOUND)).or(pl.col(ORDER).isNull());
    const rows = ordered.join(bounds.lazy(), { on: TEXT, how: "inner" }).filter(isLow);
    return await run.collect(rows.select(pl.col(ROW), pl.col("key"), pl.col(ORDER)));
  };
  const find = async (boundOf: (count: number) => number) => {
    const bounds = pl.DataFrame([
      pl.Series(TEXT, strata.map(({ text }) => text), pl.String),
      pl.Series("key", strata.map(({ key }) => key), pl.String),
      pl.Series(BOUND, strata.map(({ key }) => boundOf(counts.get(key) ?? 0)), pl.Int64),
    ]);
    const quick = order.quick && await within(order.quick, bounds);
    const hasAll = quick !== undefined && quick.getColumn(ORDER).nullCount() === 0;
    const candidates = hasAll ? quick : await within(order.all, bounds);
    return await least(run, candidates, { id, most });
  };
  const expected = named.reduce((sum, { count }) => sum + Math.min(count, most), 0);
  const found = await find((count) => Math.ceil(Math.min(1, likely / count) * ORDERS));
  return found.height === expected ? found : await find(() => ORDERS);
}

/**
 * The rows of the least numbers of each stratum; of equal numbers those of the least accessions. Texts are read where
 * these decide, which is for few rows.
 */
async function least(
  run: Run<Role>,
  candidates: DataFrame,
  { id, most }: { readonly id: string; readonly most: number },
): Promise<DataFrame> {
  const { pl } = run;
  const ranked = (rows: DataFrame, by: readonly string[]) =>
    rows.sort(by.map((name) => exactColumn(pl, name)))
      .withColumns(pl.col(ROW).isNull().cumCount().over("key").alias(RANK));
  const drawn = (rows: DataFrame) => rows.filter(pl.col(RANK).ltEq(pl.lit(most))).select(pl.col(ROW), pl.col("key"));
  const rows = ranked(candidates, [ORDER, ROW]);
  const cut = rows.groupBy(["key", ORDER]).agg(pl.col(RANK).min().alias(FIRST), pl.col(RANK).max().alias(RANK))
    .filter(pl.col(FIRST).ltEq(pl.lit(most)).and(pl.col(RANK).gt(pl.lit(most))));
  if (cut.height === 0) return drawn(rows);
  const tied = rows.join(cut.select(pl.col("key"), pl.col(ORDER)), { on: ["key", ORDER], how: "inner" })
    .getColumn(ROW).toArray().map(Number);
  const texts = await run.collect(
    run.source.scan().withRowIndex(ROW).filter(pl.col(ROW).isIn(tied)).select(
      pl.col(ROW),
      exactColumn(pl, id).alias(TEXT),
    ),
  );
  return drawn(ranked(candidates.join(texts, { on: ROW, how: "left" }), [ORDER, TEXT, ROW]));
}
