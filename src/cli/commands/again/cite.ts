/** `seqreg cite LOCK|LAKE|ARCHIVE`: a citation that `sha256sum` verifies. */
import { type Command, EXIT } from "../../support/command.ts";
import { QUIET_OPTION } from "../../support/ledger.ts";
import { OUTPUT_OPTION, withOutput } from "../../support/output.ts";
import { PROGRESS_OPTION } from "../../progress/progress_option.ts";
import { startProgress } from "../../support/progress.ts";

const FORMATS = ["text", "bibtex", "csl-json", "cff"] as const;

const command: Command = {
  name: "cite",
  summary: "Cite an archive, a lake or a lock, signed by a digest that sha256sum verifies",
  operands: "LOCK|LAKE|ARCHIVE",
  operandCount: [1, 1],
  options: {
    format: {
      type: "string",
      value: FORMATS.join("|"),
      describe: "cff: a CITATION.cff (default: by the name of --output, else text)",
    },
    ...PROGRESS_OPTION,
    ...OUTPUT_OPTION,
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg sample -o sample && seqreg cite sample/registryv1_full_dataset_metadata.csv.gz",
    "seqreg cite lake --format bibtex -o data.bib",
  ],
  help: [{
    title: "What the digest is of",
    lines: [
      "hash://sha256/… of an archive or a lock is that of its bytes: sha256sum ARCHIVE",
      "Of a lake it is that of its archives' checksum lines, in the folder of the archives:",
      "sha256sum ARCHIVE… | LC_ALL=C sort -k 2 | sha256sum",
      "An archive that is damaged, or that its checksum file next to it contradicts, is not cited.",
    ],
  }],
  permissions: [
    "--allow-read",
    "--allow-write (for -o)",
    "--allow-env",
    "--allow-net (a lake in an object store)",
  ],
  async run(context) {
    const { flags, operands: [source], signal } = context;
    const format = flags.format(FORMATS, /\.bib(\.gz)?$/i.test(flags.text("output") ?? "") ? "bibtex" : "text");
    const { citeSource } = await import("@seqreg/again/cite/cite_source");
    using progress = startProgress(context);
    const citation = await citeSource(source, { onProgress: progress.onProgress, signal });
    progress.clear();
    const text = {
      "text": citation.sentence,
      "bibtex": citation.bibtex,
      "csl-json": citation.cslJson,
      "cff": citation.cff,
    }[format];
    await withOutput(context, (output) => output.write(`${text.trimEnd()}\n`));
    context.summary(`cite: ${citation.signature}`);
    return EXIT.done;
  },
};

export default command;
