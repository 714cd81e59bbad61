/** `seqreg fasta from-parquet DIR`: restores the FASTA of a folder of Parquet files. */
import { countOf } from "@seqreg/core/contract/count_of";
import { writePlainFasta, writeRegistryFasta } from "@seqreg/core/fasta/write/write_fasta";
import { type Command, EXIT } from "../../support/command.ts";
import { QUIET_OPTION } from "../../support/ledger.ts";
import { OUTPUT_OPTION, withOutput } from "../../support/output.ts";

const command: Command = {
  name: "fasta from-parquet",
  summary: "Restore the FASTA file (registry or plain) from a folder written by fasta to-parquet",
  operands: "DIR",
  operandCount: [1, 1],
  result: "fasta",
  options: {
    wrap: { type: "string", value: "N", describe: "bases per line; 0 writes each sequence on one line (default: 70)" },
    ...OUTPUT_OPTION,
    ...QUIET_OPTION,
  },
  examples: ["seqreg fasta from-parquet genomes -o again.fasta"],
  permissions: ["--allow-read", "--allow-write (for -o)", "--allow-env", "--allow-sys", "--allow-ffi"],
  async run(context) {
    const [folder] = context.operands;
    const wrap = context.flags.integer("wrap", { least: 0, most: 1_000_000_000 });
    const { readFastaParquet } = await import("@seqreg/core/tables/from/fasta_parquet");
    const { kind, fields, rows, checks, records } = await readFastaParquet(folder, { signal: context.signal });
    if (checks === undefined) {
      context.note(`${folder} carries no checksums, so damage may pass unnoticed: an older toolkit wrote it`);
    }
    await withOutput(context, async (output) => {
      const text = kind === "registry"
        ? writeRegistryFasta(records, { fields, wrap })
        : writePlainFasta(records, { wrap });
      for await (const chunk of text) await output.write(chunk);
    });
    context.summary(`fasta from-parquet: ${countOf(rows, "record")}`);
    return EXIT.done;
  },
};

export default command;
