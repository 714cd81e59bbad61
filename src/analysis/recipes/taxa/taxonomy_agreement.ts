/** How the names of one taxonomy are mapped to those of another. */
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { nameAgreement } from "./_name_agreement.ts";
import { ANALYSIS_OPTIONS } from "../../run/analysis_options.ts";
import type { Analysis, AnalysisOptions } from "../../run/analysis.ts";
import { cutMatrix, matrixSpec } from "../../chart/matrix.ts";
import { Run, total } from "../../run/run.ts";
import { type AnalysisSource, tableOf } from "../../source/source.ts";
import { count, counted, label, percent } from "../../chart/words.ts";

/** Options of {@linkcode taxonomyAgreement}. */
export interface TaxonomyAgreementOptions extends AnalysisOptions {
  /**
   * Whether relations of a `map` between two taxonomies are counted (the default), or names
   * of the same `records` compared.
   */
  readonly compare?: "map" | "records";
  /** @deprecated Write `compare`. */
  readonly of?: "map" | "records";
}

export const TAXONOMY_AGREEMENT_OPTIONS = {
  ...ANALYSIS_OPTIONS,
  compare: rule.oneOf(["map", "records"]),
  of: rule.oneOf(["map", "records"]),
} satisfies OptionRules<TaxonomyAgreementOptions>;

const SHAPE = { rank: "String", relation: "String", taxa: "Int64" } as const;

/**
 * Counts taxa of the mapping by rank and relation; or, of the same records, how far two taxonomies agree beyond chance.
 *
 * Of records every two fields of a rank are compared, such as `Family ICTV` and `Family NCBI`, by Cohen's kappa
 * (pₒ − pₑ) / (1 − pₑ) over the records that have both, with the interval of Fleiss, Cohen and Everitt (1969).
 *
 * @param source A lake (its table `reftax1_to_reftax2_map` is read, for `records` its main one), or a table as a frame.
 * @param options Which of both, and what all analyses share.
 * @returns Cells × `rank`, `relation` (String), `taxa` (Int64), the largest first, beyond 30 of each all others
 * together. Of records: pairs of fields × `rank`, `one`, `other` (String), `records`, `agreed` (Int64), `kappa`, `low`,
 * `high` (Float64; null where all records have one name in both).
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import pl from "nodejs-polars";
 * import { taxonomyAgreement } from "./taxonomy_agreement.ts";
 *
 * const source = pl.DataFrame({ Rank: ["species", "species"], Relation: ["exact", "exact"] });
 *
 * assertEquals((await taxonomyAgreement(source)).frame.toRecords(), [{ rank: "species", relation: "exact", taxa: 2 }]);
 * ```
 */
export async function taxonomyAgreement(
  source: AnalysisSource,
  options: TaxonomyAgreementOptions = {},
): Promise<Analysis> {
  checkOptions("taxonomyAgreement()", options, TAXONOMY_AGREEMENT_OPTIONS);
  const { compare = options.of ?? "map" } = options;
  if (compare === "records") return await nameAgreement(source, options);
  const title = "Taxa of one taxonomy by their relation to the other";
  const run = await Run.start(source, { ...options, ...tableOf(source, options, "reftax1_to_reftax2_map") }, {
    title,
    shape: SHAPE,
    needs: ["rank", "relation"],
  });
  if (run.absent.length > 0) return run.stop();
  const tallied = await run.tallyTexts(["rank", "relation"]);
  const cells = tallied.filter(({ keys: [rank, relation] }) => rank !== null && relation !== null)
    .map(({ keys: [rank, relation], count }) => ({ row: String(rank), column: String(relation), records: count }));
  const known = cells.reduce((sum, { records }) => sum + records, 0);
  const missing = total(tallied) - known;
  if (known === 0) {
    return run.stop(`There is nothing to show: no taxon has both values (${count(missing)} without one)`);
  }
  const matrix = cutMatrix(cells, { top: 30, rows: "ranks", columns: "relations" });
  const first = matrix.columns[0];
  const most = cells.filter(({ column }) => column === first).reduce((sum, { records }) => sum + records, 0);
  const { spec, classes } = matrixSpec(matrix, { rows: "rank", columns: "relation" });
  return await run.finish(
    matrix.cells.map(({ row, column, records }) => ({ rank: row, relation: column, taxa: records })),
    {
      counts: { n: known, unit: "taxa", missing },
      meta: {
        title,
        subtitle: `${percent(most, known)} of taxa: ${label(first)}`,
        legendTitle: "taxa",
        legend: classes.legend,
        description: `Cells of ${counted(known, "taxa")} by rank and relation. ${percent(most, known)} are ${
          label(first)
        }.`,
      },
      spec,
    },
  );
}
