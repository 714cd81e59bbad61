/** Whether the declared GC content is that of the sequence. */
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { ANALYSIS_OPTIONS } from "../run/analysis_options.ts";
import type { LazyDataFrame } from "nodejs-polars";
import type { Analysis, AnalysisOptions } from "../run/analysis.ts";
import { countTicks, PICTURE_WIDTH } from "../chart/axes.ts";
import { findRole } from "../source/roles.ts";
import { readPercentages } from "../run/percentages.ts";
import { Outliers, outside, rangeOf } from "../run/plausible.ts";
import { joinKey, sideBySide } from "../run/keyed_rows.ts";
import { Run, total } from "../run/run.ts";
import { type AnalysisLake, checkLake, openSource } from "../source/source.ts";
import { CATEGORY_COLOURS } from "../chart/palette.ts";
import { type LimitsOfAgreement, limitsOfAgreement } from "../statistics/agreement.ts";
import { amount, count, counted, does, percent } from "../chart/words.ts";
import { exactColumn } from "@seqreg/core/engine/frames";

/** Options of {@linkcode gcAgreement}. */
export interface GcAgreementOptions extends AnalysisOptions {
  /** Table of the lake with sequences; `full_dataset_sequence` by default. */
  readonly sequences?: string;
  /** Whether the declared field holds shares, 0 to 1, or percentages; decided for the column as a whole by default. */
  readonly unit?: "share" | "percent";
}

export const GC_AGREEMENT_OPTIONS = {
  ...ANALYSIS_OPTIONS,
  sequences: rule.text,
  unit: rule.oneOf(["share", "percent"]),
} satisfies OptionRules<GcAgreementOptions>;

const SHAPE = { difference: "String", records: "Int64" } as const;
/** Differences in percentage points, from the least. */
const CLASSES = [
  { name: "up to 0.01", most: 0.01 },
  { name: "0.01 to 0.1", most: 0.1 },
  { name: "0.1 to 1", most: 1 },
  { name: "above 1", most: Infinity },
] as const;
const [ID, OTHER_ID] = ["seqreg_id", "seqreg_other_id"];
/** Units of differences, of a percentage point; and what makes all of them positive, so that a cast rounds them. */
const [UNITS, SHIFT] = [10_000, 10_000_000];
/** Class of declared values that are not plausible. */
const OUTSIDE = CLASSES.length;
/** Tolerance: differences of decimals such as 50.29 are not exact. */
const TOLERANCE = 1e-9;

/**
 * Compares the declared GC content with that computed from the bases when the lake was built: classes of differences,
 * and Bland and Altman's limits of agreement (1986) as a note.
 *
 * @param lake A lake with metadata and with sequences.
 * @param options Tables, and what all analyses share.
 * @returns Classes × `difference` in percentage points (`up to 0.01`, `0.01 to 0.1`, `0.1 to 1`, `above 1`), `records`
 * (Int64); all four, also without records.
 *
 * @example
 * ```ts no-eval
 * import { Registry } from "seqreg";
 * import { gcAgreement } from "seqreg/analysis";
 *
 * await using registry = await Registry.open();
 * await gcAgreement(await registry.lake());
 * ```
 */
export async function gcAgreement(lake: AnalysisLake, options: GcAgreementOptions = {}): Promise<Analysis> {
  checkOptions("gcAgreement()", options, GC_AGREEMENT_OPTIONS);
  checkLake("gcAgreement()", lake);
  const { sequences = "full_dataset_sequence" } = options;
  const title = "Difference between declared and computed GC content";
  const run = await Run.start(lake, options, { title, shape: SHAPE, needs: ["gc", "accession"] });
  if (run.absent.length > 0) return run.stop();
  if (!lake.tables.has(sequences)) {
    return run.stop(
      `There is nothing to compare with: the lake has ${
        [...lake.tables.keys()].join(", ")
      } and no ${sequences}; build it ` +
        "from that archive too, or name the table of sequences by the option sequences",
    );
  }
  const sequenceTable = await openSource(lake, { table: sequences });
  const computed = findRole(sequenceTable.columns, "computedGc");
  if (computed === undefined || sequenceTable.idField === undefined) {
    return run.stop(`There is nothing to compare with: ${sequences} has no gc computed from bases`);
  }
  const { pl } = run;
  const accession = run.col("accession");
  const { value, bounds } = await readPercentages(run, "gc", options.unit);
  const range = rangeOf(run.options.plausible, "gc");
  const declared = run.source.scan().select(
    joinKey(run, accession).alias(ID),
    pl.when(accession.isNull()).then(pl.lit(null)).otherwise(value).alias("declared"),
  );
  const otherId = exactColumn(pl, sequenceTable.idField);
  const computedOf = (rows: LazyDataFrame) =>
    rows.select(
      joinKey(run, otherId).alias(OTHER_ID),
      exactColumn(pl, computed.name).mul(pl.lit(100)).alias("computed"),
    );
  const sequenceRows = await run.countRows(sequenceTable.scan());
  const repeated = sequenceRows - (sequenceTable.distinctIds ?? sequenceRows);
  if (repeated > 0) {
    run.note(
      `${sequenceTable.idField} is not a key of ${sequences}: ${counted(repeated, "rows")} ${
        does(repeated, "repeat")
      } a value, and a join on it multiplies rows. Of each the least value is compared`,
    );
  }
  const named = computedOf(sequenceTable.scan().filter(otherId.isNotNull()));
  const fromBases = repeated > 0 ? named.groupBy(OTHER_ID).agg(pl.col("computed").min()) : named;
  const pairs = repeated === 0
    ? await sideBySide(
      run,
      { rows: declared, id: ID },
      { rows: computedOf(sequenceTable.scan()), id: OTHER_ID, count: sequenceRows },
    )
    : undefined;
  const difference = pl.col("declared").sub(pl.col("computed")).abs();
  const at = CLASSES.slice(0, -1).reduceRight(
    (rest, { most }, index) => pl.when(difference.ltEq(pl.lit(most + TOLERANCE))).then(pl.lit(index)).otherwise(rest),
    pl.lit(CLASSES.length - 1),
  );
  const isOutside = pl.col("declared").lt(pl.lit(range[0])).or(pl.col("declared").gt(pl.lit(range[1])))
    .fillNull(pl.lit(false));
  const usable = pl.col("declared").isFinite().and(pl.col("computed").isFinite());
  // In ten thousandths of a point: sums of whole numbers are the same in every order and on every engine.
  const signed = pl.col("declared").sub(pl.col("computed")).mul(pl.lit(UNITS)).add(pl.lit(SHIFT + 0.5)).cast(
    pl.Int64,
    false,
  )
    .sub(pl.lit(SHIFT).cast(pl.Int64));
  const isUsed = usable.fillNull(pl.lit(false)).and(isOutside.not());
  const sums = (await run.collect(
    (pairs ?? declared.join(fromBases, { leftOn: ID, rightOn: OTHER_ID, how: "left" })).filter(isUsed)
      .select(pl.lit(0).alias("all"), signed.alias("sum"), signed.mul(signed).alias("squares"))
      .groupBy("all").agg(
        pl.len().alias("n"),
        pl.col("sum").sum().alias("sum"),
        pl.col("squares").sum().alias("squares"),
      ),
  )).toRecords()[0] ?? { n: 0, sum: 0, squares: 0 };
  const tallied = await run.tally(
    {
      at: pl.when(isOutside).then(pl.lit(OUTSIDE)).when(usable.fillNull(pl.lit(false))).then(at).otherwise(
        pl.lit(null),
      ),
      ...(bounds[0] < range[0] || bounds[1] > range[1]) &&
        { outlier: pl.when(isOutside).then(pl.col("declared")).otherwise(pl.lit(null)) },
    },
    pairs ?? declared.join(fromBases, { leftOn: ID, rightOn: OTHER_ID, how: "left" }),
  );
  const countOf = (at: number | null) =>
    total(tallied.filter(({ keys: [key] }) => key === null ? at === null : Number(key) === at));
  const rows = CLASSES.map(({ name }, index) => ({ difference: name, records: countOf(index) }));
  const outliers = new Outliers();
  for (const { keys: [key, outlier], count } of tallied) if (Number(key) === OUTSIDE) outliers.add(outlier, count);
  const impossible = outliers.note(`a declared GC content ${outside(range, "%")} in ${run.name("gc")}`);
  if (impossible !== undefined) run.note(impossible);
  const n = rows.reduce((sum, { records }) => sum + records, 0);
  const missing = countOf(null);
  if (n === 0) return run.stop(`There is nothing to show: no record has both values (${count(missing)} without one)`);
  const far = rows[2].records + rows[3].records;
  if (far > 0) {
    run.note(
      `${counted(far, "records")} ${
        does(far, "differ")
      } by more than 0.1 points: the declared value is not that of these bases`,
    );
  }
  const limits = limitsOfAgreement({
    n: Number(sums.n),
    sum: Number(sums.sum) / UNITS,
    squares: Number(sums.squares) / UNITS ** 2,
  });
  if (limits !== undefined) run.note(limitsNote(limits));
  return await run.finish(rows, {
    counts: { n, excluded: outliers.records, missing },
    meta: {
      title,
      subtitle: `${percent(rows[0].records, n)} of ${counted(n, "records")} agree to 0.01 percentage points`,
      description: `Bars of ${counted(n, "records")} by difference between declared and computed GC content. ${
        percent(rows[0].records, n)
      } agree to 0.01 percentage points.`,
    },
    spec: (plot) => ({
      height: 190,
      marginLeft: 110,
      marginRight: 116,
      x: {
        label: "records",
        grid: true,
        ...countTicks(Math.max(...rows.map(({ records }) => records)), PICTURE_WIDTH - 110 - 116),
      },
      y: {
        label: "difference (percentage points)",
        domain: rows.map(({ difference }) => difference),
        padding: 0.2,
        labelAnchor: "top",
      },
      marginTop: 28,
      marks: [
        plot.barX(rows, { x: "records", y: "difference", fill: CATEGORY_COLOURS[0] }),
        plot.text(rows, {
          x: "records",
          y: "difference",
          text: ({ records }: { records: number }) => `${count(records)} (${percent(records, n)})`,
          textAnchor: "start",
          dx: 5,
        }),
        plot.ruleX([0]),
      ],
    }),
  });
}

/** The limits of agreement in words, with their definition. */
function limitsNote({ bias, sd, low, high, biasSide, limitSide }: LimitsOfAgreement): string {
  const [mean, deviation, least, most, meanSide, side] = [bias, sd, low, high, biasSide, limitSide]
    .map((value) => `${value < 0 ? "−" : ""}${amount(Math.abs(value), 3)}`);
  return `Bland and Altman: declared − computed is ${mean} points on average (95 %: ± ${meanSide}), SD ${deviation}; limits of ` +
    `agreement, mean ± 1.96 SD, ${least} to ${most} (each ± ${side})`;
}
