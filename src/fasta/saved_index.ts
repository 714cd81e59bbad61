/**
 * The index beside a file: found, judged, made anew, saved.
 */
import { RegistryError } from "../errors.ts";
import { writeAtomic } from "../io/atomic_file.ts";
import { CUT_BGZF } from "./_bgzf_end.ts";
import { type BgzfBlock, buildFastaIndex, type FastaIndex } from "./build_fasta_index.ts";
import { type FastaIndexEntry, parseFastaIndex } from "./fasta_index.ts";

/** An index, found or made. */
export interface IndexState {
  /** Whether it was read, was made because there was none, or was made because it was old or not one. */
  readonly index: "read" | "made" | "renewed";
  readonly entries: readonly FastaIndexEntry[];
  readonly blocks: readonly BgzfBlock[] | undefined;
  readonly warnings: readonly string[];
}

/** A file that has an index beside it, or may have. */
export interface IndexedSource {
  readonly path: string | URL;
  /** Its path as the index's own begins. */
  readonly name: string;
  readonly stat: Deno.FileInfo;
  readonly isCompressed: boolean;
}

/** Reads the index beside a file; makes it when there is none, when it is older than the file, or when it is not one. */
export async function readIndex(
  file: IndexedSource,
  { signal, index: mode = "save" }: { readonly signal?: AbortSignal; readonly index?: "save" | "memory" } = {},
): Promise<IndexState> {
  const { name, path } = file;
  const found = await findIndex(file);
  if (found.entries !== undefined) {
    return { index: "read", entries: found.entries, blocks: found.blocks, warnings: [] };
  }
  const built = await buildFastaIndex(path, { signal, name });
  const warnings: string[] = [];
  if (found.why !== undefined) warnings.push(`the index ${name}.fai ${found.why}: it was made anew`);
  warnings.push(...describeLost(built));
  if (mode === "save") {
    try {
      await saveIndex(name, built, { signal });
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error;
      warnings.push(`the index was not saved: ${error.message}`);
    }
  }
  const index = found.why === undefined ? "made" : "renewed";
  return { index, entries: built.entries, blocks: built.blocks, warnings };
}

/** Writes `FILE.fai`, and `FILE.gzi` for a file in blocks. */
export async function saveIndex(
  name: string,
  index: FastaIndex,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  const { blocks } = index;
  if (blocks !== undefined) {
    const { formatGzi } = await import("./_bgzf.ts");
    await writeAtomic(`${name}.gzi`, formatGzi(blocks), options);
  }
  await writeAtomic(`${name}.fai`, index.format(), options);
}

/** Says which records an index does not hold, or may not hold. */
export function describeLost({ duplicates, empty, isCut }: FastaIndex): string[] {
  const some = (ids: readonly string[]) => ids.slice(0, 20).join(", ") + (ids.length > 20 ? " …" : "");
  const lost: string[] = [];
  if (duplicates.length > 0) {
    lost.push(`${duplicates.length} records with an id that came before are not in the index: ${some(duplicates)}`);
  }
  if (empty.length > 0) lost.push(`${empty.length} records without a sequence are not in the index: ${some(empty)}`);
  if (isCut) lost.push(CUT_BGZF);
  return lost;
}

async function findIndex(
  { name, stat, isCompressed }: IndexedSource,
): Promise<
  { readonly entries?: readonly FastaIndexEntry[]; readonly blocks?: readonly BgzfBlock[]; readonly why?: string }
> {
  try {
    const text = await Deno.readTextFile(`${name}.fai`);
    if (isOlder(await Deno.stat(`${name}.fai`), stat)) return { why: "is older than its file" };
    let blocks: BgzfBlock[] | undefined;
    if (isCompressed) {
      const { MAX_BLOCK_TEXT, parseGzi } = await import("./_bgzf.ts");
      blocks = parseGzi(await Deno.readFile(`${name}.gzi`), stat.size);
      if (blocks === undefined || isOlder(await Deno.stat(`${name}.gzi`), stat)) {
        return { why: "has no .gzi of its file" };
      }
      const entries = parseFastaIndex(text, blocks[blocks.length - 1].uncompressed + MAX_BLOCK_TEXT);
      return entries === undefined ? { why: "is not one of this file" } : { entries, blocks };
    }
    const entries = parseFastaIndex(text, stat.size);
    return entries === undefined ? { why: "is not one of this file" } : { entries };
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? {} : { why: "could not be read" };
  }
}

function isOlder(index: Deno.FileInfo, file: Deno.FileInfo): boolean {
  return (index.mtime?.getTime() ?? 0) < (file.mtime?.getTime() ?? 0);
}
