/** `seqreg fasta index FILE`: a samtools-compatible index. */
import { buildFastaIndex, noteLost, saveIndex } from "@seqreg/core/fasta/index";
import { isSameFile } from "@seqreg/core/io/files/is_same_file";
import { countOf } from "@seqreg/core/contract/count_of";
import { type Command, EXIT, UsageError } from "../../support/command.ts";
import { nameOf, sourceOf } from "../../support/fasta_input.ts";
import { QUIET_OPTION } from "../../support/ledger.ts";
import { OUTPUT_OPTION, withOutput } from "../../support/output.ts";

const command: Command = {
  name: "fasta index",
  summary: "Write a samtools-compatible index of a FASTA file",
  operands: "FILE",
  operandCount: [1, 1],
  options: {
    output: { ...OUTPUT_OPTION.output, describe: "write the index to FILE instead of FILE.fai; - is standard output" },
    ...QUIET_OPTION,
  },
  examples: ["seqreg fasta index genomes.fasta"],
  permissions: ["--allow-read", "--allow-write", "--allow-env"],
  async run(context) {
    const [file] = context.operands;
    const output = context.flags.text("output") ?? (file === "-" ? "-" : `${file}.fai`);
    const isNextToFile = context.flags.text("output") === undefined && file !== "-";
    if (isNextToFile && await isSameFile(file, output)) {
      throw new UsageError(`Cannot write the index to ${output}: this is the sequence file; use --output FILE`);
    }
    const name = nameOf(file);
    const index = await buildFastaIndex(sourceOf(context, file), { signal: context.signal, name });
    const text = index.format();
    if (isNextToFile) await saveIndex(file, index, { signal: context.signal });
    else await withOutput(context, (output) => output.write(text));
    if (index.blocks !== undefined && !isNextToFile) {
      context.note(
        "warning: no .gzi was written, and an index of a BGZF file needs one; without --output both are written " +
          "next to the file",
      );
    }
    for (const { text } of noteLost(index)) context.note(`warning: ${text}`);
    if (index.count === 0) context.note(`${name} has no records`);
    const written = output === "-" ? "" : `, written to ${output}`;
    context.summary(`fasta index: ${countOf(index.count, "sequence")}${written}`);
    return EXIT.done;
  },
};

export default command;
