/** The completion script for fish. */
import { type CommandWords, firstWords, groupWords, type OptionWords } from "./completion_words.ts";

export function fishCompletions(commands: readonly CommandWords[]): string {
  const groups = groupWords(commands).flatMap(({ name: group, members }) =>
    members.map(({ name, summary }) => entry(`__seqreg_next ${group}`, `-a ${name} -d ${quote(summary)}`))
  );
  return `# Completion of seqreg for fish, written by: seqreg completions fish
# In one shell:   seqreg completions fish | source
# In every shell: seqreg completions fish > ~/.config/fish/completions/seqreg.fish

# Whether the words behind seqreg begin with these.
function __seqreg_has
    set -l words (commandline -opc)
    test (count $words) -gt (count $argv); or return 1
    for index in (seq (count $argv))
        test $words[(math $index + 1)] = $argv[$index]; or return 1
    end
end

# Whether the words behind seqreg are these and no more.
function __seqreg_next
    set -l words (commandline -opc)
    test (count $words) -eq (math (count $argv) + 1); and __seqreg_has $argv
end

complete -c seqreg -f
complete -c seqreg -n __fish_use_subcommand -l version -d 'show the version'
${
    firstWords(commands).map(({ name, summary }) => entry("__fish_use_subcommand", `-a ${name} -d ${quote(summary)}`))
      .join("")
  }${groups.join("")}${commands.map(commandLines).join("")}`;
}

function commandLines({ name, options, operandKind }: CommandWords): string {
  const condition = `__seqreg_has ${name}`;
  const operands = operandKind.kind === "file" || operandKind.kind === "folder"
    ? entry(condition, "-F")
    : operandKind.kind === "choice"
    ? entry(condition, `-a ${quote(operandKind.choices.join(" "))}`)
    : "";
  return operands + options.map((option) => entry(condition, optionWords(option))).join("");
}

function optionWords({ long, short, kind, describe }: OptionWords): string {
  const name = `-l ${long}${short === undefined ? "" : ` -s ${short}`}`;
  const text = `-d ${quote(describe)}`;
  switch (kind?.kind) {
    case undefined:
      return `${name} ${text}`;
    case "choice":
      return `${name} -x -a ${quote(kind.choices.join(" "))} ${text}`;
    case "file":
      return `${name} -r -F ${text}`;
    case "folder":
      return `${name} -x -a '(__fish_complete_directories)' ${text}`;
    case "text":
      return `${name} -x ${text}`;
  }
}

function entry(condition: string, rest: string): string {
  return `complete -c seqreg -n ${quote(condition)} ${rest}\n`;
}

function quote(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
