/** The completion script for bash 3.2 and later. */
import { type CommandWords, firstWords, groupWords, type OptionWords } from "./completion_words.ts";
import type { ValueKind } from "../arguments/value_kind.ts";

export function bashCompletions(commands: readonly CommandWords[]): string {
  const seconds = commands.filter(({ name }) => name.includes(" ")).map(({ name }) => `'${name}'`);
  const groups = new Map(groupWords(commands).map(({ name, members }) => [name, members.map(({ name }) => name)]));
  const bare = [...groups].filter(([name]) => !commands.some((command) => command.name === name));
  return `# Completion of seqreg for bash, written by: seqreg completions bash
# In one shell:   source <(seqreg completions bash)
# In every shell: seqreg completions bash > ~/.local/share/bash-completion/completions/seqreg

_seqreg_words() {
  local IFS=$' \\t\\n'
  COMPREPLY=($(compgen -W "$1" -- "$2"))
}

_seqreg_paths() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen "$1" -- "$2"))
  compopt -o filenames 2>/dev/null || true
}

_seqreg() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command= index
  COMPREPLY=()
  # Bash splits --option=value at the equals sign.
  if [[ $word == = ]]; then
    word=
  elif [[ $before == = ]]; then
    before=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    if [[ \${COMP_WORDS[index]} == help && -z $command ]]; then
      continue
    elif [[ \${COMP_WORDS[index]} == -* ]]; then
      break
    elif [[ -z $command ]]; then
      command=\${COMP_WORDS[index]}
    else
      case "$command \${COMP_WORDS[index]}" in
        ${seconds.join(" | ")}) command="$command \${COMP_WORDS[index]}" ;;
      esac
      break
    fi
  done
  case $command in
    '')
      _seqreg_words '${[...firstWords(commands).map(({ name }) => name), "--help", "--version"].join(" ")}' "$word"
      ;;
${bare.map(([name, members]) => groupCase(name, members)).join("")}${
    commands.map((command) => commandCase(command, groups.get(command.name) ?? [])).join("")
  }  esac
}

complete -F _seqreg seqreg
`;
}

function groupCase(name: string, members: readonly string[]): string {
  return `    ${name})
      _seqreg_words '${members.join(" ")} --help' "$word"
      ;;
`;
}

function commandCase({ name, options, operandKind }: CommandWords, members: readonly string[]): string {
  const values = options.flatMap((option) => valueCase(option) ?? []);
  const names = options.map(({ long }) => `--${long}`).join(" ");
  const operands = members.length > 0
    ? `_seqreg_words '${members.join(" ")}' "$word"
        [[ \${#COMPREPLY[@]} -gt 0 ]] || ${reply(operandKind)}`
    : reply(operandKind);
  return `    '${name}')
      case $before in
${values.map((line) => `        ${line}\n`).join("")}      esac
      if [[ $word == -* ]]; then
        _seqreg_words '${names}' "$word"
      else
        ${operands}
      fi
      ;;
`;
}

function valueCase({ long, short, kind }: OptionWords): string | undefined {
  if (kind === undefined) return undefined;
  const names = [`--${long}`, ...short === undefined ? [] : [`-${short}`]].join(" | ");
  return `${names}) ${reply(kind)}; return ;;`;
}

function reply(kind: ValueKind): string {
  switch (kind.kind) {
    case "choice":
      return `_seqreg_words '${kind.choices.join(" ")}' "$word"`;
    case "file":
      return `_seqreg_paths -f "$word"`;
    case "folder":
      return `_seqreg_paths -d "$word"`;
    case "text":
      return ":";
  }
}
