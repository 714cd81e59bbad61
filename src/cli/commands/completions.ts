/** `seqreg completions SHELL`: a script by which a shell completes commands, options and values. */
import { COMMANDS } from "../_commands.ts";
import { didYouMean } from "../arguments/suggestion.ts";
import { bashCompletions } from "../completions/bash.ts";
import { completionWords, SHELLS } from "../completions/completion_words.ts";
import { fishCompletions } from "../completions/fish.ts";
import { zshCompletions } from "../completions/zsh.ts";
import { type Command, EXIT, UsageError } from "../support/command.ts";
import { QUIET_OPTION } from "../support/ledger.ts";
import { OUTPUT_OPTION, withOutput } from "../support/output.ts";

const WRITERS = { bash: bashCompletions, zsh: zshCompletions, fish: fishCompletions };

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
    await withOutput(context, (output) => output.write(WRITERS[shell](completionWords(commands))));
    return EXIT.done;
  },
};

export default command;
