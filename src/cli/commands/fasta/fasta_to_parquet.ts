/** `seqreg fasta to-parquet FILE -o DIR`: a FASTA as Parquet files. */
import { requireFolder } from "../../support/archive_folder.ts";
import type { Command } from "../../support/command.ts";
import { noteEmpty, readingOptions, RECORD_OPTION, sourceOf } from "../../support/fasta_input.ts";
import { LEDGER_OPTION, QUIET_OPTION, reportLedger, startProvenance } from "../../support/ledger.ts";
import { outputOption } from "../../arguments/output_option.ts";

const command: Command = {
  name: "fasta to-parquet",
  summary: "Write a FASTA file as a folder of Parquet files, which polars, DuckDB and pandas read",
  operands: "FILE",
  operandCount: [1, 1],
  options: {
    ...outputOption("DIR", "output folder, new or empty"),
    "part-bytes": {
      type: "string",
      value: "N",
      describe: "size of a file in bytes of bases, headers and cells (16 each) (default: 67108864)",
    },
    ...RECORD_OPTION,
    ...LEDGER_OPTION,
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg fasta to-parquet export.fasta.gz -o genomes",
    "seqreg fasta from-parquet genomes -o again.fasta",
  ],
  help: [{
    title: "Reading the folder",
    lines: [
      "pandas.read_parquet('genomes'), polars.read_parquet('genomes/*.parquet'); in DuckDB FROM 'genomes/*.parquet'.",
    ],
  }],
  permissions: ["--allow-read", "--allow-write", "--allow-env", "--allow-sys", "--allow-ffi"],
  async run(context) {
    const [file] = context.operands;
    const folder = requireFolder(context.flags.text("output"), "seqreg fasta to-parquet FILE -o DIR");
    const partBytes = context.flags.integer("part-bytes", { least: 1, most: 1_000_000_000 });
    const { name, signal, maxRecordBytes } = readingOptions(context, file);
    const finish = startProvenance("fasta to-parquet", { file, output: folder });
    const { writeFastaParquet } = await import("@seqreg/core/tables/from/fasta_parquet");
    const { files, ledger, bytes } = await writeFastaParquet(sourceOf(context, file), folder, {
      name,
      partBytes,
      maxRecordBytes,
      signal,
    });
    for (const part of files) await context.stdout.write(`${folder}/${part}\n`);
    noteEmpty(context, file, ledger);
    return await reportLedger(context, ledger, finish({ bytes }));
  },
};

export default command;
