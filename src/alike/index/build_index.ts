/** An index of sketches on disk. */
import { join, resolve } from "node:path";
import { crc32 } from "node:zlib";
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import type { Ledger } from "@seqreg/core/contract";
import { TOOLKIT } from "@seqreg/core/contract/version";
import { type ByteSource, sourceName } from "@seqreg/core/io/bytes";
import { pathOfUrl } from "@seqreg/core/io/bytes/path_of_url";
import { createWholeFolder, onDisk } from "@seqreg/core/io/files/whole_folder";
import { FastaError } from "@seqreg/core/fasta/text";
import { readSequences, type ReadSequencesOptions } from "../sketch/read_sequences.ts";
import { LAST_SHIFT, SEARCH_K } from "../sketch/search_sketch.ts";
import { SEARCH_NUMBERS, sketchBatches } from "../sketch/sketch_batches.ts";
import { INDEX_FILES, INDEX_VERSION, type IndexFile, type IndexManifest, MOST_RECORDS } from "./index_files.ts";
import { PostingsWriter } from "./_postings_writer.ts";
import { recordDigest } from "./record_digest.ts";

const BUILD_INDEX_OPTIONS = { name: rule.text, signal: rule.signal } satisfies OptionRules<ReadSequencesOptions>;

/** What was written, and what is known of the source. */
export interface BuiltAlikeIndex {
  /** Records in the index. */
  readonly records: number;
  /** Hashes of all of them. */
  readonly hashes: number;
  /** What is known of the source: records received, duplicate and unparsed. */
  readonly ledger: Ledger;
  /** Bytes read, compressed if the source is. */
  readonly bytes: number;
  /** SHA-256 of these bytes. */
  readonly sha256: string | null;
}

/**
 * Indexes the records of a FASTA by their sketches, for `openAlikeIndex()` and `nearest()`: 21-mers, one of sixteen
 * hashes, more of sequences below about 2,000 bases. Records are read one batch at a time; the folder is written
 * atomically, with the parameters and the SHA-256 of the source in `index.json`.
 *
 * @param source Where the FASTA is; plain, gzip or Zstandard.
 * @param folder The folder; it must be absent or empty.
 * @param options Name for errors, signal.
 * @throws {FastaError} If the source cannot be read, has proteins, no bases or more than 8,388,608 records.
 * @throws {RegistryError} With code `disk` if the folder holds something already, or cannot be written.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { buildAlikeIndex } from "./build_index.ts";
 *
 * const folder = await Deno.makeTempDir();
 * const fasta = new TextEncoder().encode(">a\nGATTACAGATTACACCGTAGGCATTACG\n");
 * const { records, hashes } = await buildAlikeIndex(fasta, `${folder}/index`);
 *
 * assertEquals([records, hashes], [1, 8]);
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function buildAlikeIndex(
  source: ByteSource,
  folder: string,
  options: ReadSequencesOptions = {},
): Promise<BuiltAlikeIndex> {
  checkOptions("buildAlikeIndex()", options, BUILD_INDEX_OPTIONS);
  const { signal } = options;
  const name = options.name ?? sourceName(source);
  await using reading = await readSequences(source, { ...options, name });
  await using whole = await createWholeFolder(folder);
  using postings = new PostingsWriter(whole.path);
  const rows: number[] = [];
  const ids: Uint8Array[] = [];
  const digests: number[] = [];
  const encoder = new TextEncoder();
  let records = 0;
  let idEnd = 0;
  const withIds = async function* () {
    for await (const batch of reading.batches()) {
      const { offsets, data } = batch.sequences!;
      for (const [row, id] of batch.ids.entries()) {
        ids.push(encoder.encode(id));
        digests.push(recordDigest(data.subarray(offsets[row], offsets[row + 1])));
      }
      if (ids.length > MOST_RECORDS) {
        throw new FastaError(`Cannot index ${name}: it has more than ${MOST_RECORDS} records; index parts of it`);
      }
      yield batch;
    }
  };
  for await (const { values, numbers } of sketchBatches(withIds(), { kind: "search" })) {
    await onDisk(folder, () => {
      let from = 0;
      for (let at = 0; at < numbers.length; at += SEARCH_NUMBERS) {
        // A sketch has as many hashes as are left at its own shift, the last of the numbers.
        const hashes = numbers[at + numbers[at + SEARCH_NUMBERS - 1]];
        postings.add(records, values.subarray(from, from + hashes));
        from += hashes;
        idEnd += ids[records].length;
        rows.push(...numbers.subarray(at, at + SEARCH_NUMBERS), idEnd);
        records += 1;
      }
      return Promise.resolve();
    });
  }
  const { ledger, bytes, sha256 } = reading.reader;
  await onDisk(folder, async () => {
    const blocks = await postings.write(join(whole.path, INDEX_FILES.postings), signal);
    const write = async (file: string, content: ArrayBufferView<ArrayBuffer>): Promise<IndexFile> => {
      const bytes = new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
      await Deno.writeFile(join(whole.path, file), bytes);
      return { bytes: bytes.length, crc32: crc32(bytes) };
    };
    const manifest: IndexManifest = {
      alikeIndex: INDEX_VERSION,
      k: SEARCH_K,
      shift: LAST_SHIFT,
      records,
      postings: postings.count,
      source: { name, path: pathOf(source), bytes, sha256 },
      postingBytes: blocks.at(-2)!,
      blocks: await write(INDEX_FILES.blocks, blocks as Float64Array<ArrayBuffer>),
      recordTable: await write(INDEX_FILES.records, Uint32Array.from(rows)),
      ids: await write(INDEX_FILES.ids, new Uint8Array(await new Blob(ids as Uint8Array<ArrayBuffer>[]).arrayBuffer())),
      digests: await write(INDEX_FILES.digests, Uint32Array.from(digests)),
      toolkit: TOOLKIT,
    };
    await Deno.writeTextFile(join(whole.path, INDEX_FILES.manifest), `${JSON.stringify(manifest, null, 2)}\n`);
    signal?.throwIfAborted();
    await whole.rename();
  }).catch((cause) => {
    // An abort is not a fault of the disk.
    signal?.throwIfAborted();
    throw cause;
  });
  return { records, hashes: postings.count, ledger, bytes, sha256 };
}

/** The absolute path of a source; null if it is not a file. */
function pathOf(source: ByteSource): string | null {
  if (typeof source === "string") return resolve(source);
  return source instanceof URL && source.protocol === "file:" ? pathOfUrl(source) : null;
}
