/** The index of a file: found, checked, rebuilt. The code that builds it is loaded on demand. */
import { readFull } from "../../io/bytes/read_full.ts";
import { RegistryError } from "../../errors.ts";
import type { BgzfBlock } from "../bgzf/bgzf_block.ts";
import { type IndexLookup, readIndexLines } from "./_index_lines.ts";
import { listsEnd } from "./_index_end.ts";
import type { SyncReads } from "../bgzf/random_bytes.ts";
import { type LedgerEntry, noteEntry } from "../../contract/ledger_entries.ts";

export interface IndexState {
  /** Whether it was read, built because it was missing, or rebuilt because it was outdated or invalid. */
  readonly index: "read" | "made" | "renewed";
  readonly table: IndexLookup;
  readonly blocks: readonly BgzfBlock[] | undefined;
  readonly bytes: SyncReads;
  readonly entries: readonly LedgerEntry[];
  /** Paths of the files that were written. */
  readonly written: readonly string[];
}

/** How an index is used, as of `openFasta()`. */
export type IndexMode = "save" | "memory" | "ignore";

/** A file that may have an index. */
export interface IndexedSource {
  readonly path: string | URL;
  /** Its path as the index's own begins. */
  readonly name: string;
  readonly stat: Deno.FileInfo;
  readonly isCompressed: boolean;
  /** Its text, by the blocks where it is compressed. */
  bytesOf(blocks: readonly BgzfBlock[] | undefined): SyncReads | Promise<SyncReads>;
}

/**
 * Reads the index of a file; builds it if it is missing, older than the file, invalid, or lacks records at the end of
 * the file.
 */
export async function readIndex(
  file: IndexedSource,
  { signal, index: mode = "save" }: { readonly signal?: AbortSignal; readonly index?: IndexMode } = {},
): Promise<IndexState> {
  const { name, path } = file;
  const found = mode === "ignore" ? { why: undefined } : await findIndex(file);
  if (!("why" in found)) return { index: "read", ...found, entries: [], written: [] };
  const { buildFastaIndex } = await import("./build_fasta_index.ts");
  const { noteLost, saveIndex } = await import("./save_index.ts");
  const built = await buildFastaIndex(path, { signal, name });
  const entries: LedgerEntry[] = [];
  if (found.why !== undefined) {
    entries.push(noteEntry("index-rebuilt", `the index ${name}.fai ${found.why}: it was rebuilt`));
  }
  entries.push(...noteLost(built));
  const written: string[] = [];
  if (mode === "save") {
    try {
      written.push(...await saveIndex(name, built, { signal }));
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error;
      entries.push(noteEntry("index-not-saved", `the index was not saved: ${error.message}`));
    }
  }
  const index = found.why === undefined ? "made" : "renewed";
  const text = built.format();
  const table = readIndexLines({ length: text.length, copyTo: (target) => (target.set(text), true) }, Infinity);
  if (table === undefined) throw new TypeError("Cannot read the index that was just made");
  return { index, table, blocks: built.blocks, bytes: await file.bytesOf(built.blocks), entries, written };
}

/** The index found, or why it is unusable; without a reason if it is missing. */
type FoundIndex = Pick<IndexState, "table" | "blocks" | "bytes"> | { readonly why: string | undefined };

async function findIndex({ name, stat, isCompressed, bytesOf }: IndexedSource): Promise<FoundIndex> {
  try {
    using file = await Deno.open(`${name}.fai`, { read: true });
    const info = await file.stat();
    if (isOlder(info, stat)) return { why: "is older than its file" };
    let blocks: BgzfBlock[] | undefined;
    let maxBytes = stat.size;
    if (isCompressed) {
      const { MAX_BLOCK_TEXT, parseGzi } = await import("../bgzf/bgzf.ts");
      blocks = parseGzi(await Deno.readFile(`${name}.gzi`), stat.size);
      if (blocks === undefined || isOlder(await Deno.stat(`${name}.gzi`), stat)) {
        return { why: "has no .gzi of its file" };
      }
      maxBytes = blocks[blocks.length - 1].uncompressed + MAX_BLOCK_TEXT;
    }
    const table = readIndexLines(
      { length: info.size, copyTo: (target) => readFull(file, target) === target.length },
      maxBytes,
    );
    if (table === undefined) return { why: "is not one of this file" };
    const bytes = await bytesOf(blocks);
    return listsEnd(table, bytes) ? { table, blocks, bytes } : { why: "lacks records at the end of its file" };
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? { why: undefined } : { why: "could not be read" };
  }
}

function isOlder(index: Deno.FileInfo, file: Deno.FileInfo): boolean {
  return (index.mtime?.getTime() ?? 0) < (file.mtime?.getTime() ?? 0);
}
