/** `seqreg fasta plain FILE`: FASTA that every other tool reads. */
import { headerTemplate, parseHeaderTemplate } from "@seqreg/core/fasta/write/header_template";
import { plainFasta } from "@seqreg/core/fasta/write/plain_fasta";
import { type Command, readGiven } from "../../support/command.ts";
import { noteEmpty, readingOptions, RECORD_OPTION, sourceOf } from "../../support/fasta_input.ts";
import { LEDGER_OPTION, QUIET_OPTION, reportLedger, startProvenance } from "../../support/ledger.ts";
import { OUTPUT_OPTION, withOutput } from "../../support/output.ts";

const command: Command = {
  name: "fasta plain",
  summary: "Write a registry FASTA as plain FASTA, which every other tool reads",
  operands: "FILE",
  operandCount: [1, 1],
  result: "fasta",
  options: {
    header: {
      type: "string",
      value: "TEMPLATE",
      describe: "header template, such as {registry_accession}|{Country} (default: the first field)",
    },
    wrap: { type: "string", value: "N", describe: "bases per line; 0 writes each sequence on one line (default: 70)" },
    ...RECORD_OPTION,
    ...OUTPUT_OPTION,
    ...LEDGER_OPTION,
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg fasta plain export.fasta -o genomes.fasta",
    "seqreg fasta plain export.fasta.gz --header '{registry_accession}|{Country}' --wrap 0",
  ],
  permissions: ["--allow-read", "--allow-write (for -o and --ledger)", "--allow-env"],
  async run(context) {
    const [file] = context.operands;
    const template = readGiven(() => parseHeaderTemplate(context.flags.text("header") ?? "{id}"));
    const wrap = context.flags.integer("wrap", { least: 0, most: 1_000_000_000 });
    const isDefault = context.flags.text("header") === undefined;
    const finish = startProvenance("fasta plain", {
      file,
      header: isDefault ? null : template.text,
      wrap: wrap ?? null,
    });
    const options = { ...readingOptions(context, file), header: isDefault ? undefined : template.text, wrap };
    await using reader = plainFasta(sourceOf(context, file), options);
    await withOutput(context, async (output) => {
      const { fields } = await reader.head();
      if (!isDefault) readGiven(() => headerTemplate(template, fields));
      let writing = Promise.resolve();
      for await (const chunk of reader) {
        await writing;
        writing = output.write(chunk);
        // The failure is reported where the promise is awaited; this prevents an unhandled rejection until then.
        writing.catch(() => {});
      }
      await writing;
    });
    noteEmpty(context, file, reader.ledger);
    return await reportLedger(context, reader.ledger, finish(reader));
  },
};

export default command;
