/** `seqreg fasta digest FILE`: digests that identify each sequence by its bases. */
import { readFastaBatches } from "@seqreg/core/fasta/records/read_fasta_batches";
import { sequenceDigests } from "@seqreg/core/fasta/stats/sequence_digests";
import { tsvRow } from "@seqreg/core/io/csv/csv_text";
import type { Command } from "../../support/command.ts";
import { noteEmpty, readingOptions, RECORD_OPTION, sourceOf } from "../../support/fasta_input.ts";
import { LEDGER_OPTION, QUIET_OPTION, reportLedger, startProvenance } from "../../support/ledger.ts";
import { OUTPUT_OPTION, withOutput } from "../../support/output.ts";

const command: Command = {
  name: "fasta digest",
  summary: "Write the length, GA4GH digest and MD5 of each sequence",
  operands: "FILE",
  operandCount: [1, 1],
  result: "tsv",
  options: { ...RECORD_OPTION, ...OUTPUT_OPTION, ...LEDGER_OPTION, ...QUIET_OPTION },
  examples: ["seqreg fasta digest genomes.fasta.gz", "seqreg fasta digest genomes.fasta | sort -k3 | uniq -D -f2"],
  help: [{
    title: "Digests",
    lines: [
      "Of every byte that length counts, in upper case: all but white space. Those of printable ASCII are what",
      "samtools and GA4GH have; of a character outside it, which they leave out or refuse, the ledger warns.",
    ],
  }],
  permissions: ["--allow-read", "--allow-write (for -o and --ledger)", "--allow-env"],
  async run(context) {
    const [file] = context.operands;
    const finish = startProvenance("fasta digest", { file });
    await using reader = readFastaBatches(sourceOf(context, file), readingOptions(context, file));
    await withOutput(context, async (output) => {
      await output.write(tsvRow(["id", "length", "ga4gh", "md5"]) + "\n");
      for await (const batch of reader) {
        const { offsets, data } = batch.sequences!;
        for (let row = 0; row < batch.rows; row++) {
          const { ga4gh, md5 } = sequenceDigests(data.subarray(offsets[row], offsets[row + 1]));
          await output.write(tsvRow([batch.ids[row], String(batch.length[row]), ga4gh, md5]) + "\n");
        }
      }
    });
    noteEmpty(context, file, reader.ledger);
    return await reportLedger(context, reader.ledger, finish(reader));
  },
};

export default command;
