/**
 * Saves the index of a file.
 */
import { RegistryError } from "../../errors.ts";
import { writeAtomic } from "../../io/files/atomic_file.ts";
import { isSameFile } from "../../io/files/is_same_file.ts";
import { countOf } from "../../contract/count_of.ts";
import { CUT_BGZF } from "../bgzf/bgzf_end.ts";
import type { FastaIndex } from "./build_fasta_index.ts";

/**
 * Writes `FILE.fai`, and `FILE.gzi` for a file in blocks.
 *
 * @throws {RegistryError} With code `disk` if they cannot be written, or one of them is a link to the file itself.
 */
export async function saveIndex(
  name: string,
  index: FastaIndex,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  const { blocks } = index;
  for (const path of blocks === undefined ? [`${name}.fai`] : [`${name}.gzi`, `${name}.fai`]) {
    if (!await isSameFile(name, path)) continue;
    throw new RegistryError("disk", `Cannot write ${path}: it is a link to the sequences themselves; remove it`);
  }
  if (blocks !== undefined) {
    const { formatGzi } = await import("../bgzf/bgzf.ts");
    await writeAtomic(`${name}.gzi`, formatGzi(blocks), options);
  }
  await writeAtomic(`${name}.fai`, index.format(), options);
}

/** Describes which records an index does not hold, or may not hold. */
export function describeLost(index: FastaIndex): string[] {
  const { duplicates, duplicateCount, empty, emptyCount, tabbed, tabbedCount, isCut } = index;
  const named = (id: string) => id === "" ? "one without an id" : id.replaceAll("\t", "\\t");
  const some = (ids: readonly string[]) => ids.slice(0, 20).map(named).join(", ") + (ids.length > 20 ? " …" : "");
  const lost: string[] = [];
  if (duplicateCount > 0) {
    lost.push(
      `not in the index: ${countOf(duplicateCount, "record")} with an id that came before: ${some(duplicates)}`,
    );
  }
  if (emptyCount > 0) {
    lost.push(`not in the index: ${countOf(emptyCount, "record")} without a sequence: ${some(empty)}`);
  }
  if (tabbedCount > 0) {
    lost.push(`not in the index: ${countOf(tabbedCount, "record")} with a tab in the id: ${some(tabbed)}`);
  }
  if (isCut) lost.push(CUT_BGZF);
  return lost;
}
