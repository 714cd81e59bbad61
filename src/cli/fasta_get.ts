/** `seqreg fasta get FILE ID…`: chosen records, in the order asked, without reading the rest. */
import { openFasta } from "../fasta/open_fasta.ts";
import { closeLedger } from "../spec/ledger.ts";
import { type Command, EXIT, UsageError } from "./_command.ts";
import { startProvenance } from "./_fasta_input.ts";
import { LEDGER_OPTION, QUIET_OPTION, reportLedger } from "./_ledger.ts";
import { OUTPUT_OPTION, withOutput } from "./_output.ts";

const command: Command = {
  name: "fasta get",
  summary: "Write chosen records of a FASTA file, in the order asked",
  operands: "FILE ID…",
  operandCount: [2, Infinity],
  options: { ...OUTPUT_OPTION, ...LEDGER_OPTION, ...QUIET_OPTION },
  examples: [
    "seqreg fasta get genomes.fasta KX369547.1 KY241712.1",
    "seqreg fasta get export.fasta vj000000000007 | seqreg fasta plain -",
  ],
  permissions: ["--allow-read", "--allow-write (for the index, -o and --ledger)", "--allow-env"],
  async run(context) {
    const [file, ...ids] = context.operands;
    if (file === "-") throw new UsageError("Cannot get records from standard input: it has no places; name a file");
    const finish = startProvenance("fasta get", { file, ids });
    await using fasta = await openFasta(file, { signal: context.signal });
    const missing = [...new Set(ids)].filter((id) => !fasta.has(id));
    const found = ids.filter((id) => fasta.has(id));
    const unique = new Set(found).size;
    const twice = found.length - unique;
    let bytes = 0;
    await withOutput(context, async (output) => {
      if (found.length === 0) return { keep: false };
      // A registry FASTA stays one: without its first line nobody would know what the headers hold.
      if (fasta.head.kind === "registry") await output.write(`;fields=${fasta.head.fields.join("|")}\n`);
      for (const id of found) {
        context.signal.throwIfAborted();
        const record = await fasta.record(id);
        if (record === undefined) continue;
        await output.write(`>${record.header}\n`);
        await output.write(record.lines);
        bytes += record.lines.length;
      }
      return { keep: true };
    });
    const ledger = closeLedger({
      asked: ids.length,
      received: found.length,
      unique,
      missing,
      warnings: [...fasta.warnings, ...twice === 0 ? [] : [`${twice} of the ids were asked for before`]],
    });
    const code = await reportLedger(context, ledger, finish({ ledger, bytes, sha256: null }));
    return found.length === 0 ? EXIT.nothing : code;
  },
};

export default command;
