/** Builds the index of a FASTA. */
import type { ByteSource } from "../../io/bytes/byte_source.ts";
import { Yielder } from "../../io/tasks/yield_to_event_loop.ts";
import { sourceName } from "../../io/bytes/source_name.ts";
import type { BgzfInflater } from "../bgzf/bgzf.ts";
import { notIndexable } from "../bgzf/bgzf_end.ts";
import type { BgzfBlock } from "../bgzf/bgzf_block.ts";
import { ByteInput } from "../scan/byte_input.ts";
import type { FastaIndexEntry } from "./fasta_index.ts";
import { IndexBuilder, type IndexFindings } from "./_index_builder.ts";
import { type LineRoutines, makeLineRoutines, RECORDS_BYTES } from "../scan/line_routines.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";
import { checkOptions } from "../../options/check_options.ts";

/** Bytes that are read at a time. */
const PIECE_BYTES = 1 << 21;
/** Pieces of a large file that are read at a time: one is worked on, two are on their way. */
const PIECES = 3;

/** An index, and what it cannot hold. */
export interface FastaIndex {
  /** Entries in the order of the file; of several records with one id the first. */
  readonly entries: readonly FastaIndexEntry[];
  /** How many entries there are. */
  readonly count: number;
  /** Ids that came again: those records cannot be fetched. The first 1,000. */
  readonly duplicates: readonly string[];
  /** How many records have an id that came before. */
  readonly duplicateCount: number;
  /** Ids of records without a sequence: as in samtools they are not in the index. The first 1,000. */
  readonly empty: readonly string[];
  /** How many records have no sequence. */
  readonly emptyCount: number;
  /** Ids of a registry FASTA with a tab, which ends an id in an index: those records are not in it. The first 1,000. */
  readonly tabbed: readonly string[];
  /** How many records have a tab in their id. */
  readonly tabbedCount: number;
  /** The `;fields=` line of a registry FASTA, without its end. */
  readonly fieldsLine: string | undefined;
  /** Where the blocks of a BGZF file begin; absent for a plain one. */
  readonly blocks?: readonly BgzfBlock[];
  /** Whether the file is BGZF without the empty block at its end: it may have been cut short. */
  readonly isCut: boolean;
  /** Writes the index as samtools does, without a text on the way: the bytes of a `.fai` file. */
  format(): Uint8Array<ArrayBuffer>;
}

/** Options of {@linkcode buildFastaIndex}. */
export interface BuildFastaIndexOptions {
  /** Ends the reading with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Named in errors; the path by default. */
  readonly name?: string;
}

const BUILD_FASTA_INDEX_OPTIONS = {
  signal: rule.signal,
  name: rule.text,
} satisfies OptionRules<BuildFastaIndexOptions>;

/**
 * Builds the index of a FASTA, plain or BGZF, by the rules of samtools; in a registry FASTA the id is the accession.
 *
 * @param source Where the FASTA is; plain, or compressed by bgzip.
 * @param options Signal, name for errors.
 * @throws {FastaError} If the text is ordinary gzip, is not FASTA, or the lines of a sequence differ in length.
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
  checkOptions("buildFastaIndex()", options, BUILD_FASTA_INDEX_OPTIONS);
  const { signal, name = sourceName(source) } = options;
  const routines = makeLineRoutines(PIECES * PIECE_BYTES, RECORDS_BYTES);
  const builder = new IndexBuilder(name, routines);
  await using text = new TextSource(source, { routines, name, signal });
  for await (const { from, to } of text.pieces()) builder.add(from, to);
  return madeIndex(builder.finish(), text.blocks, text.isCut);
}

/** A piece of text in the module's input; valid until the next is asked for. */
interface Piece {
  readonly from: number;
  readonly to: number;
}

/** What reads into the module's input. */
interface PieceOptions {
  readonly routines: LineRoutines;
  readonly name: string;
  readonly signal: AbortSignal | undefined;
}

/** The text of a source, decompressed where it is BGZF. A large plain file is read ahead into the module's memory. */
class TextSource implements AsyncDisposable {
  readonly #input: ByteInput;
  readonly #options: PieceOptions;
  #inflater: BgzfInflater | undefined;

  constructor(source: ByteSource, options: PieceOptions) {
    const { name, signal } = options;
    this.#options = options;
    this.#input = new ByteInput(source, { name, signal, sha256: false, inflates: false });
  }

  /** Where the blocks of a BGZF file begin, once it has been read; absent for a plain one. */
  get blocks(): readonly BgzfBlock[] | undefined {
    return this.#inflater?.blocks;
  }

  /** Whether it is BGZF without the empty block at its end. */
  get isCut(): boolean {
    return this.#input.isCutBgzf;
  }

  /** Reads the text into the module's input, piece by piece. */
  async *pieces(): AsyncGenerator<Piece> {
    const { routines } = this.#options;
    for await (const text of this.#texts()) {
      for (let at = 0; at < text.length; at += PIECE_BYTES) {
        const piece = text.subarray(at, at + PIECE_BYTES);
        const isThere = piece.buffer === routines.input.buffer;
        if (!isThere) routines.input.set(piece);
        const from = isThere ? piece.byteOffset - routines.input.byteOffset : 0;
        yield { from, to: from + piece.length };
      }
    }
  }

  async *#texts(): AsyncGenerator<Uint8Array> {
    const { routines, name, signal } = this.#options;
    const lanes = Array.from(
      { length: PIECES },
      (_, index) => routines.input.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES),
    );
    const target = { input: lanes[0], lanes };
    const yielder = new Yielder();
    for (let chunk = await this.#input.read(target); chunk !== undefined; chunk = await this.#input.read(target)) {
      const { compression } = this.#input;
      if (compression === "Zstandard") throw notIndexable(name, compression);
      // Gzip that is not BGZF is refused by what cuts it into blocks.
      if (compression !== undefined) this.#inflater ??= new (await import("../bgzf/bgzf.ts")).BgzfInflater(name);
      if (this.#inflater === undefined) {
        yield chunk;
        continue;
      }
      // What compresses well is many times as much when it is decompressed.
      for (const text of this.#inflater.add(chunk)) {
        yield text;
        await yielder.yieldWhenDue(signal);
      }
    }
    this.#inflater?.finish();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#input.close();
  }
}

function madeIndex(found: IndexFindings, blocks: readonly BgzfBlock[] | undefined, isCut: boolean): FastaIndex {
  const { table, duplicates, empty, tabbed, fieldsLine } = found;
  let entries: readonly FastaIndexEntry[] | undefined;
  return {
    get entries() {
      return entries ??= table.entries();
    },
    count: table.size,
    duplicates: duplicates.ids,
    duplicateCount: duplicates.count,
    empty: empty.ids,
    emptyCount: empty.count,
    tabbed: tabbed.ids,
    tabbedCount: tabbed.count,
    fieldsLine,
    blocks,
    isCut,
    format: () => table.format(),
  };
}
