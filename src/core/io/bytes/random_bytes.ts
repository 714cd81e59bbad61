/** Bytes that can be read from any offset, such as those of an archive whose directory is at its end. */
import type { ByteSource } from "./byte_source.ts";
import { joinBytes } from "./join_bytes.ts";
import type { OpenBytesOptions } from "./open_bytes.ts";
import { type ByteRanges, openSource, rangesOfFile, rangesOfMemory } from "./open_source.ts";
import { createScratchFolder } from "../files/scratch_folder.ts";
import { temporaryError } from "../files/temp_path.ts";
import { writeAll } from "../files/write_all.ts";

/** A stream of more bytes than this is put aside in a temporary file. */
const MAX_HELD_BYTES = 64 << 20;

/** Bytes of a known number that can be read from any offset. Dispose of them to close their file. */
export interface RandomBytes extends ByteRanges, Disposable {}

/**
 * Opens bytes for random access. Plain files and memory are read where they are. Streams and compressed data are read
 * to their end first and held in memory, those of more than 64 MiB in a temporary file.
 *
 * @param source Where the bytes are; plain or compressed.
 * @throws {RegistryError} With code `disk` if a file cannot be read.
 * @throws {GzipError} If gzip data is damaged.
 */
export async function openRandomBytes(source: ByteSource, options: OpenBytesOptions = {}): Promise<RandomBytes> {
  const opened = await openSource(source, options);
  const { ranges, compression, name } = opened;
  if (ranges === undefined || compression !== undefined) return await holdBytes(opened.chunks(), name);
  return { size: ranges.size, read: ranges.read, [Symbol.dispose]: () => void opened.close() };
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
      for (const bytes of held.splice(0)) writeTemporary(file, bytes);
    }
    if (file === undefined) held.push(chunk.slice());
    else writeTemporary(file, chunk);
  }
  if (file === undefined) return { ...rangesOfMemory(joinBytes(held)), [Symbol.dispose]() {} };
  const ranges = rangesOfFile(file, size, name);
  const owned = stack.move();
  return { ...ranges, [Symbol.dispose]: () => owned.dispose() };
}

function writeTemporary(file: Deno.FsFile, bytes: Uint8Array): void {
  try {
    writeAll(file, bytes);
  } catch (cause) {
    throw temporaryError(cause);
  }
}
