/**
 * Bytes for a scanner: a plain file is read straight into the scanner's own memory, a large one ahead, anything else
 * chunk by chunk.
 */
import { BgzfEnd } from "../bgzf/bgzf_end.ts";
import { type ByteSource, readBytes, releaseSource, shrunk } from "../../io/bytes/byte_source.ts";
import { Yielder } from "../../io/tasks/yield_to_event_loop.ts";
import { isGzip } from "../../io/gzip/is_gzip.ts";
import type { Sha256 } from "../../io/digest/sha256.ts";
import { LARGE_BYTES } from "../text/large_file.ts";

/** Options of an input. */
export interface ByteInputOptions {
  readonly name: string;
  readonly signal: AbortSignal | undefined;
  readonly sha256: boolean;
  /** Whether gzip is inflated, or comes as it is. */
  readonly inflates: boolean;
}

/** What reads: a scanner, whose memory a plain file is read into. */
export interface InputTarget {
  readonly input: Uint8Array;
  /** Several pieces of memory, for a large file: one is read while another is scanned. */
  readonly lanes?: readonly Uint8Array[] | undefined;
}

/** Bytes at both ends of a file that tell BGZF, and whether it is whole. */
const END_BYTES = 28;

/** Reads one source. */
export class ByteInput {
  /** Bytes read so far, as they travelled. */
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
  #file: Deno.FsFile | undefined;
  /** Bytes of the file when it was opened. */
  #size = 0;
  #chunks: AsyncGenerator<Uint8Array> | undefined;
  #isClosed = false;
  /** Whether chunks have been requested: from then on the reader releases the source. */
  #isBegun = false;
  /** The file, where it is one of BGZF, which can be read in ranges, and needs no digest. */
  bgzfFile: { readonly path: string; readonly size: number } | undefined;

  constructor(source: ByteSource, options: ByteInputOptions) {
    this.#source = source;
    this.#options = options;
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
   * Reads the next bytes, inflated when they are gzip; `undefined` at the end. Valid until the next call of any kind.
   */
  async read(target: InputTarget): Promise<Uint8Array | undefined> {
    if (this.#isClosed) return undefined;
    if (this.#file === undefined && this.#chunks === undefined) await this.#open(target);
    // A chunk that was read ahead may also be available before other events have run.
    await this.yielder.yieldWhenDue(this.#options.signal);
    return this.#file === undefined ? await this.#nextChunk() : this.#readOpen(this.#file, target);
  }

  /** Ends the reading by itself: ranges of the file are read instead. */
  async leaveToRanges(): Promise<void> {
    await this.#chunks?.return(undefined);
    this.#end = this.#fileEnd;
  }

  /** Closes the file or cancels the stream. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#file?.close();
    this.#file = undefined;
    await this.#chunks?.return(undefined);
    // A generator that never started has not released anything.
    if (this.#isBegun) return;
    this.#isBegun = true;
    await releaseSource(this.#source);
  }

  async #open(target: InputTarget): Promise<void> {
    const { signal, name, sha256, inflates } = this.#options;
    signal?.throwIfAborted();
    if (sha256) this.#hash = (await import("../../io/digest/sha256.ts")).startSha256();
    if (typeof this.#source === "string" || this.#source instanceof URL) {
      const opened = await openFile(this.#source, inflates ? target.input : undefined);
      if (opened?.kind === "gzip" && !sha256) {
        const end = new BgzfEnd();
        for (const bytes of opened.ends) end.add(bytes);
        if (end.isBgzf) {
          this.bgzfFile = { path: String(this.#source), size: opened.size };
          this.#fileEnd = end;
        }
      }
      if (opened?.kind === "plain") {
        const { lanes } = target;
        if (opened.size >= LARGE_BYTES && lanes !== undefined) {
          opened.file.close();
          const { readStriped } = await import("../../io/bytes/read_striped.ts");
          this.#chunks = this.#measured(readStriped(this.#source, { buffers: lanes, name, signal }));
          return;
        }
        this.#file = opened.file;
        this.#size = opened.size;
        return;
      }
    }
    const chunks = this.#measured(readBytes(this.#source, { signal }));
    if (!inflates) this.#chunks = chunks;
    else {
      // The decompressor takes longer to load than a small file takes to read.
      const { openBytes } = await import("../../io/bytes/open_bytes.ts");
      this.#chunks = openBytes(chunks, { name, signal });
    }
  }

  async *#measured(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    this.#isBegun = true;
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

  #readOpen(file: Deno.FsFile, target: InputTarget): Uint8Array | undefined {
    this.#options.signal?.throwIfAborted();
    const input = target.input;
    const count = file.readSync(input);
    if (count === null) {
      if (this.bytes < this.#size) throw shrunk(this.#options.name, this.#size, this.bytes);
      return undefined;
    }
    const chunk = input.subarray(0, count);
    this.#measure(chunk);
    return chunk;
  }

  #measure(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    this.#hash?.update(chunk);
    this.#end.add(chunk);
  }
}

/** A file that was opened to be read, or is to be inflated. */
type OpenedFile =
  | { readonly kind: "plain"; readonly file: Deno.FsFile; readonly size: number }
  /** With its first and last bytes, by which BGZF is known. */
  | { readonly kind: "gzip"; readonly size: number; readonly ends: readonly Uint8Array[] };

/**
 * Opens a file and reads its first bytes into a buffer, unless it is gzip. Other sources, and files that cannot be
 * opened, are left to `readBytes`.
 */
async function openFile(path: string | URL, buffer: Uint8Array | undefined): Promise<OpenedFile | undefined> {
  // A pipe is not opened: closing it would end its writer, and a second open would wait forever.
  const isPlain = await Deno.stat(path).then((info) => info.isFile, () => false);
  if (!isPlain) return undefined;
  const file = await Deno.open(path, { read: true }).catch(() => undefined);
  if (file === undefined) return undefined;
  const { isFile, size } = await file.stat();
  // A pipe cannot be read twice, to see first whether it is gzip.
  if (isFile) {
    if (buffer === undefined) return { kind: "plain", file, size };
    const head = buffer.subarray(0, file.readSync(buffer.subarray(0, END_BYTES)) ?? 0);
    if (!isGzip(head)) {
      file.seekSync(0, Deno.SeekMode.Start);
      return { kind: "plain", file, size };
    }
    const tail = new Uint8Array(END_BYTES);
    file.seekSync(Math.max(0, size - END_BYTES), Deno.SeekMode.Start);
    const ends = [head.slice(), tail.subarray(0, file.readSync(tail) ?? 0)];
    file.close();
    return { kind: "gzip", size, ends };
  }
  file.close();
  return undefined;
}
