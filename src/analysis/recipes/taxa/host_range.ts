/** Which viruses were found in which hosts. */
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { ANALYSIS_OPTIONS } from "../../run/analysis_options.ts";
import type { Analysis, AnalysisOptions } from "../../run/analysis.ts";
import { cutMatrix, matrixSpec } from "../../chart/matrix.ts";
import { Run, total } from "../../run/run.ts";
import type { AnalysisSource } from "../../source/source.ts";
import { count, counted, label } from "../../chart/words.ts";

/** Options of {@linkcode hostRange}. */
export interface HostRangeOptions extends AnalysisOptions {
  /** Rows; `family` by default, `species` without a family field. */
  readonly by?: "species" | "genus" | "family";
  /** Most rows by name, and most hosts; 15 by default, 30 at most. */
  readonly top?: number;
}

export const HOST_RANGE_OPTIONS = {
  ...ANALYSIS_OPTIONS,
  by: rule.oneOf(["species", "genus", "family"]),
  top: rule.wholeNumber({ from: 1, to: 30 }),
} satisfies OptionRules<HostRangeOptions>;

const PLURALS = { species: "species", genus: "genera", family: "families" } as const;
const SHAPE = { taxon: "String", host: "String", records: "Int64" } as const;

/**
 * Counts records by taxon and host.
 *
 * @param source A frame, a result of a registry, or a lake.
 * @param options Rows, and how many.
 * @returns Cells × `taxon`, `host` (String), `records` (Int64), the largest taxa and hosts first, beyond `top` all
 * others together as `other (…)`; a pair that no record has is not there.
 * @throws {RangeError} If `top` is not between 1 and 30.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { hostRange } from "./host_range.ts";
 *
 * const source = pl.DataFrame({ Family: ["a", "a", "b"], Host: ["pig", "pig", "duck"] });
 *
 * assertEquals((await hostRange(source)).frame.toRecords(), [
 *   { taxon: "a", host: "pig", records: 2 },
 *   { taxon: "b", host: "duck", records: 1 },
 * ]);
 * ```
 */
export async function hostRange(source: AnalysisSource, options: HostRangeOptions = {}): Promise<Analysis> {
  checkOptions("hostRange()", options, HOST_RANGE_OPTIONS);
  const { top = 15 } = options;
  const start = (by: "species" | "genus" | "family") =>
    Run.start(source, options, { title: `Records by ${by} and host`, shape: SHAPE, needs: [by, "host"] });
  let by = options.by ?? "family";
  let run = await start(by);
  if (options.by === undefined && run.absent.includes("family")) run = await start(by = "species");
  if (run.absent.length > 0) return run.stop();
  const tallied = await run.tallyTexts([by, "host"]);
  const cells = tallied.filter(({ keys: [taxon, host] }) => taxon !== null && host !== null)
    .map(({ keys: [taxon, host], count }) => ({ row: String(taxon), column: String(host), records: count }));
  const missing = total(tallied) - cells.reduce((sum, { records }) => sum + records, 0);
  if (cells.length === 0) {
    return run.stop(`There is nothing to show: no record has both (${count(missing)} without one of them)`);
  }
  const matrix = cutMatrix(cells, { top, rows: PLURALS[by], columns: "hosts" });
  run.note("An empty cell says that no such record is there, not that the host is not infected");
  const n = matrix.cells.reduce((sum, { records }) => sum + records, 0);
  const most = cells.reduce((best, cell) => cell.records > best.records ? cell : best);
  const { spec, classes } = matrixSpec(matrix, { rows: by, columns: "host" });
  return await run.finish(matrix.cells.map(({ row, column, records }) => ({ taxon: row, host: column, records })), {
    counts: { n, missing },
    meta: {
      title: `Records by ${by} and host`,
      legendTitle: "records",
      legend: classes.legend,
      description: `Cells of ${counted(n, "records")} by ${by} and host. Most: ${label(most.row)} in ${
        label(most.column)
      }, ${count(most.records)}.`,
    },
    spec,
  });
}
