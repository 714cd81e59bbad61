/** `seqreg lake verify DIR`: compares every file of a lake with its checksum. */
import { escapeName } from "@seqreg/core/io/digest";
import { checkLakeAddress } from "../../support/archive_folder.ts";
import { type Command, EXIT } from "../../support/command.ts";
import { QUIET_OPTION } from "../../support/ledger.ts";
import { PROGRESS_OPTION } from "../../progress/progress_option.ts";
import { startProgress } from "../../support/progress.ts";

const command: Command = {
  name: "lake verify",
  summary: "Verify every file of a lake against its checksums",
  operands: "LAKE",
  operandCount: [1, 1],
  options: { ...PROGRESS_OPTION, ...QUIET_OPTION },
  examples: ["seqreg sample -o sample && seqreg lake sample -o lake && seqreg lake verify lake"],
  permissions: ["--allow-read", "--allow-env", "--allow-net (a lake in an object store)"],
  async run(context) {
    checkLakeAddress(context.operands[0]);
    using progress = startProgress(context);
    const { verifyLake } = await import("@seqreg/core/tables/lake/open/verify_lake");
    const verdicts = await verifyLake(context.operands[0], {
      onProgress: progress.onProgress,
      signal: context.signal,
    });
    progress.clear();
    for (const { name, ok, unread, reason } of verdicts) {
      await context.stdout.write(`${escapeName(name)}: ${ok ? "OK" : unread ? "FAILED open or read" : "FAILED"}\n`);
      if (!ok) context.note(reason);
    }
    const failed = verdicts.filter(({ ok }) => !ok).length;
    context.summary(`lake verify: ${verdicts.length - failed} verified, ${failed} not`);
    return failed > 0 ? EXIT.failed : EXIT.done;
  },
};

export default command;
