/** Lists of ids in files: one reader for all options that take one. */
import { readLines } from "@seqreg/core/io/bytes";
import { fieldAlias } from "@seqreg/core/contract/field_alias";
import type { CommandContext } from "./command.ts";
import { nameOf, sourceOf } from "./fasta_input.ts";

/** Words that are a header as the first line of a list, as aliases. */
const HEADERS = [
  ...["accession", "accessions", "registry_accession", "genbank_accession", "accession_version"],
  ...["id", "ids", "seq_id", "sequence_id", "strain", "name"],
];

export interface ListedId {
  readonly id: string;
  /** Number of its line, from 1. */
  readonly line: number;
}

/**
 * Reads a list of ids, plain, gzip or Zstandard: one per line, up to the first tab. Empty lines and lines that begin
 * with `#` are skipped, and a header as the first line with a note.
 *
 * @param option The option that names the file, such as `--ids`.
 * @returns The ids in their order; an empty list may be a mistake or not.
 */
export async function readIdList(
  context: CommandContext,
  { option, file, headers = [] }: {
    readonly option: string;
    readonly file: string;
    readonly headers?: readonly string[];
  },
): Promise<ListedId[]> {
  const known = new Set([...HEADERS, ...headers].map(fieldAlias));
  const listed: ListedId[] = [];
  let line = 0;
  let isFirst = true;
  for await (const text of readLines(sourceOf(context, file), { name: nameOf(file), signal: context.signal })) {
    line += 1;
    const id = text.split("\t")[0].trim();
    if (id === "" || id.startsWith("#")) continue;
    if (isFirst && known.has(fieldAlias(id))) {
      context.summary(`${option} ${file}: line ${line}, ${JSON.stringify(id)}, is skipped as a header`);
    } else {
      listed.push({ id, line });
    }
    isFirst = false;
  }
  return listed;
}
