/** Builds `--help` from the definitions of the commands. */
import type { Command, OptionSpec, OptionSpecs } from "./command.ts";
import { TOOLKIT } from "@seqreg/core/contract/version";

export function programHelp(summaries: ReadonlyMap<string, string>): string {
  const width = Math.max(...[...summaries.keys()].map((name) => name.length));
  const rows = [...summaries].map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    `${TOOLKIT}: complete or explained access to a Sequence Registry`,
    "",
    "Usage: seqreg COMMAND [OPTIONS]",
    "",
    "Commands:",
    ...rows,
    "",
    "seqreg COMMAND --help shows details. The default registry is SEQREG_URL, else the built-in sample.",
    "",
  ].join("\n");
}

export function commandHelp(command: Command): string {
  return [
    `${command.summary}.`,
    "",
    `Usage: seqreg ${command.name} ${command.operands}${command.operands === "" ? "" : " "}[OPTIONS]`,
    "",
    "Options:",
    ...optionRows(command.options),
    "",
    "Examples:",
    ...command.examples.map((example) => `  ${example}`),
    "",
    ...(command.help ?? []).flatMap(({ title, lines }) => [title, ...lines.map((line) => `  ${line}`), ""]),
    `Permissions: ${command.permissions.join(" ")}`,
    "",
  ].join("\n");
}

/** How an option is written, such as `-o, --output FILE`; indented where it has no short form. */
export function optionForm(name: string, { short, value = "", inlineValue }: OptionSpec): string {
  const long = `--${name}${value === "" ? "" : inlineValue ? `[=${value}]` : ` ${value}`}`;
  return `${short === undefined ? "    " : `-${short}, `}${long}`;
}

function optionRows(options: OptionSpecs): string[] {
  const rows = Object.entries(options).map(([name, spec]) => [optionForm(name, spec), spec.describe] as const);
  const width = Math.max(...rows.map(([flag]) => flag.length));
  return rows.map(([flag, describe]) => `  ${flag.padEnd(width)}  ${describe}`);
}
