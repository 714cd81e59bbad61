/** `seqreg alike sketch SOURCE -o DIR`: signatures that sourmash reads. */
import { outputOption } from "../../arguments/output_option.ts";
import { requireFolder } from "../../support/archive_folder.ts";
import type { Command } from "../../support/command.ts";
import { nameOf, sourceOf } from "../../support/fasta_input.ts";
import { LEDGER_OPTION, QUIET_OPTION, reportLedger, startProvenance } from "../../support/ledger.ts";

const command: Command = {
  name: "alike sketch",
  summary: "Sketch each record of a FASTA file or a lake as sourmash does, for exchange with other programs",
  operands: "SOURCE",
  operandCount: [1, 1],
  options: {
    exchange: { type: "boolean", describe: "sourmash's hashes, the only kind of sketch in a file (default)" },
    k: { type: "string", value: "N", describe: "bases of a k-mer, from 1 to 255 (default: 31)" },
    scaled: { type: "string", value: "N", describe: "keep one of N hashes (default: 1000)" },
    rna: { type: "boolean", describe: "read U as T (default: k-mers with U are skipped, as sourmash does)" },
    ...outputOption("DIR", "output folder, new or empty"),
    ...LEDGER_OPTION,
    ...QUIET_OPTION,
  },
  examples: [
    "seqreg alike sketch genomes.fasta.gz -o sketches --exchange --k 21 --scaled 100",
    "sourmash compare sketches/signatures.sig.gz",
  ],
  help: [{
    title: "SOURCE",
    lines: [
      "FASTA, also compressed; an archive of sequences, or a folder of archives; a lake. - is standard input.",
      "Each record has its signature, as with sourmash sketch dna --singleton. K-mers with anything but A, C, G and",
      "T are skipped, those with U too unless --rna is given.",
    ],
  }],
  permissions: ["--allow-read", "--allow-write", "--allow-env", "--allow-sys", "--allow-ffi (a lake or an archive)"],
  async run(context) {
    const { flags, signal, operands: [file] } = context;
    const k = flags.integer("k", { least: 1, most: 255 });
    const scaled = flags.integer("scaled", { least: 1, most: 1_000_000_000 });
    const folder = requireFolder(flags.text("output"), "seqreg alike sketch SOURCE -o DIR");
    const rna = flags.has("rna");
    const finish = startProvenance("alike sketch", { source: file, output: folder, exchange: true, k, scaled, rna });
    const { writeSignatures } = await import("@seqreg/alike/sketch/write_signatures");
    const written = await writeSignatures(sourceOf(context, file), folder, {
      name: nameOf(file),
      signal,
      rna,
      k,
      scaled,
    });
    await context.stdout.write(`${written.file}\n`);
    if (written.empty > 0) {
      context.note(`${written.empty} of ${written.signatures} signatures have no hash: use a smaller --k or --scaled`);
    }
    return await reportLedger(context, written.ledger, finish(written));
  },
};

export default command;
