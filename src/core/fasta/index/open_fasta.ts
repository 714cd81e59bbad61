/** Fetches records of a FASTA file by their ids, without reading the rest. */
import { RegistryError } from "../../errors.ts";
import { openFile } from "../../io/bytes/byte_source.ts";
import { pathOfUrl } from "../../io/bytes/path_of_url.ts";
import { COMPRESSION_BYTES, compressionOf } from "../../io/compression/compression.ts";
import { BgzfEnd, CUT_BGZF } from "../bgzf/bgzf_end.ts";
import type { BgzfBlock } from "../bgzf/bgzf_block.ts";
import type { FastaHead } from "../text/fasta_batch.ts";
import type { FastaFile } from "./fasta_file.ts";
import { parseFieldsLine } from "../text/fields_line.ts";
import { firstFieldsLine } from "./_file_head.ts";
import { IndexedFile } from "./_indexed_file.ts";
import { BlockBytes, PlainBytes } from "../bgzf/random_bytes.ts";
import { readIndex } from "./saved_index.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";
import { checkOptions } from "../../options/check_options.ts";
import { noteEntry } from "../../contract/ledger_entries.ts";

export type { FastaFile, FetchedFasta } from "./fasta_file.ts";

/** Options of {@linkcode openFasta}. */
export interface OpenFastaOptions {
  /** Ends the reading with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * What to do if the index is missing or outdated: `save` (the default) writes it next to the file if possible,
   * `memory` keeps it in memory. `ignore` does so too, and does not read an index that is there.
   */
  readonly index?: "save" | "memory" | "ignore";
}

const OPEN_FASTA_OPTIONS = {
  signal: rule.signal,
  index: rule.oneOf(["save", "memory", "ignore"]),
} satisfies OptionRules<OpenFastaOptions>;

/**
 * Opens a FASTA file to fetch records by their ids. Uses its `.fai` (and the `.gzi` of a BGZF file), and builds it if
 * it is missing, older than the file, invalid, or lacks records at the end of the file.
 *
 * @param path The file: plain, or compressed by bgzip.
 * @param options Signal; whether a new index is saved.
 * @throws {FastaError} If the file is ordinary gzip, is not FASTA, or cannot be indexed.
 * @throws {RegistryError} With code `disk` if the file cannot be read, or is a pipe.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { openFasta } from "./open_fasta.ts";
 *
 * const folder = await Deno.makeTempDir();
 * await Deno.writeTextFile(`${folder}/a.fasta`, ">a\nACGT\nAC\n>b\nGG\n");
 * {
 *   await using fasta = await openFasta(`${folder}/a.fasta`);
 *   assertEquals(await fasta.get("a", 2, 6), "GTAC");
 *   assertEquals(await fasta.get("c"), undefined);
 * }
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function openFasta(path: string | URL, options: OpenFastaOptions = {}): Promise<FastaFile> {
  checkOptions("openFasta()", options, OPEN_FASTA_OPTIONS);
  const name = path instanceof URL ? pathOfUrl(path) : path;
  await refusePipe(path, name);
  const file = await openFile(path, { signal: options.signal });
  try {
    const stat = await file.stat();
    const plain = new PlainBytes(file);
    const isCompressed = compressionOf(plain.read(0, COMPRESSION_BYTES)) !== undefined;
    const bytesOf = (blocks: readonly BgzfBlock[] | undefined) =>
      blocks === undefined ? plain : blockBytesOf(name, plain, stat.size, blocks);
    const source = { path, name, stat, isCompressed, bytesOf };
    const { index, table, blocks, bytes, entries, written } = await readIndex(source, options);
    const found = [...entries];
    if (blocks !== undefined && index === "read") {
      const end = new BgzfEnd();
      for (const from of [0, Math.max(0, stat.size - 64)]) end.add(plain.read(from, Math.min(from + 64, stat.size)));
      if (end.isMissing) found.push(noteEntry("bgzf-end-absent", CUT_BGZF));
    }
    const fieldsLine = firstFieldsLine(bytes);
    const head: FastaHead = fieldsLine === undefined
      ? { kind: "plain", fields: ["id", "description"] }
      : { kind: "registry", fields: parseFieldsLine(fieldsLine, { name, line: 1, byte: 0 }) };
    return new IndexedFile({ name, file, bytes, head, index, remarks: found, written, table });
  } catch (error) {
    file.close();
    throw error;
  }
}

/**
 * A pipe would be waited for, read once, and then have no offsets. What cannot be examined fails when it is opened.
 */
async function refusePipe(path: string | URL, name: string): Promise<void> {
  const info = await Deno.stat(path).catch(() => undefined);
  if (info === undefined || info.isFile || info.isDirectory) return;
  throw new RegistryError(
    "disk",
    `Cannot get records from ${name}: it is a pipe or a device, without random access; write it to a file first`,
  );
}

async function blockBytesOf(
  name: string,
  file: PlainBytes,
  fileBytes: number,
  blocks: readonly BgzfBlock[],
): Promise<BlockBytes> {
  const { readBlock } = await import("../bgzf/bgzf.ts");
  return new BlockBytes({ blocks, fileBytes, textAt: (span) => readBlock(file, span, name) });
}
