/** The completion script for zsh. */
import { type CommandWords, firstWords, groupWords, type OptionWords } from "./completion_words.ts";
import type { ValueKind } from "../arguments/value_kind.ts";

export function zshCompletions(commands: readonly CommandWords[]): string {
  const seconds = commands.filter(({ name }) => name.includes(" ")).map(({ name }) => `'${name}'`);
  const groups = groupWords(commands).map(({ name, members }) =>
    `    ${name})
      if ((CURRENT == 2)); then
        names=(${described(members)})
        _describe -t commands '${name} command' names
      fi
      ;;
`
  );
  return `#compdef seqreg
# Completion of seqreg for zsh, written by: seqreg completions zsh
# In one shell:   source <(seqreg completions zsh)
# In every shell: seqreg completions zsh > a folder of $fpath, as _seqreg

_seqreg() {
  local -a names
  local command
  if ((CURRENT == 2)); then
    names=(${described(firstWords(commands))})
    _describe -t commands 'command' names
    return
  fi
  shift words
  ((CURRENT--))
  if [[ $words[1] == help ]] && ((CURRENT > 1)); then
    ((CURRENT == 2)) && names=(${described(firstWords(commands))}) && _describe -t commands 'command' names
    return
  fi
  command=$words[1]
  if ((CURRENT > 2)); then
    case "$words[1] $words[2]" in
      ${seconds.join(" | ")})
        command="$words[1] $words[2]"
        shift words
        ((CURRENT--))
        ;;
    esac
  fi
  case $command in
${groups.join("")}  esac
  case $command in
${commands.map(commandCase).join("")}  esac
}

# Sourced, it registers itself; in a folder of $fpath it is the function's body.
if [[ $funcstack[1] == _seqreg ]]; then
  _seqreg "$@"
else
  compdef _seqreg seqreg
fi
`;
}

function described(words: readonly { readonly name: string; readonly summary: string }[]): string {
  return words.map(({ name, summary }) => quote(`${name}:${summary.replaceAll(":", "\\:")}`)).join(" ");
}

function commandCase({ name, options, operands, operandKind }: CommandWords): string {
  const specs = [
    ...options.map(optionSpec),
    ...operands === "" ? [] : [quote(`*:${label(operands)}:${action(operandKind)}`)],
  ];
  return `    '${name}')
      _arguments -s \\
${specs.map((spec) => `        ${spec}`).join(" \\\n")}
      ;;
`;
}

function optionSpec({ long, short, isRepeatable, value, kind, describe }: OptionWords): string {
  const text = `[${describe.replace(/[\\[\]:]/g, "\\$&")}]`;
  const argument = kind === undefined ? "" : `:${label(value)}:${action(kind)}`;
  const sign = kind === undefined ? "" : "=";
  if (short === undefined) return quote(`${isRepeatable ? "*" : ""}--${long}${sign}${text}${argument}`);
  const plus = kind === undefined ? "" : "+";
  return `'(-${short} --${long})'{-${short}${plus},--${long}${sign}}${quote(`${text}${argument}`)}`;
}

function label(text: string): string {
  return text.replace(/[[\]]/g, "").replaceAll(":", "\\:");
}

function action(kind: ValueKind): string {
  switch (kind.kind) {
    case "choice":
      return `(${kind.choices.join(" ")})`;
    case "file":
      return "_files";
    case "folder":
      return "_files -/";
    case "text":
      return " ";
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
