/** Who submits samples from where. */
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { ANALYSIS_OPTIONS } from "../run/analysis_options.ts";
import type { Analysis, AnalysisOptions } from "../run/analysis.ts";
import { cutMatrix, matrixSpec } from "../chart/matrix.ts";
import { loadPlaces } from "../places/places.ts";
import { placesOf } from "../run/country_counts.ts";
import { Run } from "../run/run.ts";
import type { AnalysisSource } from "../source/source.ts";
import { count, counted, does, percent } from "../chart/words.ts";

/** Options of {@linkcode submissionFlow}. */
export interface SubmissionFlowOptions extends AnalysisOptions {
  /** Most countries by name; 15 by default, 30 at most. */
  readonly top?: number;
}

export const SUBMISSION_FLOW_OPTIONS = {
  ...ANALYSIS_OPTIONS,
  top: rule.wholeNumber({ from: 1, to: 30 }),
} satisfies OptionRules<SubmissionFlowOptions>;

const SHAPE = { collected_in: "String", submitted_from: "String", records: "Int64" } as const;

/**
 * Counts records by country of collection and country of the submitter.
 *
 * @param source A frame, a result of a registry, or a lake.
 * @param options How many countries.
 * @returns Cells × `collected_in`, `submitted_from` (names of countries in English), `records` (Int64). Countries stand
 * in the same order on both sides, those with most records first, and beyond `top` all others together as `other (…)`.
 * @throws {RangeError} If `top` is not between 1 and 30.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { submissionFlow } from "./submission_flow.ts";
 *
 * const source = pl.DataFrame({ Country: ["Kenya", "Zaire"], "Submitter Country": ["Kenya", "Belgium"] });
 * const { frame, chart } = await submissionFlow(source);
 *
 * assertEquals(frame.height, 2);
 * assertEquals(chart?.description.includes("50.0 % were submitted from the country"), true);
 * ```
 */
export async function submissionFlow(source: AnalysisSource, options: SubmissionFlowOptions = {}): Promise<Analysis> {
  checkOptions("submissionFlow()", options, SUBMISSION_FLOW_OPTIONS);
  const { top = 15 } = options;
  const title = "From country of collection to country of the submitter";
  const run = await Run.start(source, options, { title, shape: SHAPE, needs: ["country", "submitterCountry"] });
  if (run.absent.length > 0) return run.stop();
  const places = await loadPlaces();
  const cells = new Map<string, { row: string; column: string; records: number }>();
  const left = { missing: 0, unmatched: 0 };
  const tallied = await run.tallyPlaces(["country", "submitterCountry"]);
  const [readCountry, readSubmitter] = (["country", "submitterCountry"] as const).map((role, at) =>
    placesOf(run, { places, role, texts: tallied.map(({ keys }) => keys[at]) })
  );
  for (const { keys: [from, to], count } of tallied) {
    if (from === null || to === null) {
      left.missing += count;
      continue;
    }
    const [collected, submitted] = [readCountry(String(from)).country, readSubmitter(String(to)).country];
    if (collected === undefined || submitted === undefined) {
      left.unmatched += count;
      continue;
    }
    const key = `${collected.code} ${submitted.code}`;
    const known = cells.get(key) ?? { row: collected.name, column: submitted.name, records: 0 };
    known.records += count;
    cells.set(key, known);
  }
  const all = [...cells.values()];
  const known = all.reduce((sum, { records }) => sum + records, 0);
  if (left.unmatched > 0) {
    run.note(
      `${counted(left.unmatched, "records")} ${
        does(left.unmatched, "name")
      } a place that is not a present-day country; worldMap lists the names`,
    );
  }
  if (known === 0) {
    return run.stop(
      `There is nothing to show: no record has both countries (${count(left.missing)} without one of them)`,
    );
  }
  const home = all.filter(({ row, column }) => row === column).reduce((sum, { records }) => sum + records, 0);
  const matrix = cutMatrix(all, { top, rows: "countries", columns: "countries", order: "shared" });
  run.note("The submitter's country is that of an address: a laboratory may submit for others");
  const { spec, classes } = matrixSpec(matrix, { rows: "collected in", columns: "submitted from" });
  const rows = matrix.cells.map(({ row, column, records }) => ({ collected_in: row, submitted_from: column, records }));
  return await run.finish(rows, {
    counts: { n: known, excluded: left.unmatched, missing: left.missing },
    meta: {
      title,
      subtitle: `${percent(home, known)} of ${counted(known, "records")} ${
        does(known, "were")
      } submitted from the country of the sample`,
      legendTitle: "records",
      legend: classes.legend,
      description:
        `Cells of records by country of collection and of submission. ${percent(home, known)} were submitted ` +
        `from the country of the sample.`,
    },
    spec,
  });
}
