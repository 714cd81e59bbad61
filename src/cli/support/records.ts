/** Which records a command concerns: filters and lists of accessions on the command line. */
import type { AccessionList } from "@seqreg/core/registry";
import { isAccession } from "@seqreg/core/contract/accession";
import type { Naming, SearchFilter } from "@seqreg/core/contract";
import { type CommandContext, UsageError } from "./command.ts";
import { nameOf } from "./fasta_input.ts";
import { readIdList } from "./id_list.ts";

export const FILTER_OPTION = {
  filter: {
    type: "string",
    multiple: true,
    value: "FIELD=VALUE",
    describe: "keep records whose field (public name or alias) has the value; repeatable",
  },
} as const;

/** The option of every command that takes a list of accessions. */
export const IDS_OPTION = {
  ids: {
    type: "string",
    value: "FILE",
    describe: "accessions, one per line, plain, gzip or Zstandard; - is standard input",
  },
} as const;

/** Reads `--filter FIELD=VALUE`. @throws {UsageError} If one has no `=` or no field. */
export function readFilters(context: CommandContext): SearchFilter[] {
  return context.flags.texts("filter").map((text) => {
    const at = text.indexOf("=");
    if (at < 1) {
      throw new UsageError(
        `Cannot use --filter ${JSON.stringify(text)}: expected FIELD=VALUE, such as Country=Kenya`,
      );
    }
    return { field: text.slice(0, at), value: text.slice(at + 1) };
  });
}

/** Checks accessions given as arguments. @throws {UsageError} If one is malformed. */
export function checkOperandAccessions(operands: readonly string[]): void {
  for (const [index, operand] of operands.entries()) demandAccession(operand, `argument ${index + 1}`);
}

/**
 * Reads `--ids` and appends it to accessions given as arguments.
 *
 * @throws {UsageError} If one is malformed, or the list is empty.
 */
export async function readIds(
  context: CommandContext,
  { naming, operands = [] }: { readonly naming: Naming; readonly operands?: readonly string[] },
): Promise<AccessionList> {
  const ids = [...operands];
  const file = context.flags.text("ids");
  if (file !== undefined) {
    const headers = [naming.accessionField, naming.accessionAlias, naming.accessionsKey];
    for (const { id, line } of await readIdList(context, { option: "--ids", file, headers })) {
      demandAccession(id, `${nameOf(file)}, line ${line}`);
      ids.push(id);
    }
    if (ids.length === 0) {
      throw new UsageError(
        `Cannot use --ids ${file}: it has no accessions; expected one per line, such as vj000000000001`,
      );
    }
  }
  const { checkAccessions } = await import("@seqreg/core/registry/plan/accession_list");
  return checkAccessions(ids);
}

function demandAccession(text: string, where: string): void {
  if (isAccession(text)) return;
  throw new UsageError(
    `Cannot ask for ${JSON.stringify(text.slice(0, 60))} (${where}): expected an accession, vj followed by 12 digits`,
  );
}
