/** `seqreg pack`: an archive set from a user's own genomes. */
import type { ByteSource } from "../../io/bytes/byte_source.ts";
import { requireFolder } from "../support/archive_folder.ts";
import { type Command, type CommandContext, UsageError } from "../support/command.ts";
import { LEDGER_OPTION, QUIET_OPTION, reportLedger } from "../support/ledger.ts";
import { PROGRESS_OPTION } from "../progress/progress_option.ts";
import { startProgress } from "../support/progress.ts";
import { readNaming, REGISTRY_OPTIONS } from "../support/registry.ts";
import { outputOption } from "../arguments/output_option.ts";

const USAGE = "seqreg pack --fasta FILE --metadata FILE -o DIR";

const command: Command = {
  name: "pack",
  summary: "Create an archive set, the sixteen files of a registry, from your own FASTA and metadata table",
  operands: "",
  operandCount: [0, 0],
  options: {
    fasta: { type: "string", value: "FILE", describe: "sequences: FASTA, plain or gzip; - is standard input" },
    metadata: {
      type: "string",
      value: "FILE",
      describe: "CSV or TSV with a header, plain or gzip, or XLSX; - is standard input",
    },
    ...outputOption("DIR", "folder to write to: new, empty or an archive set"),
    sheet: {
      type: "string",
      value: "NAME|N",
      describe: "sheet of an XLSX, by name or number (default: the first visible one that holds data)",
    },
    "id-column": {
      type: "string",
      value: "NAME",
      describe: "column with the ids of the FASTA (default: the one with the most ids)",
    },
    naming: REGISTRY_OPTIONS.naming,
    ...LEDGER_OPTION,
    ...PROGRESS_OPTION,
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg pack --fasta sequences.fasta.gz --metadata metadata.tsv -o my-registry",
    "seqreg pack --fasta sequences.fasta --metadata metadata.xlsx --sheet samples --id-column strain -o my-registry",
    "seqreg serve my-registry",
  ],
  permissions: ["--allow-read", "--allow-write", "--allow-env"],
  async run(context) {
    const { flags } = context;
    const fasta = requireInput(flags.text("fasta"), "--fasta");
    const metadata = requireInput(flags.text("metadata"), "--metadata");
    if (fasta === "-" && metadata === "-") {
      throw new UsageError("Cannot read --fasta and --metadata both from standard input: pass one of them as a file");
    }
    const folder = requireFolder(flags.text("output"), USAGE);
    const idColumn = flags.text("id-column");
    const sheet = flags.text("sheet");
    const naming = await readNaming(context);
    const { packArchives } = await import("../../sample/pack_archives.ts");
    using progress = startProgress(context);
    const packed = await usage(() =>
      packArchives({
        fasta: input(context, fasta),
        metadata: input(context, metadata),
        names: { fasta: inputName(fasta), metadata: inputName(metadata) },
        ...sheet !== undefined && { sheet },
        folder,
        idColumn,
        naming,
        signal: context.signal,
        onProgress: progress.onProgress,
      })
    );
    for (const name of packed.files) await context.stdout.write(`${name}\n`);
    progress.clear();
    const unit = `records joined by ${JSON.stringify(packed.idColumn)}`;
    return await reportLedger(context, packed.ledger, packed.provenance, unit);
  },
};

export default command;

function requireInput(path: string | undefined, option: string): string {
  if (path !== undefined) return path;
  throw new UsageError(`Cannot pack without ${option} FILE: expected ${USAGE}`);
}

function input(context: CommandContext, path: string): ByteSource {
  return path === "-" ? context.stdin() : path;
}

function inputName(path: string): string {
  return path === "-" ? "standard input" : path;
}

/** A column or sheet that the table does not have is wrong usage, although only the table shows it. */
async function usage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof RangeError) throw new UsageError(cause.message, { cause });
    throw cause;
  }
}
