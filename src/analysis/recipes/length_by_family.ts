/** How long the sequences of each family are. */
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { ANALYSIS_OPTIONS } from "../run/analysis_options.ts";
import type { Analysis, AnalysisOptions } from "../run/analysis.ts";
import { logTicks } from "../chart/axes.ts";
import { QUANTILE_SHAPE, quantileRoom, quantileRows, quantileSpec } from "../run/quantiles.ts";
import { outside, rangeOf } from "../run/plausible.ts";
import { Run } from "../run/run.ts";
import { sharesOfComplete } from "./_shares_of_complete.ts";
import type { AnalysisSource } from "../source/source.ts";
import { count, counted } from "../chart/words.ts";

/** Options of {@linkcode lengthByFamily}. */
export interface LengthByFamilyOptions extends AnalysisOptions {
  /** Groups; `family` by default. */
  readonly by?: "family" | "genus" | "species" | "host" | "molecule" | "segment";
  /** Fewest records of a group that is shown; 30 by default: quantiles of fewer are chance. */
  readonly atLeast?: number;
  /**
   * What is shown: lengths in bp (the default), or lengths as shares of the median length of the records of the same
   * group that are marked complete, of groups with at least ten of these.
   */
  readonly measure?: "length" | "shareOfComplete";
}

export const LENGTH_BY_FAMILY_OPTIONS = {
  ...ANALYSIS_OPTIONS,
  by: rule.oneOf(["family", "genus", "species", "host", "molecule", "segment"]),
  atLeast: rule.wholeNumber({ from: 1 }),
  measure: rule.oneOf(["length", "shareOfComplete"]),
} satisfies OptionRules<LengthByFamilyOptions>;

/**
 * Quantiles of the length for each family that has enough records, computed in the engine.
 *
 * @param source A frame, a result of a registry, or a lake.
 * @param options Groups and fewest records.
 * @returns Groups × `group`, `records`, `q05`, `q25`, `median`, `q75`, `q95` (Float64, in bp; linear between
 * neighbours), by falling median; the 40 largest groups. With `measure: "shareOfComplete"` the quantiles are shares of
 * `reference` (Float64, in bp), the median length of the `complete` (Int64) records that are marked complete.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { lengthByFamily } from "./length_by_family.ts";
 *
 * const source = pl.DataFrame({ Family: ["a", "a", "b"], "Sequence Length": [1000, 3000, 10] });
 * const { frame, notes } = await lengthByFamily(source, { atLeast: 2 });
 *
 * assertEquals(frame.getColumn("median").toArray(), [2000]);
 * assertEquals(notes[0].startsWith("1 group has fewer than 2 records"), true);
 * ```
 */
export async function lengthByFamily(source: AnalysisSource, options: LengthByFamilyOptions = {}): Promise<Analysis> {
  checkOptions("lengthByFamily()", options, LENGTH_BY_FAMILY_OPTIONS);
  const { by = "family", atLeast = 30, measure = "length", ...others } = options;
  if (measure === "shareOfComplete") return await sharesOfComplete(source, { ...others, by, atLeast });
  const title = `Length of sequences by ${by === "molecule" ? "molecule type" : by}`;
  const run = await Run.start(source, options, {
    title,
    shape: QUANTILE_SHAPE,
    needs: ["length", by],
    uses: ["segment", "completeness"],
  });
  if (run.absent.length > 0) return run.stop();
  const range = rangeOf(run.options.plausible, "length");
  const found = await quantileRows(run, {
    group: by,
    value: run.col("length"),
    range: [Math.max(range[0], Number.MIN_VALUE), range[1]],
    outside: `a length ${outside(range, "bp")} in ${run.name("length")}`,
    atLeast,
  });
  if (found.rows.length === 0) return run.stop(found.whyNone);
  const { rows, counts } = found;
  if (run.find("completeness") !== undefined) {
    run.note("Fragments and partial sequences are among them: for lengths of genomes filter on completeness first");
  }
  if (by !== "segment" && run.find("segment") !== undefined) {
    run.note("A segment counts as a sequence of its own: families with segmented genomes look shorter than they are");
  }
  const [low, high] = [Math.min(...rows.map(({ q05 }) => q05)), Math.max(...rows.map(({ q95 }) => q95))];
  const ticks = logTicks(low / 1.0001, high * 1.0001, quantileRoom(rows));
  const [longest, shortest] = [rows[0], rows[rows.length - 1]];
  return await run.finish(rows, {
    counts,
    meta: {
      title,
      subtitle: `Box: half of the records, with the median; line: 5 % to 95 %. Groups with at least ${
        counted(atLeast, "records")
      }`,
      description: `Quantiles of the length of ${counted(counts.n, "records")} in ${
        counted(rows.length, "groups")
      }. Longest median: ${longest.group}, ${count(Math.round(longest.median))} bp; shortest: ${shortest.group}, ${
        count(Math.round(shortest.median))
      } bp.`,
    },
    spec: quantileSpec(
      rows,
      // Lengths that are close have no power of ten between them.
      ticks === undefined
        ? { label: "length of the sequence (bp)" }
        : { label: "length of the sequence (bp, logarithmic)", type: "log", ticks },
    ),
  });
}
