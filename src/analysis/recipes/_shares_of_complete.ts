/** Lengths as shares of the median length of the records of the same group that are marked complete. */
import { listSome } from "@seqreg/core/contract/ledger";
import { trimWhiteSpace } from "@seqreg/core/contract/values";
import type { Analysis, AnalysisOptions } from "../run/analysis.ts";
import { groupMedians, QUANTILE_SHAPE, type QuantileRow, quantileRows, quantileSpec } from "../run/quantiles.ts";
import { outside, rangeOf } from "../run/plausible.ts";
import { Run } from "../run/run.ts";
import type { AnalysisSource } from "../source/source.ts";
import { count, counted, decimal, does } from "../chart/words.ts";

const SHAPE = { ...QUANTILE_SHAPE, reference: "Float64", complete: "Int64" } as const;
/** Records marked complete that a median is taken of, at least. */
const LEAST_COMPLETE = 10;
/** Texts that mark a record complete, in lower case. */
const COMPLETE: readonly string[] = ["complete", "complete genome", "complete sequence"];
const QUANTILES = ["q05", "q25", "median", "q75", "q95"] as const;

interface SharesOptions extends AnalysisOptions {
  readonly by: "family" | "genus" | "species" | "host" | "molecule" | "segment";
  /** Fewest records of a group. */
  readonly atLeast: number;
}

/** Quantiles of these shares by group, by falling median. */
export async function sharesOfComplete(
  source: AnalysisSource,
  { by, atLeast, ...options }: SharesOptions,
): Promise<Analysis> {
  const title = `Length of sequences against complete ones by ${by === "molecule" ? "molecule type" : by}`;
  const run = await Run.start(source, options, {
    title,
    shape: SHAPE,
    needs: ["length", by, "completeness"],
    uses: ["segment"],
  });
  if (run.absent.length > 0) return run.stop();
  const { pl } = run;
  const marks = (await run.tally({ text: run.text("completeness") })).flatMap(({ keys: [text] }) =>
    typeof text === "string" && COMPLETE.includes(trimWhiteSpace(text).toLowerCase()) ? [text] : []
  );
  const field = run.name("completeness");
  if (marks.length === 0) return run.stop(`There is nothing to show: no record is marked complete in ${field}`);
  const isComplete = marks.map((text) => run.text("completeness").eq(pl.lit(text))).reduce((all, one) => all.or(one));
  const [least, most] = rangeOf(run.options.plausible, "length");
  const range = [Math.max(least, Number.MIN_VALUE), most] as const;
  const complete = pl.when(isComplete).then(run.col("length").cast(pl.Float64)).otherwise(pl.lit(null));
  const medians = await groupMedians(run, { group: by, value: complete, range });
  const found = await quantileRows(run, {
    group: by,
    value: run.col("length"),
    range,
    outside: `a length ${outside([least, most], "bp")} in ${run.name("length")}`,
    atLeast,
  });
  if (found.rows.length === 0) return run.stop(found.whyNone);
  const without: string[] = [];
  const rows = found.rows.flatMap((row) => {
    const reference = medians.get(row.group);
    if (reference !== undefined && reference.records >= LEAST_COMPLETE) return [relative(row, reference)];
    without.push(row.group);
    return [];
  }).sort((a, b) => b.median - a.median || (a.group < b.group ? -1 : 1));
  if (without.length > 0) {
    run.note(
      `${counted(without.length, "groups")} ${
        does(without.length, "have")
      } fewer than ${LEAST_COMPLETE} records that ` +
        `are marked complete in ${field} and ${does(without.length, "are")} not shown: ${
          listSome(without.toSorted(), 8)
        }. The median of so few is chance`,
    );
  }
  if (rows.length === 0) {
    return run.stop(`There is nothing to show: no group has ${LEAST_COMPLETE} records marked complete in ${field}`);
  }
  run.note(`100 % is the median length of the records of the group that are marked complete in ${field}`);
  if (by !== "segment" && run.find("segment") !== undefined) {
    run.note("A segment counts as a sequence of its own: of segmented genomes the median is of all segments together");
  }
  const n = rows.reduce((sum, { records }) => sum + records, 0);
  const { counts } = found;
  const [first, last] = [rows[0], rows[rows.length - 1]];
  return await run.finish(rows, {
    counts: { n, missing: counts.missing, excluded: (counts.excluded ?? 0) + counts.n - n },
    meta: {
      title,
      subtitle: `Box: half of the records, with the median; line: 5 % to 95 %. Groups with at least ${
        counted(atLeast, "records")
      }, ${LEAST_COMPLETE} of them complete`,
      description: `Quantiles of the length of ${counted(n, "records")} in ${
        counted(rows.length, "groups")
      } as shares of the median length of complete records. Highest median: ${first.group}, ${
        shareText(first.median)
      } of ${count(Math.round(first.reference))} bp; lowest: ${last.group}, ${shareText(last.median)} of ${
        count(Math.round(last.reference))
      } bp.`,
    },
    spec: quantileSpec(rows.map(asPercent), { label: "length (% of the median of complete records)" }),
  });
}

function shareText(share: number): string {
  return `${decimal(share * 100, 1)} %`;
}

type RelativeRow = QuantileRow & { readonly reference: number; readonly complete: number };

/** Quantiles of shares are shares of quantiles. */
function relative(row: QuantileRow, { records, median }: { records: number; median: number }): RelativeRow {
  return { ...scaled(row, 1 / median), reference: median, complete: records };
}

function asPercent(row: RelativeRow): RelativeRow {
  return { ...row, ...scaled(row, 100) };
}

function scaled(row: QuantileRow, factor: number): QuantileRow {
  return { ...row, ...Object.fromEntries(QUANTILES.map((name) => [name, row[name] * factor])) };
}
