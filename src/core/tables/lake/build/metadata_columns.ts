/** Columns of archives for which definitions are asked. */
import type { Naming } from "../../../contract/naming.ts";
import { openTable, type OpenTableOptions } from "../../open/open_table.ts";
import { publicNames } from "../../types/public_names.ts";
import { findSources } from "./_lake_sources.ts";
import { isSequenceHeader } from "./_sequence_parts.ts";

/** Lists the columns of all archives but those of sequences, each once. */
export async function metadataColumns(
  archives: readonly string[],
  naming: Naming,
  options: Pick<OpenTableOptions, "sheet" | "encoding" | "signal"> = {},
): Promise<readonly string[]> {
  const columns = new Set<string>();
  for (const { path } of await findSources(archives, naming)) {
    await using table = await openTable(path, options);
    const header = table.columns;
    const isSequence = isSequenceHeader(publicNames(header, [], naming), naming.accessionField);
    if (!isSequence) { for (const name of header) columns.add(name); }
  }
  return [...columns];
}
