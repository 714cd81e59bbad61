/** The command line as Markdown, from the commands' own definitions: a page of them. */
import type { Command } from "../../src/cli/support/command.ts";
import { optionForm } from "../../src/cli/support/help.ts";
import { COMMANDS_ENTRY, type Since, sinceOf } from "./_since.ts";

/** Writes a table: one row a command. */
function commandTable(commands: readonly Command[]): string {
  return table(["command", "what it does"], commands.map((command) => [code(usageOf(command)), `${command.summary}`]));
}

/** Writes the page: usage, options, examples, permissions and first version of each command. */
export function commandPage(commands: readonly Command[], since: Since): string {
  return [
    "# Commands",
    "",
    "Every command of `seqreg` with its options, as `seqreg COMMAND --help` prints them. This page is generated from the " +
    "commands' definitions by `deno task commands`. What exit codes mean: " +
    "[the command line](command_line.md#results-errors-and-exit-codes); what to do about an error: [errors](errors.md).",
    "",
    commandTable(commands.map((command) => ({ ...command, operands: "" }))).replace(
      /^\| `(.+?)` /gm,
      (_, name: string) => `| [\`${name}\`](#${name.replaceAll(" ", "-")}) `,
    ),
    "",
    ...commands.map((command) => commandSection(command, sinceOf(since, COMMANDS_ENTRY, command.name))),
  ].join("\n");
}

function commandSection(command: Command, since: string): string {
  const { name, summary, options, examples, help = [], permissions } = command;
  const rows = Object.entries(options).map(([option, spec]) => [code(optionForm(option, spec).trim()), spec.describe]);
  return [
    `## ${name}`,
    "",
    `${summary}.`,
    "",
    ...fenced("text", [`seqreg ${usageOf(command)}`]),
    ...rows.length === 0 ? [] : [table(["option", "what it does"], rows), ""],
    ...fenced("sh", examples),
    ...help.flatMap(({ title, lines }) => [title.replace(/:?$/, ":"), "", ...fenced("text", lines)]),
    `Permissions: ${
      permissions.map((permission) => permission.replace(/^--[a-z-]+/, "`$&`")).join(", ")
    }. Since ${since}.`,
    "",
  ].join("\n");
}

function usageOf({ name, operands }: Command): string {
  return `${name}${operands === "" ? "" : ` ${operands}`}`;
}

function fenced(language: string, lines: readonly string[]): string[] {
  return ["```" + language, ...lines, "```", ""];
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const escaped = rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  return [header, header.map(() => "---"), ...escaped].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function code(text: string): string {
  return `\`${text}\``;
}
