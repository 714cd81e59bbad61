/** Columns of archives for which definitions are asked. */
import { readHeader } from "../../../io/csv/read_header.ts";
import type { Naming } from "../../../contract/naming.ts";
import { publicNames } from "../../types/public_names.ts";
import { findSources } from "./_lake_sources.ts";
import { isSequenceHeader } from "./_sequence_parts.ts";

/** Lists the columns of all archives but those of sequences, each once. */
export async function metadataColumns(
  archives: readonly string[],
  naming: Naming,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const columns = new Set<string>();
  for (const { path } of await findSources(archives, naming)) {
    const header = await readHeader(path, { ...signal && { signal } });
    const isSequence = isSequenceHeader(publicNames(header, [], naming), naming.accessionField);
    if (!isSequence) { for (const name of header) columns.add(name); }
  }
  return [...columns];
}
