/** How far two taxonomies agree in the names of the same records. */
import { fieldAlias } from "@seqreg/core/contract/field_alias";
import { marginFor } from "../../chart/axes.ts";
import { CATEGORY_COLOURS } from "../../chart/palette.ts";
import { count, counted, decimal, label, labels, percent } from "../../chart/words.ts";
import type { Analysis, AnalysisOptions } from "../../run/analysis.ts";
import { Run } from "../../run/run.ts";
import { keyOf } from "../../source/texts.ts";
import { SOURCE_WORDS } from "../../source/roles.ts";
import type { AnalysisSource } from "../../source/source.ts";
import type { SourceColumn } from "../../source/source_column.ts";
import { cohensKappa, type NamePair } from "../../statistics/agreement.ts";
import { exactColumn } from "@seqreg/core/engine/frames";

const SHAPE = {
  rank: "String",
  one: "String",
  other: "String",
  records: "Int64",
  agreed: "Int64",
  kappa: "Float64",
  low: "Float64",
  high: "Float64",
} as const;
/** Ranks from the narrowest. */
const RANKS = ["species", "genus", "subfamily", "family", "order", "class", "phylum", "kingdom", "realm"] as const;

interface KappaRow {
  readonly rank: string;
  readonly one: string;
  readonly other: string;
  readonly records: number;
  readonly agreed: number;
  readonly kappa: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

/** Compares every two fields of a rank, over the records that have both. */
export async function nameAgreement(source: AnalysisSource, options: AnalysisOptions): Promise<Analysis> {
  const title = "Agreement of taxonomies on the same records (Cohen's kappa)";
  const run = await Run.start(source, options, { title, shape: SHAPE, needs: [] });
  const rows: KappaRow[] = [];
  let most = 0;
  for (const rank of RANKS) {
    const columns = columnsOf(run.source.columns, rank);
    for (const [at, one] of columns.entries()) {
      for (const other of columns.slice(at + 1)) {
        const pairs = await pairsOf(run, one.name, other.name);
        const { n, agreed, kappa } = cohensKappa(pairs);
        most = Math.max(most, n);
        if (n === 0) continue;
        rows.push({
          rank,
          one: one.name,
          other: other.name,
          records: n,
          agreed: Math.round(agreed * n),
          kappa: kappa?.value ?? null,
          low: kappa?.low ?? null,
          high: kappa?.high ?? null,
        });
      }
    }
  }
  if (rows.length === 0) {
    return run.stop(
      "There is nothing to compare: no rank has fields of two taxonomies that a record has both of, such as Family ICTV " +
        "and Family NCBI",
    );
  }
  run.note(
    "Cohen's kappa is (pₒ − pₑ) / (1 − pₑ): agreement beyond what equal shares of names produce by chance; 1 is full, 0 " +
      "none. Intervals of 95 % take records as independent (Fleiss, Cohen and Everitt), which those of one outbreak are not",
  );
  const undecided = rows.filter(({ kappa }) => kappa === null).length;
  if (undecided > 0) {
    run.note(
      `${counted(undecided, "pairs")} of fields have one name alone in both: chance agrees as well, there is no kappa`,
    );
  }
  const drawn = rows.filter(({ kappa }) => kappa !== null);
  if (drawn.length === 0) return run.stop("There is no kappa to draw", rows.map((row) => ({ ...row })));
  const names = labels(drawn.map(({ one, other }) => `${one}, ${other}`));
  const dots = drawn.map((row, at) => ({ ...row, name: names[at] }));
  const least = Math.min(0, ...drawn.map(({ low }) => low ?? 0));
  const said = ({ one, other, records, agreed, kappa, low, high }: KappaRow) =>
    `${one}, ${other}\nkappa ${decimal(kappa ?? 0, 3)}, ${decimal(low ?? 0, 3)} to ${decimal(high ?? 0, 3)}\n` +
    `${percent(agreed, records)} of ${counted(records, "records")} have the same name`;
  return await run.finish(rows.map((row) => ({ ...row })), {
    counts: { n: most, unseen: "n is that of the pair with most records; each has its own" },
    meta: {
      title,
      subtitle: "With intervals of 95 %; right of them the share of records with the same name",
      description: `Dots of Cohen's kappa for ${counted(drawn.length, "pairs")} of fields. ${label(names[0])}: ${
        decimal(drawn[0].kappa ?? 0, 3)
      }.`,
    },
    spec: (plot) => ({
      height: dots.length * 28 + 64,
      marginLeft: marginFor(names),
      marginRight: 110,
      x: { label: "Cohen's kappa", grid: true, domain: [least, 1] },
      y: { label: null, domain: names, padding: 0.4 },
      marks: [
        plot.ruleY(dots, { y: "name", x1: "low", x2: "high", stroke: "currentColor", strokeWidth: 1.5, title: said }),
        plot.dot(dots, { y: "name", x: "kappa", fill: CATEGORY_COLOURS[0], r: 5, title: said }),
        plot.text(dots, {
          y: "name",
          text: ({ agreed, records }: KappaRow) => `${percent(agreed, records)} of ${count(records)}`,
          frameAnchor: "right",
          textAnchor: "start",
          dx: 8,
        }),
      ],
    }),
  });
}

/** Fields of a rank, each of a taxonomy of its own. */
function columnsOf(columns: readonly SourceColumn[], rank: string): SourceColumn[] {
  const names = [rank, `virus_${rank}`, ...SOURCE_WORDS.flatMap((word) => [`${rank}_${word}`, `${word}_${rank}`])];
  return names.flatMap((name) => columns.filter(({ field, type }) => type === "string" && fieldAlias(field) === name));
}

async function pairsOf(run: Run, one: string, other: string): Promise<NamePair[]> {
  const { pl } = run;
  const [first, second] = [one, other].map((name) => exactColumn(pl, name).cast(pl.String));
  const known = run.source.scan().filter(first.isNotNull().and(second.isNotNull()));
  const merged = new Map<string, { one: string; other: string; count: number }>();
  for (const { keys: [a, b], count } of await run.tally({ one: first, other: second }, known)) {
    const [left, right] = [a, b].map((name) => keyOf(String(name)));
    if (left === null || right === null) continue;
    const key = JSON.stringify([left, right]);
    const pair = merged.get(key) ?? { one: left, other: right, count: 0 };
    pair.count += count;
    merged.set(key, pair);
  }
  return [...merged.values()];
}
