/**
 * The one way in for bytes: a source is opened once, and what it is, how it is compressed and what it holds is asked of
 * that.
 */
import { type Codec, COMPRESSION_BYTES, compressionOf, isUndecided } from "../compression/compression.ts";
import { type ByteSource, openFile, readBytes, type ReadBytesOptions, readOpenFile, shrunk } from "./byte_source.ts";
import { closing, transformed } from "./closing.ts";
import { joinBytes } from "./join_bytes.ts";
import { readAt, readFull } from "./read_full.ts";
import { sourceName } from "./source_name.ts";

export interface SourceBytesOptions extends ReadBytesOptions {
  /** Named in errors; the path by default. */
  readonly name?: string;
  /** Digests the bytes as they are read, such as of `startSha256()`. */
  readonly hash?: ByteHash;
  /** Memory that the first bytes of a file are read into, if they are not compressed. */
  readonly into?: Uint8Array;
  /** Receives each chunk, as it is stored, when it is read. */
  readonly onChunk?: (chunk: Uint8Array) => void;
}

/** A digest that is computed piece by piece. */
export interface ByteHash {
  update(bytes: Uint8Array): void;
  digest(): string;
}

/** Bytes of a known number that can be read from any offset. */
export interface ByteRanges {
  readonly size: number;
  /**
   * Reads so many bytes from an offset; all of them must exist. The result may be the source's memory: it must not be
   * changed.
   *
   * @throws {RegistryError} With code `disk` if the file has become shorter.
   */
  read(offset: number, length: number): Uint8Array;
}

/** Bytes of a file that are read first, unless the caller has memory for them. */
const FIRST_BYTES = 1 << 20;

/**
 * Opens a source: a file is opened, and its first bytes are read, once.
 *
 * @param source Where the bytes are.
 * @param options Name for errors, digest, signal.
 * @throws {RegistryError} With code `disk` if a file cannot be read.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { gzipSync } from "node:zlib";
 * import { openSource } from "./open_source.ts";
 *
 * const source = await openSource(new Uint8Array(gzipSync("acgt")));
 * let text = "";
 * for await (const chunk of source.chunks()) text += new TextDecoder().decode(chunk);
 *
 * assertEquals([source.kind, source.compression?.name, text], ["memory", "gzip", "acgt"]);
 * ```
 */
export async function openSource(source: ByteSource, options: SourceBytesOptions = {}): Promise<OpenedSource> {
  const shared = { name: options.name ?? sourceName(source), hash: options.hash, onChunk: options.onChunk };
  if (typeof source !== "string" && !(source instanceof URL)) {
    if (!(source instanceof Uint8Array)) return await openStream(readBytes(source, options), shared);
    const ranges = rangesOfMemory(source);
    return new OpenedSource({ ...shared, kind: "memory", ranges, head: source, rest: readBytes(source, options) });
  }
  const file = await openFile(source, options);
  try {
    const { isFile, size } = await file.stat();
    const opened = { file, name: shared.name, isFile, size };
    if (!isFile) return await openStream(readOpenFile(opened, options), shared);
    const firstBytes = Math.max(COMPRESSION_BYTES, Math.min(options.chunkBytes ?? FIRST_BYTES, size + 1));
    const into = options.into ?? new Uint8Array(firstBytes);
    let count = await file.read(into) ?? 0;
    // One call of the system may read fewer bytes than there are.
    if (count < size && isUndecided(into.subarray(0, count))) count += readFull(file, into.subarray(count));
    const read = into.subarray(0, count);
    // The caller's memory may be needed while they are decompressed.
    const first = options.into !== undefined && compressionOf(read) !== undefined ? read.slice() : read;
    const rest = readOpenFile({ ...opened, first }, options);
    return new OpenedSource({
      ...shared,
      kind: "file",
      ranges: rangesOfFile(file, size, shared.name),
      head: first,
      rest,
      file,
    });
  } catch (error) {
    file.close();
    throw error;
  }
}

/** What every kind of source has. */
interface SharedParts {
  readonly name: string;
  readonly hash: ByteHash | undefined;
  readonly onChunk: ((chunk: Uint8Array) => void) | undefined;
}

/** Reads as much of a stream as tells its compression; a copy, since a chunk does not live longer than to the next. */
async function openStream(chunks: AsyncGenerator<Uint8Array>, shared: SharedParts): Promise<OpenedSource> {
  let head: Uint8Array = new Uint8Array(0);
  do {
    const { done, value } = await chunks.next();
    if (done) break;
    head = head.length === 0 ? value.slice() : joinBytes([head, value]);
  } while (head.length === 0 || isUndecided(head));
  const rest = closing(async function* () {
    if (head.length > 0) yield head;
    yield* chunks;
  }, () => chunks.return(undefined));
  return new OpenedSource({ ...shared, kind: "stream", ranges: undefined, head, rest });
}

interface SourceParts extends SharedParts {
  readonly kind: OpenedSource["kind"];
  readonly ranges: ByteRanges | undefined;
  readonly head: Uint8Array;
  /** All bytes; the generator closes the file. */
  readonly rest: AsyncGenerator<Uint8Array>;
  readonly file?: Deno.FsFile;
}

/** A source that is open. It is read once: by its chunks, as they are stored, or by ranges. */
export class OpenedSource {
  /** Named in errors. */
  readonly name: string;
  /** Where the bytes are. A pipe is a stream. */
  readonly kind: "file" | "memory" | "stream";
  /** How they are compressed; `undefined` if they are not. */
  readonly compression: Codec | undefined;
  /** Stored bytes of a file or of memory by their offsets, until it is closed; `undefined` for a stream. */
  readonly ranges: ByteRanges | undefined;
  /** The first bytes, as they are stored: at least those that determine the compression. */
  readonly head: Uint8Array;
  /** Bytes that were read so far, as they are stored. */
  bytes = 0;
  readonly #parts: SourceParts;
  #digest: string | null | undefined;

  constructor(parts: SourceParts) {
    this.name = parts.name;
    this.kind = parts.kind;
    this.compression = compressionOf(parts.head);
    this.ranges = parts.ranges;
    this.head = parts.head;
    this.#parts = parts;
  }

  /** Bytes of a file or of memory, as they are stored. */
  get size(): number | undefined {
    return this.ranges?.size;
  }

  /** The bytes as they are stored, as {@linkcode OpenedSource.chunks}. */
  stored(): AsyncGenerator<Uint8Array> {
    return closing(() => this.#stored(), () => this.close());
  }

  async *#stored(): AsyncGenerator<Uint8Array> {
    // Ranges may have been read before.
    this.#parts.file?.seekSync(this.head.length, Deno.SeekMode.Start);
    for await (const chunk of this.#parts.rest) {
      this.#count(chunk);
      yield chunk;
    }
  }

  /** The content, decompressed; each chunk is valid until the next is requested. Closes the source at its end. */
  chunks(): AsyncGenerator<Uint8Array> {
    const { compression } = this;
    if (compression === undefined) return this.stored();
    return transformed(this.stored(), (chunks) => compression.decompress(chunks, this.name));
  }

  /** The next stored bytes of a file, at once, into the caller's memory; `undefined` at the end. */
  readNow(into: Uint8Array): Uint8Array | undefined {
    const { file, head } = this.#parts;
    if (file === undefined) throw new TypeError(`Cannot read ${this.name} at once: expected a file`);
    if (this.bytes === 0 && head.length > 0) {
      if (head.buffer !== into.buffer || head.byteOffset !== into.byteOffset) into.set(head);
      return this.#count(into.subarray(0, head.length));
    }
    const count = file.readSync(into);
    if (count !== null) return this.#count(into.subarray(0, count));
    if (this.bytes < this.size!) throw shrunk(this.name, this.size!, this.bytes);
    return undefined;
  }

  /** Digest of the stored bytes, once all were read; `null` without the option `hash`. */
  digest(): string | null {
    return this.#digest ??= this.#parts.hash?.digest() ?? null;
  }

  /** Closes the file, or cancels the stream. Idempotent. */
  async close(): Promise<void> {
    await this.#parts.rest.return(undefined);
  }

  #count(chunk: Uint8Array): Uint8Array {
    this.bytes += chunk.length;
    this.#parts.hash?.update(chunk);
    this.#parts.onChunk?.(chunk);
    return chunk;
  }
}

export function rangesOfMemory(bytes: Uint8Array): ByteRanges {
  return { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) };
}

export function rangesOfFile(file: Deno.FsFile, size: number, name: string): ByteRanges {
  return {
    size,
    read(offset, length) {
      const bytes = new Uint8Array(length);
      const count = readAt(file, bytes, offset);
      if (count < length) throw shrunk(name, size, offset + count);
      return bytes;
    },
  };
}
