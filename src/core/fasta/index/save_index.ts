/** Saves the index of a file. */
import { RegistryError } from "../../errors.ts";
import { writeAtomic } from "../../io/files/atomic_file.ts";
import { isSameFile } from "../../io/files/is_same_file.ts";
import { countOf } from "../../contract/count_of.ts";
import { CUT_BGZF } from "../bgzf/bgzf_end.ts";
import type { FastaIndex } from "./build_fasta_index.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";

/**
 * Writes `FILE.fai`, and `FILE.gzi` for a file in blocks.
 *
 * @throws {RegistryError} With code `disk` if they cannot be written, or one of them is a link to the file itself.
 */
export async function saveIndex(
  name: string,
  index: FastaIndex,
  options: { readonly signal?: AbortSignal } = {},
): Promise<string[]> {
  const { blocks } = index;
  const paths = blocks === undefined ? [`${name}.fai`] : [`${name}.gzi`, `${name}.fai`];
  for (const path of paths) {
    if (!await isSameFile(name, path)) continue;
    throw new RegistryError("disk", `Cannot write ${path}: it is a link to the sequences themselves; remove it`);
  }
  if (blocks !== undefined) {
    const { formatGzi } = await import("../bgzf/bgzf.ts");
    await writeAtomic(`${name}.gzi`, formatGzi(blocks), options);
  }
  await writeAtomic(`${name}.fai`, index.format(), options);
  return paths;
}

/** Describes which records an index does not hold, or may not hold. */
export function noteLost(index: FastaIndex): LedgerEntry[] {
  const { duplicates, duplicateCount, empty, emptyCount, tabbed, tabbedCount, isCut } = index;
  return [
    ...noteUnindexed("with an id that came before", duplicateCount, duplicates),
    ...noteUnindexed("without a sequence", emptyCount, empty),
    ...noteUnindexed("with a tab in the id", tabbedCount, tabbed),
    ...isCut ? [noteEntry("bgzf-end-absent", CUT_BGZF)] : [],
  ];
}

function noteUnindexed(what: string, count: number, ids: readonly string[]): LedgerEntry[] {
  if (count === 0) return [];
  const named = ids.slice(0, 20).map((id) => id === "" ? "one without an id" : id.replaceAll("\t", "\\t"));
  const some = named.join(", ") + (ids.length > 20 ? " …" : "");
  return [noteEntry("not-indexed", `not in the index: ${countOf(count, "record")} ${what}: ${some}`, { count, ids })];
}
