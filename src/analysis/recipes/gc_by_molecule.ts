/** How much G and C sequences have, by kind of nucleic acid. */
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { ANALYSIS_OPTIONS } from "../run/analysis_options.ts";
import type { Analysis, AnalysisOptions } from "../run/analysis.ts";
import { QUANTILE_SHAPE, quantileRows, quantileSpec } from "../run/quantiles.ts";
import { zeroNote } from "../run/notes.ts";
import { readPercentages } from "../run/percentages.ts";
import { outside, rangeOf } from "../run/plausible.ts";
import { Run } from "../run/run.ts";
import type { AnalysisSource } from "../source/source.ts";
import { counted, decimal } from "../chart/words.ts";

/** Options of {@linkcode gcByMolecule}. */
export interface GcByMoleculeOptions extends AnalysisOptions {
  /** Fewest records of a molecule type that is shown; 30 by default: quantiles of fewer are chance. */
  readonly atLeast?: number;
  /** Whether the field holds shares, 0 to 1, or percentages; decided for the column as a whole by default. */
  readonly unit?: "share" | "percent";
}

export const GC_BY_MOLECULE_OPTIONS = {
  ...ANALYSIS_OPTIONS,
  atLeast: rule.wholeNumber({ from: 1 }),
  unit: rule.oneOf(["share", "percent"]),
} satisfies OptionRules<GcByMoleculeOptions>;

/**
 * Quantiles of the GC content for each molecule type that has enough records.
 *
 * @param source A frame, a result of a registry, or a lake.
 * @param options Fewest records.
 * @returns Molecule types × `group`, `records`, `q05`, `q25`, `median`, `q75`, `q95` (Float64, in %; linear between
 * neighbours). A field most of whose values other than 0 are at most 1 is taken for shares and multiplied by 100, and a
 * note says so. Values outside 0 to 100 % (option `plausible`) are left out, counted and named.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { gcByMolecule } from "./gc_by_molecule.ts";
 *
 * const source = pl.DataFrame({ "Molecule Type": ["dsDNA", "dsDNA"], "GC Content": [40, 50] });
 * const { frame } = await gcByMolecule(source, { atLeast: 2 });
 *
 * assertEquals(frame.getColumn("median").toArray(), [45]);
 * ```
 */
export async function gcByMolecule(source: AnalysisSource, options: GcByMoleculeOptions = {}): Promise<Analysis> {
  checkOptions("gcByMolecule()", options, GC_BY_MOLECULE_OPTIONS);
  const { atLeast = 30 } = options;
  const title = "GC content by molecule type";
  const run = await Run.start(source, options, { title, shape: QUANTILE_SHAPE, needs: ["gc", "molecule"] });
  if (run.absent.length > 0) return run.stop();
  const { value, n, zeros } = await readPercentages(run, "gc", options.unit);
  const warning = zeroNote(zeros, n, run.name("gc"));
  if (warning !== undefined) run.note(warning);
  const range = rangeOf(run.options.plausible, "gc");
  const found = await quantileRows(run, {
    group: "molecule",
    value,
    range,
    outside: `a GC content ${outside(range, "%")} in ${run.name("gc")}`,
    atLeast,
  });
  if (found.rows.length === 0) return run.stop(found.whyNone);
  const { rows, counts } = found;
  const [lowest, highest] = [rows[rows.length - 1], rows[0]];
  return await run.finish(rows, {
    counts,
    meta: {
      title,
      subtitle: `Box: half of the records, with the median; line: 5 % to 95 %. Types with at least ${
        counted(atLeast, "records")
      }`,
      description: `Quantiles of the GC content of ${counted(counts.n, "records")} in ${
        counted(rows.length, "molecule types")
      }. Highest median: ${highest.group}, ${decimal(highest.median, 1)} %; lowest: ${lowest.group}, ${
        decimal(lowest.median, 1)
      } %.`,
    },
    spec: quantileSpec(rows, { label: "G and C among A, C, G, T and U (%)" }),
  });
}
