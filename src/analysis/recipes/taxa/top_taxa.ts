/** Which taxa, hosts or other categories have most records. */
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { ANALYSIS_OPTIONS } from "../../run/analysis_options.ts";
import type { Analysis, AnalysisOptions } from "../../run/analysis.ts";
import { countTicks, marginFor, PICTURE_WIDTH } from "../../chart/axes.ts";
import { dominanceNote } from "../../run/notes.ts";
import { byCount, Run, total } from "../../run/run.ts";
import type { AnalysisSource } from "../../source/source.ts";
import { CATEGORY_COLOURS, NEUTRAL_COLOUR } from "../../chart/palette.ts";
import { count, counted, labels, percent } from "../../chart/words.ts";

/** What {@linkcode topTaxa} can count by. */
export type TaxonRole = "species" | "genus" | "family" | "host" | "molecule" | "country";

/** Options of {@linkcode topTaxa}. */
export interface TopTaxaOptions extends AnalysisOptions {
  /** What is counted by; `species` by default. */
  readonly by?: TaxonRole;
  /** How many are shown by name; 15 by default, 50 at most. */
  readonly top?: number;
}

export const TOP_TAXA_OPTIONS = {
  ...ANALYSIS_OPTIONS,
  by: rule.oneOf(["species", "genus", "family", "host", "molecule", "country"]),
  top: rule.wholeNumber({ from: 1, to: 50 }),
} satisfies OptionRules<TopTaxaOptions>;

const SHAPE = { taxon: "String", kind: "String", records: "Int64", share: "Float64" } as const;

/** What several of a kind are called. */
export const TAXON_PLURALS: Readonly<Record<TaxonRole, string>> = {
  species: "species",
  genus: "genera",
  family: "families",
  host: "hosts",
  molecule: "molecule types",
  country: "countries",
};

/**
 * Counts records by taxon: the most frequent by name, then all others together, then those without one, so that the
 * bars add up to all records.
 *
 * @param source A frame, a result of a registry, or a lake.
 * @param options What to count by, how many to show.
 * @returns Bars × `taxon` (String), `kind` (`taxon`, `other` or `missing`), `records` (Int64), `share` of all records
 * (Float64, 0 to 1).
 * @throws {RangeError} If `top` is not between 1 and 50.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { topTaxa } from "./top_taxa.ts";
 *
 * const { frame } = await topTaxa(pl.DataFrame({ Species: ["a", "a", "b", "c", null] }), { top: 1 });
 *
 * assertEquals(frame.getColumn("kind").toArray(), ["taxon", "other", "missing"]);
 * assertEquals(frame.getColumn("records").toArray(), [2, 2, 1]);
 * ```
 */
export async function topTaxa(source: AnalysisSource, options: TopTaxaOptions = {}): Promise<Analysis> {
  checkOptions("topTaxa()", options, TOP_TAXA_OPTIONS);
  const { by = "species", top = 15 } = options;
  const plural = TAXON_PLURALS[by];
  const title = `Records by ${by === "molecule" ? "molecule type" : by}`;
  const run = await Run.start(source, options, { title, shape: SHAPE, needs: [by] });
  if (run.absent.length > 0) return run.stop();
  const tallied = await run.tallyTexts([by]);
  const named = tallied.filter(({ keys: [name] }) => name !== null).sort(byCount);
  const missing = total(tallied) - total(named);
  const n = total(tallied);
  if (named.length === 0) {
    return run.stop(`There is nothing to show: no record has a value (${count(missing)} without one)`);
  }
  const rest = named.slice(top);
  const rows = [
    ...named.slice(0, top).map(({ keys: [name], count }) => ({ taxon: String(name), kind: "taxon", records: count })),
    ...rest.length === 0
      ? []
      : [{ taxon: `other (${count(rest.length)} ${plural})`, kind: "other", records: total(rest) }],
    ...missing === 0 ? [] : [{ taxon: "missing", kind: "missing", records: missing }],
  ].map((row) => ({ ...row, share: row.records / n }));
  const warning = dominanceNote(named.map(({ keys: [name], count }) => ({ name, count })), by);
  if (warning !== undefined) run.note(warning);
  const names = labels(rows.map(({ taxon }) => taxon));
  const bars = rows.map((row, index) => ({ ...row, name: names[index] }));
  const first = rows[0];
  const marginLeft = marginFor(names);
  const shown = Math.min(top, named.length);
  return await run.finish(rows, {
    counts: { n: n - missing, missing },
    meta: {
      title,
      subtitle: `${counted(named.length, plural)} in all; shares are of all ${counted(n, "records")}`,
      description:
        `Bars of records by ${by}, ${
          shown === named.length ? "all of them" : `the ${shown} most frequent of ${count(named.length)}`
        }. ` +
        `First: ${names[0]}, ${counted(first.records, "records")} (${percent(first.records, n)}).`,
    },
    spec: (plot) => ({
      height: bars.length * 22 + 64,
      marginLeft,
      marginRight: 116,
      x: {
        label: "records",
        grid: true,
        ...countTicks(Math.max(...rows.map(({ records }) => records)), PICTURE_WIDTH - marginLeft - 116),
      },
      y: { label: null, domain: names, padding: 0.15 },
      marks: [
        plot.barX(bars, {
          x: "records",
          y: "name",
          fill: ({ kind }: { kind: string }) => kind === "taxon" ? CATEGORY_COLOURS[0] : NEUTRAL_COLOUR,
        }),
        plot.text(bars, {
          x: "records",
          y: "name",
          text: ({ records }: { records: number }) => `${count(records)} (${percent(records, n)})`,
          textAnchor: "start",
          dx: 5,
        }),
        plot.ruleX([0]),
      ],
    }),
  });
}
