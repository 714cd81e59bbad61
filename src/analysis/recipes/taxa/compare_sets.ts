/** What changes when each distinct sequence, or each cluster, counts once. */
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { LAKE_ANALYSIS_OPTIONS } from "../../run/analysis_options.ts";
import type { Analysis, AnalysisOptions } from "../../run/analysis.ts";
import { marginFor } from "../../chart/axes.ts";
import { missingSets, type RecordSet, setsOf } from "../../run/record_sets.ts";
import { byCount, Run, type TallyRow, total } from "../../run/run.ts";
import { type AnalysisLake, checkLake } from "../../source/source.ts";
import { RATIO_SHAPE, setRatios } from "./_set_ratios.ts";
import { TAXON_PLURALS, type TaxonRole } from "./top_taxa.ts";
import { count, counted, decimal, label, labels, percent } from "../../chart/words.ts";

/** Options of {@linkcode compareSets}. */
export interface CompareSetsOptions extends Omit<AnalysisOptions, "table" | "records"> {
  /** What is counted by; `species` by default. */
  readonly by?: TaxonRole;
  /** How many are shown: those with most records of all; 12 by default, 30 at most. */
  readonly top?: number;
  /**
   * `share` (the default) for the shares in each set, `ratio` for how over-represented each value is among all records,
   * compared with the last set.
   */
  readonly measure?: "share" | "ratio";
  /** The same seed draws the same submitters for the intervals of ratios; 1 by default. */
  readonly seed?: number;
}

export const COMPARE_SETS_OPTIONS = {
  ...LAKE_ANALYSIS_OPTIONS,
  by: rule.oneOf(["species", "genus", "family", "host", "molecule", "country"]),
  top: rule.wholeNumber({ from: 1, to: 30 }),
  measure: rule.oneOf(["share", "ratio"]),
  seed: rule.wholeNumber({ from: 0 }),
} satisfies OptionRules<CompareSetsOptions>;

const SHAPE = { taxon: "String", set: "String", records: "Int64", share: "Float64" } as const;
/**
 * Compares the shares of taxa among all records, unique sequences and representatives of clusters.
 *
 * @param lake A lake with two or three of the metadata tables `full_dataset`, `unique_seqs` and `votu_clusters`.
 * @param options What to count by, and how many.
 * @returns Taxa and sets × `taxon`, `set` (String), `records` (Int64), `share` of the set's records that have a value
 * (Float64, 0 to 1). The taxa are those with most records of the first set. For `ratio`, every value of the first set ×
 * `taxon`, `set` (the last one), `records`, `share`, `records_of_set`, `share_of_set`, `ratio` of the shares, `low` and
 * `high` of its interval, `p`, `adjusted`, `submitters`. Intervals of 95 % are by a seeded bootstrap over submitters,
 * since records of one are not independent; fewer than ten have no interval. `adjusted` is by Benjamini and Hochberg.
 * @throws {RangeError} If `top` is not between 1 and 30.
 *
 * @example
 * ```ts no-eval
 * import { Registry } from "seqreg";
 * import { compareSets } from "seqreg/analysis";
 *
 * await using registry = await Registry.open();
 * const lake = await registry.lake();
 * await compareSets(lake, { by: "host" });
 * ```
 */
export async function compareSets(lake: AnalysisLake, options: CompareSetsOptions = {}): Promise<Analysis> {
  checkOptions("compareSets()", options, COMPARE_SETS_OPTIONS);
  checkLake("compareSets()", lake);
  const { by = "species", top = 12, measure = "share", seed = 1 } = options;
  const title = `All records, unique sequences and representatives by ${by}`;
  const shape = measure === "share" ? SHAPE : RATIO_SHAPE;
  const start = (table: string) =>
    Run.start<TaxonRole, "submitter">(lake, { ...options, table }, {
      title,
      shape,
      needs: [by],
      uses: measure === "share" ? [] : ["submitter"],
    });
  const there = setsOf(lake);
  const run = await start(there[0]?.table ?? lake.main);
  if (run.absent.length > 0) return run.stop();
  if (there.length < 2) return run.stop(missingSets(lake));
  if (measure === "ratio") {
    const last = there[there.length - 1];
    const other = await start(last.table);
    if (other.absent.length > 0) return other.stop();
    return await setRatios([{ set: there[0], run }, { set: last, run: other }], { by, top, seed });
  }
  const tallied: {
    readonly set: RecordSet;
    readonly rows: TallyRow[];
    readonly n: number;
    readonly all: number;
  }[] = [];
  for (const set of there) {
    const own = set === there[0] ? run : await start(set.table);
    if (own.absent.length > 0) return own.stop();
    const rows = await own.tallyTexts([by]);
    const named = rows.filter(({ keys: [name] }) => name !== null).sort(byCount);
    tallied.push({ set, rows: named, n: total(named), all: total(rows) });
    run.notes.push(...own === run ? [] : own.notes.map((note) => `${set.set}: ${note}`));
  }
  const [first] = tallied;
  if (first.n === 0) return run.stop(`There is nothing to compare: no record has a ${by}`);
  const shown = first.rows.slice(0, top).map(({ keys: [name] }) => String(name));
  const rows = shown.flatMap((taxon) =>
    tallied.map(({ set, rows, n }) => {
      const records = rows.find(({ keys: [name] }) => name === taxon)?.count ?? 0;
      return { taxon, set: set.set, records, share: n === 0 ? null : records / n };
    })
  );
  run.note(
    "Unique is not unbiased: genomes of an over-sequenced virus differ by a character or two, and each is unique. Only wide " +
      "clusters take that away",
  );
  const names = labels(shown);
  const bars = rows.map((row) => ({
    ...row,
    name: names[shown.indexOf(row.taxon)],
    percent: (row.share ?? 0) * 100,
    colour: there.find(({ set }) => set === row.set)!.colour,
  }));
  const most = Math.max(...bars.map(({ percent }) => percent));
  return await run.finish(rows, {
    counts: { n: first.n, missing: first.all - first.n },
    meta: {
      title,
      subtitle: `${tallied.map(({ set, n }) => `${set.set}: ${count(n)}`).join("; ")}. ` +
        `Numbers next to the bars: ${first.set.set}`,
      legend: tallied.map(({ set }) => ({ label: set.set, colour: set.colour })),
      description: `Bars of the share of ${
        first.rows.length <= top ? `every ${by}` : `the ${names.length} most frequent ${TAXON_PLURALS[by]}`
      } in ${counted(tallied.length, "sets")}. ${label(shown[0])}: ${
        tallied.map(({ set, rows, n }) =>
          `${percent(rows.find(({ keys }) => keys[0] === shown[0])?.count ?? 0, n)} of ${set.set}`
        )
          .join(", ")
      }.`,
    },
    spec: (plot) => ({
      height: names.length * (tallied.length * 8 + 8) + 64,
      marginLeft: marginFor(names),
      marginRight: 60,
      x: { label: "share of the records of the set (%)", grid: true, domain: [0, most] },
      y: { axis: null, domain: tallied.map(({ set }) => set.set), paddingOuter: 0.5 },
      // Without gaps between groups the lines of the grid go through.
      fy: { label: null, domain: names, axis: "left", padding: 0 },
      marks: [
        plot.barX(bars, {
          fy: "name",
          y: "set",
          x: "percent",
          fill: ({ colour }: { colour: string }) => colour,
          title: ({ taxon, set, records, percent }: (typeof bars)[number]) =>
            `${taxon}\n${set}: ${counted(records ?? 0, "records")} (${decimal(percent, 1)} %)`,
          insetTop: 0.5,
          insetBottom: 0.5,
        }),
        plot.text(bars.filter(({ set }) => set === first.set.set), {
          fy: "name",
          // Behind the longest bar of the group.
          x: ({ name }: { name: string }) =>
            Math.max(...bars.filter((bar) => bar.name === name).map(({ percent }) => percent)),
          text: ({ records }: { records: number }) => count(records),
          textAnchor: "start",
          dx: 5,
        }),
        plot.ruleX([0]),
      ],
    }),
  });
}
