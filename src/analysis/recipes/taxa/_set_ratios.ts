/** How over-represented values are among all records, compared with another set of them. */
import { BACKGROUND_COLOUR, marginFor } from "../../chart/axes.ts";
import { CATEGORY_COLOURS } from "../../chart/palette.ts";
import { count, counted, decimal, does, label, labels, percent } from "../../chart/words.ts";
import type { Analysis } from "../../run/analysis.ts";
import type { RecordSet } from "../../run/record_sets.ts";
import { byCount, type Run, type TallyRow, total } from "../../run/run.ts";
import type { Role } from "../../source/roles.ts";
import {
  benjaminiHochberg,
  type GroupCell,
  LEAST_GROUPS,
  ratiosOfShares,
  replicatesFor,
  type SharesRatio,
} from "../../statistics/cluster_bootstrap.ts";
import { TAXON_PLURALS, type TaxonRole } from "./top_taxa.ts";

export const RATIO_SHAPE = {
  taxon: "String",
  set: "String",
  records: "Int64",
  share: "Float64",
  records_of_set: "Int64",
  share_of_set: "Float64",
  ratio: "Float64",
  low: "Float64",
  high: "Float64",
  p: "Float64",
  adjusted: "Float64",
  submitters: "Int64",
} as const;

/** A set with an analysis of its records under way. */
export interface SetRun {
  readonly set: RecordSet;
  readonly run: Run<TaxonRole, Role>;
}

interface RatioRow {
  readonly taxon: string;
  readonly records: number;
  readonly share: number;
  readonly records_of_set: number;
  readonly share_of_set: number;
  readonly ratio: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly p: number | null;
  readonly adjusted: number | null;
  readonly submitters: number | null;
}

/** Key of the records without a submitter, which form one group. */
const NO_SUBMITTER = "";

/** Compares the first set with the last: ratios of shares, with intervals by a bootstrap over submitters. */
export async function setRatios(
  [first, ...more]: readonly SetRun[],
  { by, top, seed }: { readonly by: TaxonRole; readonly top: number; readonly seed: number },
): Promise<Analysis> {
  const last = more[more.length - 1];
  const { run } = first;
  const submitter = [first, last].every((one) => one.run.find("submitter") !== undefined);
  const [ours, theirs] = [await tallySet(first.run, by, submitter), await tallySet(last.run, by, submitter)];
  run.notes.push(...last.run.notes.map((note) => `${last.set.set}: ${note}`));
  const named = (rows: readonly TallyRow[]) => rows.filter(({ keys: [name] }) => name !== null);
  const [n, others] = [named(ours), named(theirs)].map(total);
  if (n === 0 || others === 0) return run.stop(`There is nothing to compare: no record has a ${by} in both sets`);
  const names = [...sums(named(ours))].map(([name, count]) => ({ keys: [name], count })).sort(byCount)
    .map(({ keys: [name] }) => String(name));
  const { cells, groups, withoutSubmitter } = cellsOf({ ours: named(ours), theirs: named(theirs), names });
  const ratios = ratiosOfShares(cells, { values: names.length, groups, seed });
  const rows = rowsOf({
    names,
    ratios,
    counts: [sums(named(ours)), sums(named(theirs))],
    sizes: [n, others],
    submitter,
  });
  const sure = rows.filter(({ p }) => p !== null).length;
  for (
    const note of notesOf({
      submitter,
      withoutSubmitter,
      groups,
      few: rows.length - sure,
      replicates: replicatesFor(cells.length),
      seed,
      sets: [first.set.set, last.set.set],
      plural: TAXON_PLURALS[by],
    })
  ) run.note(note);
  const shown = rows.filter(({ ratio }) => ratio !== null).slice(0, top);
  if (shown.length === 0) {
    return run.stop(`There is no ratio: no ${by} is in both sets`, rows.map((row) => ({ ...row, set: last.set.set })));
  }
  const texts = labels(shown.map(({ taxon }) => taxon));
  const dots = shown.map((row, at) => ({ ...row, ratio: row.ratio ?? 1, name: texts[at] }));
  const ends = dots.flatMap(({ ratio, low, high }) => [ratio, low ?? ratio, high ?? ratio]);
  const [least, most] = [Math.min(0.8, ...ends) / 1.05, Math.max(1.25, ...ends) * 1.05];
  const colourOf = ({ adjusted }: RatioRow) =>
    adjusted !== null && adjusted < 0.05 ? CATEGORY_COLOURS[0] : BACKGROUND_COLOUR;
  const said = ({ taxon, ratio, low, high, adjusted, submitters, records, share, share_of_set }: RatioRow) =>
    `${taxon}\n${decimal(ratio ?? 0, 2)} times its share${
      low === null || high === null ? "" : `, ${decimal(low, 2)} to ${decimal(high, 2)}`
    }\n${percent(share * 1e6, 1e6)} of ${first.set.set}, ${percent(share_of_set * 1e6, 1e6)} of ${last.set.set}\n${
      counted(records, "records")
    }${submitters === null ? "" : `, ${counted(submitters, "submitters")}`}${
      adjusted === null ? "" : `\nadjusted p ${adjusted < 0.001 ? "< 0.001" : decimal(adjusted, 3)}`
    }`;
  return await run.finish(rows.map((row) => ({ ...row, set: last.set.set })), {
    counts: { n, missing: total(ours) - n },
    meta: {
      title: `Over-representation by ${by}: shares of ${first.set.set} by those of ${last.set.set}`,
      subtitle: "Right of 1: more of all records than of the set; lines: 95 %. Numbers: records",
      legend: [
        { label: "below 5 % after adjustment", colour: CATEGORY_COLOURS[0] },
        { label: "not, or no interval", colour: BACKGROUND_COLOUR },
      ],
      description: `Dots of ratios of shares for ${counted(shown.length, TAXON_PLURALS[by])}. ${label(texts[0])}: ${
        decimal(dots[0].ratio, 2)
      }.`,
    },
    spec: (plot) => ({
      height: dots.length * 24 + 64,
      marginLeft: marginFor(texts),
      marginRight: 80,
      x: {
        label: `share of ${first.set.set} / share of ${last.set.set}`,
        // Of an axis of logarithms the library leaves out the labels of 0.8 and 0.9.
        domain: [Math.log10(least), Math.log10(most)],
        grid: true,
        ticks: ratioTicks(least, most).map(Math.log10),
        tickFormat: (value: number) => String(Number((10 ** value).toPrecision(3))),
      },
      y: { label: null, domain: texts, padding: 0.4 },
      marks: [
        plot.ruleX([0], { stroke: "currentColor", strokeDasharray: "4,3" }),
        plot.ruleY(dots.filter(({ low }) => low !== null), {
          y: "name",
          x1: ({ low }: RatioRow) => Math.log10(low ?? 1),
          x2: ({ high }: RatioRow) => Math.log10(high ?? 1),
          stroke: "currentColor",
          strokeWidth: 1.5,
          title: said,
        }),
        plot.dot(dots, {
          y: "name",
          x: ({ ratio }: RatioRow) => Math.log10(ratio ?? 1),
          fill: colourOf,
          stroke: "currentColor",
          r: 5,
          title: said,
        }),
        plot.text(dots, {
          y: "name",
          text: ({ records }: RatioRow) => count(records),
          frameAnchor: "right",
          textAnchor: "start",
          dx: 8,
        }),
      ],
    }),
  });
}

/** Ticks of an axis of ratios, finer near 1, so many as have room. */
function ratioTicks(least: number, most: number): number[] {
  const powers = Array.from({ length: 13 }, (_, at) => 10 ** (at - 6));
  return [
    [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.4, 1.6, 1.8, 2],
    powers.flatMap((power) => [power, 2 * power, 5 * power]),
    powers,
  ].map((ticks) => ticks.filter((tick) => tick >= least && tick <= most))
    .find(({ length }, at) => length <= 10 && (at > 0 || least >= 0.5 && most <= 2)) ?? [1];
}

async function tallySet(run: Run<TaxonRole, Role>, by: TaxonRole, submitter: boolean): Promise<TallyRow[]> {
  return await run.tallyTexts(submitter ? [by, "submitter"] : [by]);
}

function sums(rows: readonly TallyRow[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { keys: [name], count } of rows) found.set(String(name), (found.get(String(name)) ?? 0) + count);
  return found;
}

/** Cells by submitter and value; records without a submitter are those of one. */
function cellsOf(
  { ours, theirs, names }: {
    readonly ours: readonly TallyRow[];
    readonly theirs: readonly TallyRow[];
    readonly names: readonly string[];
  },
): { readonly cells: GroupCell[]; readonly groups: number; readonly withoutSubmitter: number } {
  const values = new Map(names.map((name, at) => [name, at]));
  const groups = new Map<string, number>();
  const cells = new Map<string, { group: number; value: number; one: number; other: number }>();
  let withoutSubmitter = 0;
  for (const [rows, side] of [[ours, "one"], [theirs, "other"]] as const) {
    for (const { keys: [name, who = null], count } of rows) {
      // A value that only the other set has is in its total.
      const value = values.get(String(name)) ?? names.length;
      const submitter = who === null ? NO_SUBMITTER : String(who);
      if (submitter === NO_SUBMITTER && side === "one") withoutSubmitter += count;
      const group = groups.get(submitter) ?? groups.size;
      groups.set(submitter, group);
      const key = `${group} ${value}`;
      const cell = cells.get(key) ?? { group, value, one: 0, other: 0 };
      cell[side] += count;
      cells.set(key, cell);
    }
  }
  return { cells: [...cells.values()], groups: groups.size, withoutSubmitter };
}

function rowsOf(
  { names, ratios, counts: [ours, theirs], sizes: [n, others], submitter }: {
    readonly names: readonly string[];
    readonly ratios: readonly SharesRatio[];
    readonly counts: readonly Map<string, number>[];
    readonly sizes: readonly number[];
    readonly submitter: boolean;
  },
): RatioRow[] {
  const known = ratios.flatMap(({ sure }, at) => sure === undefined ? [] : [{ at, p: sure.p }]);
  const adjusted = benjaminiHochberg(known.map(({ p }) => p));
  const adjustedAt = new Map(known.map(({ at }, index) => [at, adjusted[index]]));
  return names.map((taxon, at) => {
    const { ratio, sure, groups } = ratios[at];
    const [records, ofSet] = [ours.get(taxon) ?? 0, theirs.get(taxon) ?? 0];
    return {
      taxon,
      records,
      share: records / n,
      records_of_set: ofSet,
      share_of_set: ofSet / others,
      ratio: ratio ?? null,
      low: sure?.low ?? null,
      high: sure?.high ?? null,
      p: sure?.p ?? null,
      adjusted: adjustedAt.get(at) ?? null,
      submitters: submitter ? groups : null,
    };
  });
}

function notesOf(
  { submitter, withoutSubmitter, groups, few, replicates, seed, sets: [one, other], plural }: {
    readonly submitter: boolean;
    readonly withoutSubmitter: number;
    readonly groups: number;
    readonly few: number;
    readonly replicates: number;
    readonly seed: number;
    readonly sets: readonly [one: string, other: string];
    readonly plural: string;
  },
): string[] {
  const what = `A ratio is the share of ${one} by the share of ${other}, of the records that have a value`;
  if (!submitter) {
    return [
      `${what}. There are no intervals: records of one submitter are not independent, and the data has no field of ` +
      'submitters in both sets; name it by { fields: { submitter: "…" } }, or --field submitter=… on the command line',
    ];
  }
  return [
    `${what}. Intervals of 95 % and p are by a bootstrap over ${counted(groups, "submitters")} (${
      count(replicates)
    } times, seed ${seed}), normal on a scale of logarithms; adjusted is p by Benjamini and Hochberg over all ${plural}`,
    ...few === 0 ? [] : [
      `${counted(few, plural)} ${
        does(few, "have")
      } no interval: fewer than ${LEAST_GROUPS} submitters, and drawn anew they would ` +
      "nearly always be the same, or no record in one of the sets",
    ],
    ...withoutSubmitter === 0 ? [] : [
      `${counted(withoutSubmitter, "records")} ${
        does(withoutSubmitter, "have")
      } no submitter: drawn together, as if they had the same one`,
    ],
  ];
}
