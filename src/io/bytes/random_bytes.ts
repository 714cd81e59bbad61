/**
 * Bytes that can be read from any offset, such as those of an archive whose directory is at its end.
 *
 * @module
 */
import { type ByteSource, openFile, shrunk } from "./byte_source.ts";
import { joinBytes } from "./join_bytes.ts";
import { openBytes, type OpenBytesOptions, sourceName } from "./open_bytes.ts";
import { readAt } from "./read_full.ts";
import { createScratchFolder } from "../files/scratch_folder.ts";
import { writeAll } from "../files/write_all.ts";
import { isGzip } from "../gzip/is_gzip.ts";

/** A stream of more bytes than this is put aside in a temporary file. */
const MAX_HELD_BYTES = 64 << 20;

/** Bytes of a known number that can be read from any offset. Dispose of them to close their file. */
export interface RandomBytes extends Disposable {
  /** Number of bytes. */
  readonly size: number;
  /**
   * Reads so many bytes from an offset; all of them must exist. The result may be the source's memory: it must not be
   * changed.
   *
   * @throws {RegistryError} With code `disk` if the file has become shorter.
   */
  read(offset: number, length: number): Uint8Array;
}

/**
 * Opens bytes for random access. Plain files and memory are read where they are. Streams and gzip data are read to
 * their end first and held in memory, those of more than 64 MiB in a temporary file.
 *
 * @param source Where the bytes are; plain or gzip.
 * @param options Signal, name for errors.
 * @returns The bytes.
 * @throws {RegistryError} With code `disk` if a file cannot be read.
 * @throws {GzipError} If gzip data is damaged.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { openRandomBytes } from "./random_bytes.ts";
 *
 * using bytes = await openRandomBytes(Uint8Array.of(1, 2, 3));
 *
 * assertEquals([bytes.size, bytes.read(1, 2)], [3, Uint8Array.of(2, 3)]);
 * ```
 */
export async function openRandomBytes(source: ByteSource, options: OpenBytesOptions = {}): Promise<RandomBytes> {
  const name = options.name ?? sourceName(source);
  if (typeof source === "string" || source instanceof URL) {
    // Opening a pipe twice would lose what was written to it.
    const info = await Deno.stat(source).catch(() => undefined);
    if (info?.isFile) {
      const file = await openFile(source, options);
      const bytes = bytesOfFile(file, info.size, name);
      if (!isGzip(bytes.read(0, Math.min(2, bytes.size)))) return bytes;
      file.close();
    }
  } else if (source instanceof Uint8Array && !isGzip(source)) {
    return bytesOfMemory(source);
  }
  return await holdBytes(openBytes(source, options), name);
}

function bytesOfMemory(bytes: Uint8Array): RandomBytes {
  return {
    size: bytes.length,
    read: (offset, length) => bytes.subarray(offset, offset + length),
    [Symbol.dispose]() {},
  };
}

function bytesOfFile(file: Deno.FsFile, size: number, name: string): RandomBytes {
  return {
    size,
    read(offset, length) {
      const bytes = new Uint8Array(length);
      const count = readAt(file, bytes, offset);
      if (count < length) throw shrunk(name, size, offset + count);
      return bytes;
    },
    [Symbol.dispose]: () => file.close(),
  };
}

/** Reads a stream to its end. */
async function holdBytes(chunks: AsyncIterable<Uint8Array>, name: string): Promise<RandomBytes> {
  using stack = new DisposableStack();
  const held: Uint8Array[] = [];
  let size = 0;
  let file: Deno.FsFile | undefined;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (file === undefined && size > MAX_HELD_BYTES) {
      const folder = stack.use(await createScratchFolder("bytes"));
      file = stack.use(await Deno.open(`${folder.path}/bytes`, { read: true, write: true, createNew: true }));
      for (const bytes of held.splice(0)) writeAll(file, bytes);
    }
    if (file === undefined) held.push(chunk.slice());
    else writeAll(file, chunk);
  }
  if (file === undefined) return bytesOfMemory(joinBytes(held));
  const { read } = bytesOfFile(file, size, name);
  const owned = stack.move();
  return { size, read, [Symbol.dispose]: () => owned.dispose() };
}
