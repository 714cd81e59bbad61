/** `seqreg pack`: an archive set from a user's own genomes. */
import type { Download } from "@seqreg/embedded/sample";
import { DATE_ORDERS } from "@seqreg/core/contract/values/day_order";
import { requireFolder } from "../support/archive_folder.ts";
import { type Command, type CommandContext, UsageError } from "../support/command.ts";
import { nameOf, sourceOf } from "../support/fasta_input.ts";
import { LEDGER_OPTION, QUIET_OPTION, reportLedger } from "../support/ledger.ts";
import { PROGRESS_OPTION } from "../progress/progress_option.ts";
import { startProgress } from "../support/progress.ts";
import { readNaming, REGISTRY_OPTIONS } from "../support/registry.ts";
import { outputOption } from "../arguments/output_option.ts";
import { TABLE_OPTIONS, tableOptions, usage } from "../tables/table_options.ts";

const USAGE = "seqreg pack --fasta FILE --metadata FILE -o DIR";

const command: Command = {
  name: "pack",
  summary: "Create an archive set, the sixteen files of a registry, from your own FASTA and metadata table",
  operands: "[DIR|ZIP]",
  operandCount: [0, 1],
  options: {
    fasta: {
      type: "string",
      value: "FILE",
      describe: "sequences: FASTA, plain, gzip or Zstandard; - is standard input",
    },
    metadata: {
      type: "string",
      value: "FILE",
      describe: "CSV, TSV, XLSX, JSON Lines or Parquet, plain, gzip or Zstandard; - is standard input",
    },
    ...outputOption("DIR", "folder to write to: new, empty or an archive set"),
    ...TABLE_OPTIONS,
    "id-column": {
      type: "string",
      value: "NAME",
      describe: "column with the ids of the FASTA (default: the one with the most ids)",
    },
    "id-part": {
      type: "string",
      value: "N",
      describe: "piece of a header split at |, from 1, that is the id (default: what joins most)",
    },
    "id-without-version": {
      type: "boolean",
      describe: "join NC_045512.2 with NC_045512 (default: what joins most)",
    },
    dates: {
      type: "string",
      value: "day-first|month-first",
      describe: "order in dates such as 08/04/2016, written as YYYY-MM-DD then (default: kept as received, and named)",
    },
    naming: REGISTRY_OPTIONS.naming,
    ...LEDGER_OPTION,
    ...PROGRESS_OPTION,
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg pack --fasta sequences.fasta.gz --metadata metadata.tsv -o my-registry",
    "seqreg pack --fasta sequences.fasta --metadata metadata.xlsx --sheet samples --id-column strain -o my-registry",
    "seqreg pack ncbi_dataset.zip -o my-registry",
    "seqreg serve my-registry",
  ],
  permissions: [
    "--allow-read",
    "--allow-write",
    "--allow-env",
    "--allow-sys (a table in Parquet)",
    "--allow-ffi (a table in Parquet)",
  ],
  async run(context) {
    const { flags } = context;
    const folder = requireFolder(flags.text("output"), USAGE);
    const idColumn = flags.text("id-column");
    const idPart = flags.integer("id-part", { least: 1, most: 1000 });
    const dates = flags.text("dates") === undefined ? undefined : flags.choice("dates", DATE_ORDERS, "day-first");
    const naming = await readNaming(context);
    const { packArchives } = await import("@seqreg/embedded/sample/pack/pack_archives");
    using input = await openInput(context);
    using progress = startProgress(context);
    const packed = await usage(() =>
      packArchives({
        fasta: input.fasta,
        metadata: input.metadata,
        names: input.names,
        ...tableOptions(context),
        dates,
        folder,
        idColumn,
        idPart,
        idWithoutVersion: flags.has("id-without-version"),
        naming,
        signal: context.signal,
        onProgress: progress.onProgress,
      })
    );
    for (const name of packed.files) await context.stdout.write(`${name}\n`);
    progress.clear();
    const unit = `records joined by ${JSON.stringify(packed.idColumn)}`;
    const code = await reportLedger(context, packed.ledger, packed.provenance, unit);
    const renamed = [...packed.columns].filter(([column, name]) => column !== name);
    if (renamed.length > 0) {
      context.summary(
        `columns named as public fields: ${renamed.map(([column, name]) => `${column} is ${name}`).join(", ")}`,
      );
    }
    return code;
  },
};

export default command;

/** The FASTA and the table: two files, or the folder or ZIP archive of another program that holds both. */
async function openInput(context: CommandContext): Promise<Download> {
  const { flags, operands: [given], signal } = context;
  const [fasta, metadata] = [flags.text("fasta"), flags.text("metadata")];
  if (given !== undefined && (fasta !== undefined || metadata !== undefined)) {
    throw new UsageError(
      `Cannot use --fasta or --metadata with ${given}, which holds both: leave out one or the other`,
    );
  }
  const both = given ?? (fasta === undefined || metadata === undefined || fasta === metadata ? fasta ?? metadata : "-");
  const { isDownload, openDownload } = await import("@seqreg/embedded/sample/pack/download");
  if (both !== undefined && both !== "-" && (given !== undefined || await isDownload(both))) {
    return await openDownload(both, { signal });
  }
  const [sequences, table] = [requireInput(fasta, "--fasta"), requireInput(metadata, "--metadata")];
  return {
    fasta: sourceOf(context, sequences),
    metadata: sourceOf(context, table),
    names: { fasta: nameOf(sequences), metadata: nameOf(table) },
    [Symbol.dispose]() {},
  };
}

function requireInput(path: string | undefined, option: string): string {
  if (path !== undefined) return path;
  throw new UsageError(`Cannot pack without ${option} FILE: expected ${USAGE}`);
}
