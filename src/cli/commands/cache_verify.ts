/** `seqreg cache verify`: every archive of the cache, hashed again. */
import { verifyCache } from "../../datasets/cache_contents.ts";
import { escapeName } from "../../io/digest/checksum_file.ts";
import { type Command, EXIT } from "../support/command.ts";
import { QUIET_OPTION } from "../support/ledger.ts";
import { startProgress } from "../support/progress.ts";

const command: Command = {
  name: "cache verify",
  summary: "Hash every archive of the cache again",
  operands: "",
  operandCount: [0, 0],
  options: { ...QUIET_OPTION },
  examples: ["seqreg cache verify"],
  permissions: ["--allow-read", "--allow-write", "--allow-env"],
  async run(context) {
    using progress = startProgress(context);
    const verdicts = await verifyCache({ onProgress: progress.onProgress, signal: context.signal });
    progress.clear();
    for (const { entry, ok, reason } of verdicts) {
      await context.stdout.write(`${escapeName(entry.name)}: ${ok ? "OK" : "FAILED"}\n`);
      if (!ok) context.note(reason);
    }
    const failed = verdicts.filter(({ ok }) => !ok).length;
    context.summary(`cache verify: ${verdicts.length - failed} verified, ${failed} not`);
    return failed > 0 ? EXIT.failed : EXIT.done;
  },
};

export default command;
