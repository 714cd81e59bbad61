/** `seqreg alike index SOURCE -o DIR`: sketches of records, for `alike nearest`. */
import { outputOption } from "../../arguments/output_option.ts";
import { requireFolder } from "../../support/archive_folder.ts";
import type { Command } from "../../support/command.ts";
import { nameOf, sourceOf } from "../../support/fasta_input.ts";
import { LEDGER_OPTION, QUIET_OPTION, reportLedger, startProvenance } from "../../support/ledger.ts";

const command: Command = {
  name: "alike index",
  summary: "Index the records of a FASTA file or a lake by their sketches",
  operands: "SOURCE",
  operandCount: [1, 1],
  options: { ...outputOption("DIR", "output folder, new or empty"), ...LEDGER_OPTION, ...QUIET_OPTION },
  examples: ["seqreg alike index genomes.fasta.gz -o index", "seqreg alike nearest mine.fasta --index index"],
  help: [{
    title: "SOURCE",
    lines: ["FASTA, also compressed; an archive of sequences, or a folder of archives; a lake. - is standard input."],
  }],
  permissions: ["--allow-read", "--allow-write", "--allow-env", "--allow-sys", "--allow-ffi (a lake or an archive)"],
  async run(context) {
    const { flags, signal, operands: [file] } = context;
    const folder = requireFolder(flags.text("output"), "seqreg alike index SOURCE -o DIR");
    const finish = startProvenance("alike index", { source: file, output: folder });
    const { buildAlikeIndex } = await import("@seqreg/alike/index/build_index");
    const built = await buildAlikeIndex(sourceOf(context, file), folder, { name: nameOf(file), signal });
    await context.stdout.write(`${folder}\n`);
    return await reportLedger(context, built.ledger, finish(built));
  },
};

export default command;
