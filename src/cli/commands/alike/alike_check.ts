/** `seqreg alike check LAKE`: clusters checked by aligning members to representatives. */
import type { CheckedPair } from "@seqreg/alike";
import { tsvRow } from "@seqreg/core/io/csv/csv_text";
import { type Command, EXIT } from "../../support/command.ts";
import { QUIET_OPTION } from "../../support/ledger.ts";
import { OUTPUT_OPTION, withOutput } from "../../support/output.ts";

const command: Command = {
  name: "alike check",
  summary: "Check the clusters of a lake: align a sample of members to their representatives",
  operands: "LAKE",
  operandCount: [1, 1],
  result: "tsv",
  options: {
    pairs: { type: "string", short: "n", value: "N", describe: "maximum pairs to align (default: 200)" },
    seed: { type: "string", value: "N", describe: "which draw of pairs (default: 1)" },
    ...OUTPUT_OPTION,
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg lake archives -o lake && seqreg alike check lake",
    "seqreg alike check lake -n 1000 -o checked.tsv",
  ],
  help: [{
    title: "LAKE",
    lines: ["A lake, or a folder of archives, that has the comparison metrics of clusters and the sequences."],
  }, {
    title: "Output",
    lines: [
      "TSV, one row for each pair that was drawn, as many of each stratum of stated identity as there are. In percent:",
      "identity and coverage as stated; ani and fraction as aligned, both of the member. nearest is the representative",
      "that has most of the member's bases. The verdict is the first that holds:",
      "no-sequence, or too-long to align;",
      "nearer: another representative has more of the member's bases, at 95 % over 85 % or above;",
      "below-threshold: below 95 % over 85 %. Graph methods may join such members by a chain, which is not an error;",
      "differs: identity by more than 1 point, or coverage by more than 5; agrees.",
      "Exit code 4 if pairs could not be aligned, 3 if the lake has no pair of two records.",
    ],
  }],
  permissions: ["--allow-read", "--allow-write", "--allow-env", "--allow-sys", "--allow-ffi"],
  async run(context) {
    const { flags, signal, operands: [lake] } = context;
    const pairs = flags.integer("pairs", { least: 1, most: 10_000 });
    const seed = flags.integer("seed", { least: 0, most: 1_000_000_000 });
    const { checkClusters } = await import("@seqreg/alike/clusters/check_clusters");
    const checked = await checkClusters(lake, {
      signal,
      pairs,
      seed,
    });
    await withOutput(context, async (output) => {
      await output.write(tsvRow(COLUMNS) + "\n");
      for (const pair of checked.pairs) await output.write(tsvRow(cellsOf(pair)) + "\n");
    });
    const { verdicts, total, longerMembers } = checked;
    const unaligned = verdicts["no-sequence"] + verdicts["too-long"];
    context.summary(`${longerMembers} of ${total} members are longer than their representatives`);
    context.summary(
      `alike check: ${checked.pairs.length - unaligned} of ${total} pairs aligned: ${verdicts.agrees} agree, ` +
        `${verdicts.differs} differ, ${
          verdicts["below-threshold"]
        } below the threshold, ${verdicts.nearer} nearer to ` +
        `another representative; ${unaligned} could not be aligned`,
    );
    if (total === 0) return EXIT.nothing;
    return unaligned > 0 ? EXIT.incomplete : EXIT.done;
  },
};

export default command;

const COLUMNS = ["representative", "member", "identity", "coverage", "ani", "fraction", "nearest", "verdict"];

function cellsOf(
  { representative, member, identity, coverage, ani, fraction, nearest, verdict }: CheckedPair,
): string[] {
  const numbers = [identity, coverage, ani, fraction].map((share) => share === null ? "" : (100 * share).toFixed(2));
  return [representative, member, ...numbers, nearest ?? "", verdict];
}
