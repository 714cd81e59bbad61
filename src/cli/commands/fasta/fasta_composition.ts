/** `seqreg fasta composition FILE`: how much more often two bases are neighbours than by chance. */
import { DINUCLEOTIDES, readComposition } from "@seqreg/core/fasta/stats/composition";
import { tsvRow } from "@seqreg/core/io/csv/csv_text";
import type { Command } from "../../support/command.ts";
import { noteEmpty, readingOptions, RECORD_OPTION, sourceOf } from "../../support/fasta_input.ts";
import { LEDGER_OPTION, QUIET_OPTION, reportLedger, startProvenance } from "../../support/ledger.ts";
import { OUTPUT_OPTION, withOutput } from "../../support/output.ts";

const STRANDS = ["one", "both", "molecule"] as const;
const DECIMALS = 6;

const command: Command = {
  name: "fasta composition",
  summary: "Write the dinucleotide odds ratios of each sequence",
  operands: "FILE",
  operandCount: [1, 1],
  result: "tsv",
  options: {
    strands: {
      type: "string",
      value: "one|both|molecule",
      describe:
        "the strand as written (ρ), both strands (ρ*), or both where the header's molecule is double-stranded " +
        "(default: molecule)",
    },
    "molecule-field": {
      type: "string",
      value: "NAME",
      describe: "field of the headers that names the molecule (default: Molecule Type)",
    },
    ...RECORD_OPTION,
    ...OUTPUT_OPTION,
    ...LEDGER_OPTION,
    ...QUIET_OPTION,
  },
  examples: ["seqreg fasta composition genomes.fasta.gz", "seqreg fasta composition genomes.fasta --strands both"],
  permissions: ["--allow-read", "--allow-write (for -o and --ledger)", "--allow-env"],
  async run(context) {
    const [file] = context.operands;
    const strands = context.flags.choice("strands", STRANDS, "molecule");
    const moleculeField = context.flags.text("molecule-field");
    const finish = startProvenance("fasta composition", { file, strands, moleculeField: moleculeField ?? null });
    const options = { ...readingOptions(context, file), strands, moleculeField };
    await using reader = readComposition(sourceOf(context, file), options);
    await withOutput(context, async (output) => {
      await output.write(tsvRow(["id", "length", "strands", ...DINUCLEOTIDES]) + "\n");
      for await (const { id, length, strands, ratios } of reader) {
        const cells = ratios.map((ratio) => ratio === null ? "" : ratio.toFixed(DECIMALS));
        await output.write(tsvRow([id, String(length), String(strands), ...cells]) + "\n");
      }
    });
    noteEmpty(context, file, reader.ledger);
    return await reportLedger(context, reader.ledger, finish(reader));
  },
};

export default command;
