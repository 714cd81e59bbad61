/** How a person's table is to be read: the options that every command which reads one has. */
import { asUsage, type CommandContext, UsageError } from "../support/command.ts";

export const TABLE_OPTIONS = {
  sheet: {
    type: "string",
    value: "NAME|N",
    describe: "sheet of an XLSX, by name or number (default: the first visible one that holds data)",
  },
  encoding: {
    type: "string",
    value: "NAME",
    describe: "encoding of a CSV or TSV, such as windows-1252 or utf-16 (default: utf-8)",
  },
} as const;

export function tableOptions(
  { flags }: Pick<CommandContext, "flags">,
): { readonly sheet?: string; readonly encoding?: string } {
  return { sheet: flags.text("sheet"), encoding: flags.text("encoding") };
}

/** Rejects them with a folder, whose archives and tables have a form of their own. */
export function refuseTableOptions({ flags }: Pick<CommandContext, "flags">, folder: string): void {
  const name = Object.keys(TABLE_OPTIONS).find((name) => flags.text(name) !== undefined);
  if (name === undefined) return;
  throw new UsageError(`Cannot use --${name} with ${folder}: it is for a file, and ${folder} is not one`);
}

/** A sheet, a column or an encoding that a table does not have is wrong usage, although only the table shows it. */
export async function usage<T>(work: () => Promise<T>): Promise<T> {
  return await work().catch((cause) => asUsage(cause, [RangeError]));
}
