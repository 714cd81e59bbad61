/** What every shell completes: commands, their options, and the values of both. */
import { type ValueKind, valueKindOf } from "../arguments/value_kind.ts";
import type { Command } from "../support/command.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = typeof SHELLS[number];

/** One option as shells complete it. */
export interface OptionWords {
  /** Long name without dashes. */
  readonly long: string;
  readonly short: string | undefined;
  readonly isRepeatable: boolean;
  /** What its help calls the value; empty for an option without one. */
  readonly value: string;
  /** What its value may be; `undefined` for an option without one. */
  readonly kind: ValueKind | undefined;
  readonly describe: string;
}

/** One command as shells complete it. */
export interface CommandWords {
  /** Its name, such as `search` or `fasta stats`. */
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionWords[];
  /** What help calls its operands; empty where it takes none. */
  readonly operands: string;
  readonly operandKind: ValueKind;
}

/** A word that stands before others, such as `fasta`, with the second words. */
export interface GroupWords {
  readonly name: string;
  readonly members: readonly { readonly name: string; readonly summary: string }[];
}

/** Reads what shells complete from the commands' own definitions. */
export function completionWords(commands: readonly Command[]): CommandWords[] {
  return commands.map(({ name, summary, options, operands, operandValues }) => ({
    name,
    summary,
    options: [
      ...Object.entries(options).map(([long, { short, multiple, value, type, describe }]) => ({
        long,
        short,
        isRepeatable: multiple === true,
        value: type === "string" ? value ?? "VALUE" : "",
        kind: type === "string" ? valueKindOf(value ?? "") : undefined,
        describe,
      })),
      { long: "help", short: "h", isRepeatable: false, value: "", kind: undefined, describe: "show help" },
    ],
    operands,
    operandKind: operandValues === undefined ? valueKindOf(operands) : { kind: "choice", choices: operandValues },
  }));
}

/** First words that stand before a second one. */
export function groupWords(commands: readonly CommandWords[]): GroupWords[] {
  const groups = new Map<string, { name: string; summary: string }[]>();
  for (const { name, summary } of commands) {
    const [first, second] = name.split(" ");
    if (second === undefined) continue;
    groups.set(first, [...groups.get(first) ?? [], { name: second, summary }]);
  }
  return [...groups].map(([name, members]) => ({ name, members }));
}

/** First words with a summary: a group without a command of its own lists its members. */
export function firstWords(
  commands: readonly CommandWords[],
): { readonly name: string; readonly summary: string }[] {
  const own = commands.filter(({ name }) => !name.includes(" "));
  const groups = groupWords(commands).filter(({ name }) => !own.some((command) => command.name === name));
  return [
    ...own.map(({ name, summary }) => ({ name, summary })),
    ...groups.map(({ name, members }) => ({ name, summary: members.map(({ name }) => name).join(", ") })),
    { name: "help", summary: "Show help of a command" },
  ];
}
