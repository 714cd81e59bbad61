/**
 * Bytes for a scanner: a plain file is read straight into the scanner's own memory, a large one ahead, anything else
 * chunk by chunk.
 */
import { BgzfEnd } from "../bgzf/bgzf_end.ts";
import { type ByteSource, releaseSource } from "../../io/bytes/byte_source.ts";
import { type OpenedSource, openSource } from "../../io/bytes/open_source.ts";
import type { CompressionName } from "../../io/compression/compression.ts";
import { Yielder } from "../../io/tasks/yield_to_event_loop.ts";
import type { Sha256 } from "../../io/digest/sha256.ts";

/** Minimum size of a file worth reading ahead, in bytes. */
const LARGE_BYTES = 8 << 20;

export interface ByteInputOptions {
  readonly name: string;
  readonly signal: AbortSignal | undefined;
  readonly sha256: boolean;
  /** Whether compressed bytes are decompressed, or come as they are. */
  readonly inflates: boolean;
}

/** What reads: a scanner, whose memory a plain file is read into. */
export interface InputTarget {
  readonly input: Uint8Array;
  /** Several pieces of memory, for a large file: one is read while another is scanned. */
  readonly lanes?: readonly Uint8Array[] | undefined;
}

/** Bytes at the end of a file that tell whether BGZF is whole. */
const END_BYTES = 28;

export class ByteInput {
  /** Bytes read so far, as they are stored. */
  bytes = 0;
  /** Yields to the event loop while it is read, also on behalf of its consumers. */
  readonly yielder = new Yielder();
  readonly #source: ByteSource;
  readonly #options: ByteInputOptions;
  /** What has been read, and what both ends of the file say beforehand. */
  #end = new BgzfEnd();
  #fileEnd = new BgzfEnd();
  #hash: Sha256 | undefined;
  #digest: string | null = null;
  #opened: OpenedSource | undefined;
  /** The file whose bytes go straight into a scanner's memory. */
  #file: OpenedSource | undefined;
  #chunks: AsyncGenerator<Uint8Array> | undefined;
  #isClosed = false;
  /** The file, where it is one of BGZF, which can be read in ranges, and needs no digest. */
  bgzfFile: { readonly path: string; readonly size: number } | undefined;

  constructor(source: ByteSource, options: ByteInputOptions) {
    this.#source = source;
    this.#options = options;
  }

  /** How the source is compressed, once it has been read from. */
  get compression(): CompressionName | undefined {
    return this.#opened?.compression?.name;
  }

  /** SHA-256 of the bytes; `null` when it was not asked for. */
  digest(): string | null {
    return this.#digest ??= this.#hash?.digest() ?? null;
  }

  /** Whether the bytes, once they are read, are BGZF that may have been cut short. */
  get isCutBgzf(): boolean {
    return this.#end.isMissing;
  }

  /**
   * Reads the next bytes where that needs no waiting, as from a plain file; `undefined` where {@linkcode
   * ByteInput.read} must be asked. A promise for each quarter of a megabyte costs a tenth of the reading.
   */
  readNow(target: InputTarget): Uint8Array | undefined {
    if (this.#file === undefined || this.yielder.isDue) return undefined;
    return this.#readOpen(this.#file, target);
  }

  /**
   * Reads the next bytes, decompressed when they are compressed; `undefined` at the end. Valid until the next call of
   * any kind.
   */
  async read(target: InputTarget): Promise<Uint8Array | undefined> {
    if (this.#isClosed) return undefined;
    if (this.#opened === undefined) await this.#open(target);
    // A chunk that was read ahead may also be available before other events have run.
    else await this.yielder.yieldWhenDue(this.#options.signal);
    return this.#file === undefined ? await this.#nextChunk() : this.#readOpen(this.#file, target);
  }

  /** Ends the reading by itself: ranges of the file are read instead. */
  async leaveToRanges(): Promise<void> {
    await this.#chunks?.return(undefined);
    await this.#opened?.close();
    this.#end = this.#fileEnd;
  }

  /** Closes the file or cancels the stream. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#file = undefined;
    await this.#chunks?.return(undefined);
    if (this.#opened === undefined) await releaseSource(this.#source);
    else await this.#opened.close();
  }

  async #open(target: InputTarget): Promise<void> {
    const { signal, name, sha256, inflates } = this.#options;
    signal?.throwIfAborted();
    if (sha256) this.#hash = (await import("../../io/digest/sha256.ts")).startSha256();
    const onChunk = (chunk: Uint8Array) => this.#measure(chunk);
    const opened = await openSource(this.#source, { name, signal, into: target.input, onChunk });
    this.#opened = opened;
    const { kind, compression, size, ranges } = opened;
    if (kind === "file" && (compression === undefined || !inflates)) {
      const { lanes } = target;
      if (compression !== undefined || lanes === undefined || size! < LARGE_BYTES) {
        this.#file = opened;
        return;
      }
      await opened.close();
      const { readStriped } = await import("../../io/bytes/read_striped.ts");
      this.#chunks = this.#measured(readStriped(this.#source as string | URL, { buffers: lanes, name, signal }));
      return;
    }
    if (kind === "file" && compression?.name === "BGZF" && !sha256) {
      const from = Math.max(0, size! - END_BYTES);
      for (const bytes of [opened.head, ranges!.read(from, size! - from)]) this.#fileEnd.add(bytes);
      this.bgzfFile = { path: String(this.#source), size: size! };
    }
    this.#chunks = inflates ? opened.chunks() : opened.stored();
  }

  async *#measured(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#measure(chunk);
      yield chunk;
    }
  }

  async #nextChunk(): Promise<Uint8Array | undefined> {
    for (;;) {
      const { done, value } = await this.#chunks!.next();
      if (done) return undefined;
      if (value.length > 0) return value;
    }
  }

  #readOpen(file: OpenedSource, target: InputTarget): Uint8Array | undefined {
    this.#options.signal?.throwIfAborted();
    return file.readNow(target.input);
  }

  #measure(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    this.#hash?.update(chunk);
    this.#end.add(chunk);
  }
}
