/** `seqreg alike clusters SOURCE --ani 99`: near-duplicates around the longest records. */
import type { ClusterMember } from "@seqreg/alike";
import { tsvRow } from "@seqreg/core/io/csv/csv_text";
import { type Command, UsageError } from "../../support/command.ts";
import { nameOf, sourceOf } from "../../support/fasta_input.ts";
import { LEDGER_OPTION, QUIET_OPTION, reportLedger, startProvenance } from "../../support/ledger.ts";
import { OUTPUT_OPTION, withOutput } from "../../support/output.ts";

const command: Command = {
  name: "alike clusters",
  summary: "Cluster the records of a FASTA file or a lake around the longest ones: near-duplicates, or species",
  operands: "SOURCE",
  operandCount: [1, 1],
  result: "tsv",
  options: {
    ani: { type: "string", value: "PERCENT", describe: "least identity with the representative, from 90 to 100" },
    fraction: {
      type: "string",
      value: "PERCENT",
      describe: "least share of a member that is aligned, from 50 to 100 (default: 85)",
    },
    ...OUTPUT_OPTION,
    ...LEDGER_OPTION,
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg alike clusters genomes.fasta.gz --ani 99 -o near_duplicates.tsv",
    "seqreg alike clusters genomes.fasta.gz --ani 95 --fraction 85 -o species.tsv",
  ],
  help: [{
    title: "SOURCE",
    lines: ["FASTA, also compressed; an archive of sequences, or a folder of archives; a lake. - is standard input."],
  }, {
    title: "Output",
    lines: [
      "TSV: representative, member, ani and fraction in percent, one row for each record; a representative is a member",
      "of its cluster. Records come longest first, ties by accession; each joins the first representative that it is",
      "near to, as in checkv aniclust. ani is that of the member's aligned bases, fraction the share of the member's",
      "bases that are aligned. The summary counts exact duplicates: same bytes, other case, reverse complement.",
      "Sequences are held in memory.",
    ],
  }],
  permissions: [
    "--allow-read",
    "--allow-write (for -o)",
    "--allow-env",
    "--allow-sys",
    "--allow-ffi (a lake or an archive)",
  ],
  async run(context) {
    const { flags, signal, operands: [file] } = context;
    const ani = percent(flags.text("ani"), "ani", 90);
    const fraction = percent(flags.text("fraction"), "fraction", 50);
    if (ani === undefined) {
      throw new UsageError("Cannot cluster without a threshold: expected seqreg alike clusters SOURCE --ani 99");
    }
    const finish = startProvenance("alike clusters", { source: file, ani, fraction });
    const { clusterGenomes } = await import("@seqreg/alike/clusters/cluster_genomes");
    const clustered = await clusterGenomes(sourceOf(context, file), {
      ani: ani / 100,
      name: nameOf(file),
      signal,
      ...fraction !== undefined && { fraction: fraction / 100 },
    });
    const { members, clusters } = clustered;
    await withOutput(context, async (output) => {
      await output.write(tsvRow(["representative", "member", "ani", "fraction"]) + "\n");
      for (const member of members) await output.write(rowOf(member) + "\n");
    });
    const count = (kind: ClusterMember["duplicate"]) => members.filter(({ duplicate }) => duplicate === kind).length;
    context.summary(
      `${clusters} clusters of ${members.length} records; exact duplicates: ${count("same")} with the same bytes, ` +
        `${count("case")} in another case, ${count("reverse-complement")} as the reverse complement`,
    );
    return await reportLedger(context, clustered.ledger, finish(clustered));
  },
};

export default command;

function percent(text: string | undefined, name: string, least: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === "" || !(value >= least && value <= 100)) {
    throw new UsageError(`Cannot use --${name} ${JSON.stringify(text)}: expected a percentage from ${least} to 100`);
  }
  return value;
}

function rowOf({ representative, member, ani, fraction }: ClusterMember): string {
  return tsvRow([representative, member, (100 * ani).toFixed(2), (100 * fraction).toFixed(2)]);
}
