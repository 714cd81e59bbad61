/** `seqreg fasta stats FILE…`: records, lengths and composition of whole files. */
import { type FastaStats, fastaStats } from "@seqreg/core/fasta/stats/fasta_stats";
import { tsvRow } from "@seqreg/core/io/csv/csv_text";
import type { Command } from "../../support/command.ts";
import { formatDecimals, formatShare } from "../../rows/decimals.ts";
import { noteEmpty, readingOptions, sourceOf } from "../../support/fasta_input.ts";
import { LEDGER_OPTION, QUIET_OPTION, reportLedger, startProvenance } from "../../support/ledger.ts";
import { OUTPUT_OPTION, withOutput } from "../../support/output.ts";
import { closeLedger, withEntries } from "@seqreg/core/contract/ledger";
import { prefixEntries } from "@seqreg/core/contract/ledger_entries";

const COLUMNS = ["file", "records", "min", "mean", "max", "sum", "n50", "gc", "ambiguous"];

const command: Command = {
  name: "fasta stats",
  summary: "Count records and bases of FASTA files",
  operands: "FILE…",
  operandCount: [1, Infinity],
  result: "tsv",
  options: { ...OUTPUT_OPTION, ...LEDGER_OPTION, ...QUIET_OPTION },
  examples: [
    "seqreg fasta stats genomes.fasta more.fasta.gz",
    "seqreg download country:Chile --information sequences --type fasta | seqreg fasta stats -",
  ],
  permissions: ["--allow-read", "--allow-write (for -o and --ledger)", "--allow-env"],
  async run(context) {
    const files = context.operands;
    const finish = startProvenance("fasta stats", { files });
    const readings: FastaStats[] = [];
    await withOutput(context, async (output) => {
      await output.write(tsvRow(COLUMNS) + "\n");
      for (const file of files) {
        const stats = await fastaStats(sourceOf(context, file), readingOptions(context, file));
        readings.push(stats);
        noteEmpty(context, file, stats.ledger);
        if (stats.ledger.received > 0) await output.write(tsvRow(cellsOf(file, stats)) + "\n");
      }
    });
    const whole = readings.length === 1 ? readings[0] : joined(files, readings);
    return await reportLedger(context, whole.ledger, finish(whole));
  },
};

export default command;

function cellsOf(file: string, { records, min, mean, max, sum, n50, gc, ambiguous }: FastaStats): string[] {
  const numbers = [records, min, formatDecimals(mean, 2), max, sum, n50, formatShare(gc), ambiguous];
  return [file, ...numbers.map(String)];
}

/** One ledger of several files; each message includes its file. */
function joined(files: readonly string[], readings: readonly FastaStats[]) {
  const total = (count: (reading: FastaStats) => number) => readings.reduce((sum, reading) => sum + count(reading), 0);
  const counts = closeLedger({
    received: total(({ ledger }) => ledger.received),
    unique: total(({ ledger }) => ledger.unique),
    unparsed: total(({ ledger }) => ledger.unparsed),
  });
  const entries = readings.flatMap(({ ledger }, index) => prefixEntries(ledger.entries, files[index]));
  return {
    ledger: withEntries(counts, entries),
    bytes: total(({ bytes }) => bytes),
    sha256: null,
  };
}
