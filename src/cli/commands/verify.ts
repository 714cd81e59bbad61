/** `seqreg verify FILE.sha256…`: verifies archives with the checksum files next to them. */
import { escapeName } from "@seqreg/core/io/digest";
import { type VerifiedFile, verifyChecksums, verifyChecksumsIn } from "@seqreg/core/datasets/verify_checksums";
import { ParseError, RegistryError } from "@seqreg/core/errors";
import { type Command, EXIT } from "../support/command.ts";
import { QUIET_OPTION } from "../support/ledger.ts";
import { PROGRESS_OPTION } from "../progress/progress_option.ts";
import { startProgress } from "../support/progress.ts";

const command: Command = {
  name: "verify",
  summary: "Verify archives with their checksum files",
  operands: "FILE.sha256…",
  operandCount: [1, Infinity],
  options: { ...PROGRESS_OPTION, ...QUIET_OPTION },
  examples: ["seqreg verify archives/*.sha256"],
  permissions: ["--allow-read", "--allow-env"],
  async run(context) {
    using progress = startProgress(context);
    let verified = 0;
    let failed = 0;
    for (const path of context.operands) {
      try {
        const { signal } = context;
        const options = { onProgress: progress.onProgress, signal };
        // Standard input has no folder: its names are resolved in the working folder.
        const files = path === "-"
          ? await verifyChecksumsIn(context.stdin(), ".", options)
          : await verifyChecksums(path, options);
        for (const file of files) {
          progress.clear();
          await context.stdout.write(`${verdictLine(file)}\n`);
          if (!file.ok) context.note(file.reason);
          file.ok ? verified++ : failed++;
        }
      } catch (error) {
        if (context.signal.aborted || !(error instanceof RegistryError || error instanceof ParseError)) throw error;
        progress.clear();
        context.note(error.message.includes(path) ? error.message : `${path}: ${error.message}`);
        failed++;
      }
    }
    context.summary(`verify: ${verified} verified, ${failed} not`);
    return failed > 0 ? EXIT.failed : EXIT.done;
  },
};

export default command;

/** One line in the format of `sha256sum --check`. */
function verdictLine({ name, ok, unread }: VerifiedFile): string {
  const escaped = escapeName(name);
  return `${escaped === name ? "" : "\\"}${escaped}: ${ok ? "OK" : unread ? "FAILED open or read" : "FAILED"}`;
}
