/**
 * Builds the index of a FASTA.
 *
 * @module
 */
import type { ByteSource } from "../io/byte_source.ts";
import { isGzip } from "../io/is_gzip.ts";
import { sourceName } from "../io/source_name.ts";
import type { BgzfInflater } from "./_bgzf.ts";
import { ByteInput } from "./_byte_input.ts";
import type { FastaIndexEntry } from "./fasta_index.ts";
import { IndexBuilder } from "./_index_builder.ts";
import { makeLineKernel } from "./_line_kernel.ts";

/** Bytes that are looked at at a time: they stay in the processor's cache. */
const INPUT_BYTES = 1 << 18;

/** An index, and what it cannot hold. */
export interface FastaIndex {
  /** Entries in the order of the file; of several records with one id the first. */
  readonly entries: readonly FastaIndexEntry[];
  /** Ids that came again: those records cannot be fetched. */
  readonly duplicates: readonly string[];
  /** Ids of records without a sequence: as in samtools they are not in the index. */
  readonly empty: readonly string[];
  /** The `;fields=` line of a registry FASTA, without its end. */
  readonly fieldsLine: string | undefined;
  /** Where the blocks of a BGZF file begin; absent for a plain one. */
  readonly blocks?: readonly BgzfBlock[];
  /** Whether the file is BGZF without the empty block at its end: it may have been cut short. */
  readonly isCut: boolean;
}

/** Where a block of a BGZF file begins. */
export interface BgzfBlock {
  /** Offset in the file. */
  readonly compressed: number;
  /** Offset in the uncompressed text. */
  readonly uncompressed: number;
}

/** Options of {@linkcode buildFastaIndex}. */
export interface BuildFastaIndexOptions {
  /** Ends the reading with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Named in errors; the path by default. */
  readonly name?: string;
}

/**
 * Builds the index of a FASTA, plain or BGZF, by the rules of samtools; in a registry FASTA the id is the accession.
 *
 * @param source Where the FASTA is; plain, or compressed by bgzip.
 * @param options Signal, name for errors.
 * @throws {FastaError} If the text is ordinary gzip, is no FASTA, or the lines of a sequence differ in length.
 * @throws {RegistryError} With code `disk` if the file cannot be read.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { buildFastaIndex } from "./build_fasta_index.ts";
 *
 * const { entries } = await buildFastaIndex(new TextEncoder().encode(">a\nACGT\nAC\n"));
 *
 * assertEquals(entries, [{ id: "a", length: 6, offset: 3, lineLetters: 4, lineBytes: 5 }]);
 * ```
 */
export async function buildFastaIndex(source: ByteSource, options: BuildFastaIndexOptions = {}): Promise<FastaIndex> {
  const name = options.name ?? sourceName(source);
  const kernel = makeLineKernel(INPUT_BYTES, 0);
  const builder = new IndexBuilder(name, kernel);
  const input = new ByteInput(source, { name, signal: options.signal, sha256: false, inflates: false });
  let inflater: BgzfInflater | undefined;
  const add = (text: Uint8Array) => {
    for (let at = 0; at < text.length; at += INPUT_BYTES) {
      const piece = text.subarray(at, at + INPUT_BYTES);
      if (piece.buffer !== kernel.input.buffer) kernel.input.set(piece);
      builder.add(piece.length);
    }
  };
  try {
    let isFirst = true;
    for (let chunk = await input.read(kernel); chunk !== undefined; chunk = await input.read(kernel)) {
      // The first piece of a stream may be one byte: no FASTA begins with this one.
      if (isFirst && (isGzip(chunk) || chunk.length < 2 && chunk[0] === 0x1f)) {
        inflater = new (await import("./_bgzf.ts")).BgzfInflater(name);
      }
      isFirst = false;
      if (inflater === undefined) add(chunk);
      else for (const text of inflater.add(chunk)) add(text);
    }
    inflater?.finish();
    return { ...builder.finish(), blocks: inflater?.blocks, isCut: input.isCutBgzf };
  } finally {
    await input.close();
  }
}
