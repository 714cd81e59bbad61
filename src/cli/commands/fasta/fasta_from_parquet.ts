/** `seqreg fasta from-parquet DIR`: restores the FASTA of a folder of Parquet files. */
import { writePlainFasta, writeRegistryFasta } from "../../../fasta/write/write_fasta.ts";
import { type Command, EXIT } from "../../support/command.ts";
import { QUIET_OPTION } from "../../support/ledger.ts";
import { OUTPUT_OPTION, withOutput } from "../../support/output.ts";

const command: Command = {
  name: "fasta from-parquet",
  summary: "Restore the FASTA file (registry or plain) from a folder written by fasta to-parquet",
  operands: "DIR",
  operandCount: [1, 1],
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
    const { readFastaParquet } = await import("../../../tables/from/fasta_parquet.ts");
    const { kind, fields, rows, records } = await readFastaParquet(folder, { signal: context.signal });
    await withOutput(context, async (output) => {
      const text = kind === "registry"
        ? writeRegistryFasta(records, { fields, wrap })
        : writePlainFasta(records, { wrap });
      for await (const chunk of text) await output.write(chunk);
    });
    context.summary(`fasta from-parquet: ${rows} records`);
    return EXIT.done;
  },
};

export default command;
