/** `seqreg completions SHELL`: a script by which a shell completes commands, options and values. */
import { COMMANDS } from "../_commands.ts";
import { didYouMean } from "../arguments/suggestion.ts";
import { completionWords, type Shell, SHELLS } from "../completions/completion_words.ts";
import { type Command, EXIT, UsageError } from "../support/command.ts";
import { QUIET_OPTION } from "../support/ledger.ts";
import { OUTPUT_OPTION, withOutput } from "../support/output.ts";

const command: Command = {
  name: "completions",
  summary: "Write the script by which bash, zsh or fish completes commands, options and values",
  operands: SHELLS.join("|"),
  operandCount: [1, 1],
  options: { ...OUTPUT_OPTION, ...QUIET_OPTION },
  examples: [
    "source <(seqreg completions bash)",
    "seqreg completions bash -o ~/.local/share/bash-completion/completions/seqreg",
    "seqreg completions fish -o ~/.config/fish/completions/seqreg.fish",
  ],
  permissions: ["--allow-read", "--allow-write (for -o)"],
  async run(context) {
    const [given] = context.operands;
    const shell = SHELLS.find((name) => name === given);
    if (shell === undefined) {
      throw new UsageError(
        `Cannot complete for ${JSON.stringify(given)}: expected one of ${SHELLS.join(", ")}` +
          didYouMean(given, SHELLS),
      );
    }
    const commands = await Promise.all([...COMMANDS.values()].map((entry) => entry.load()));
    const script = (await writerOf(shell))(completionWords(commands));
    await withOutput(context, (output) => output.write(script));
    return EXIT.done;
  },
};

export default command;

async function writerOf(shell: Shell) {
  switch (shell) {
    case "bash":
      return (await import("../completions/bash.ts")).bashCompletions;
    case "zsh":
      return (await import("../completions/zsh.ts")).zshCompletions;
    case "fish":
      return (await import("../completions/fish.ts")).fishCompletions;
  }
}
