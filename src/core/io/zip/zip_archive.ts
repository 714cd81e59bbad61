/**
 * Reads ZIP archives (PKWARE APPNOTE 6.3), with the extension for more than 4 GiB: the directory at their end, and the
 * bytes of one file as a stream, whose checksum and size are verified.
 */
import { crc32 } from "node:zlib";
import { ParseError } from "../../errors.ts";
import type { RandomBytes } from "../bytes/random_bytes.ts";
import { gunzip, GzipError } from "../gzip/gunzip.ts";
import { readZipDirectory, type ZipEntry } from "./_zip_directory.ts";

export type { ZipEntry };

const LOCAL_HEADER = 0x04034b50;
const LOCAL_HEADER_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED_FLAG = 1;
/** Compressed bytes that are read at a time. */
const CHUNK_BYTES = 1 << 18;

export interface ZipArchive {
  /** The files of the directory, in its order. */
  readonly entries: readonly ZipEntry[];
  /**
   * Reads a file in chunks, each valid until the next is asked for.
   *
   * @throws {ParseError} If the file is encrypted, compressed by another method than DEFLATE, or damaged: chunks before
   * the fault have been yielded by then.
   */
  read(entry: ZipEntry, signal?: AbortSignal): AsyncGenerator<Uint8Array>;
}

/**
 * Reads the directory of an archive.
 *
 * @param bytes The archive. Bytes before its first file, such as those of a program that extracts it, are allowed.
 * @throws {ParseError} If it has no directory, or an invalid one.
 */
export function openZip(bytes: RandomBytes, name: string): ZipArchive {
  return {
    entries: readZipDirectory(bytes, name),
    read: (entry, signal) => readEntry(bytes, entry, `${entry.name} in ${name}`, signal),
  };
}

async function* readEntry(
  bytes: RandomBytes,
  entry: ZipEntry,
  name: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const compressed = compressedBytes(bytes, entry, name, signal);
  if (entry.method === STORED) return yield* verifyStored(compressed, entry, name);
  if (entry.method !== DEFLATED) {
    throw new ParseError(`Cannot read ${name}: its compression (method ${entry.method}) is not supported`);
  }
  try {
    yield* gunzip(asGzip(compressed, entry), name);
  } catch (cause) {
    if (cause instanceof GzipError) throw damaged(name, cause);
    throw cause;
  }
}

/** The bytes of a file as they lie in the archive. */
async function* compressedBytes(
  bytes: RandomBytes,
  entry: ZipEntry,
  name: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  if ((entry.flags & ENCRYPTED_FLAG) !== 0) throw new ParseError(`Cannot read ${name}: it is encrypted`);
  if (entry.offset + LOCAL_HEADER_BYTES > bytes.size) throw damaged(name);
  const header = bytes.read(entry.offset, LOCAL_HEADER_BYTES);
  const view = new DataView(header.buffer, header.byteOffset);
  if (view.getUint32(0, true) !== LOCAL_HEADER) throw damaged(name);
  const begin = entry.offset + LOCAL_HEADER_BYTES + view.getUint16(26, true) + view.getUint16(28, true);
  const end = begin + entry.compressedSize;
  if (end > bytes.size) throw damaged(name);
  for (let offset = begin; offset < end; offset += CHUNK_BYTES) {
    signal?.throwIfAborted();
    yield bytes.read(offset, Math.min(CHUNK_BYTES, end - offset));
  }
}

/** A gzip member is a DEFLATE stream between a header and the checksum and size that a ZIP's directory holds. */
async function* asGzip(deflated: AsyncIterable<Uint8Array>, { crc, size }: ZipEntry): AsyncGenerator<Uint8Array> {
  yield Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);
  yield* deflated;
  const trailer = new DataView(new ArrayBuffer(8));
  trailer.setUint32(0, crc, true);
  trailer.setUint32(4, size % 2 ** 32, true);
  yield new Uint8Array(trailer.buffer);
}

async function* verifyStored(
  chunks: AsyncIterable<Uint8Array>,
  entry: ZipEntry,
  name: string,
): AsyncGenerator<Uint8Array> {
  let [crc, size] = [0, 0];
  for await (const chunk of chunks) {
    crc = crc32(chunk, crc);
    size += chunk.length;
    yield chunk;
  }
  if (crc !== entry.crc || size !== entry.size) throw damaged(name);
}

function damaged(name: string, cause?: unknown): ParseError {
  return new ParseError(`Cannot read ${name}: it is damaged or cut; get the file again`, {}, { cause });
}
