/** What the files of records have in common. */
import { DamagedFileError } from "../files/damaged_file.ts";

/** Writes all of a chunk where the file stands. */
export function writeAll(file: Deno.FsFile, chunk: Uint8Array): void {
  for (let start = 0; start < chunk.length;) start += file.writeSync(chunk.subarray(start));
}

/** Fills a buffer from an offset of a file. */
export function readAll(file: Deno.FsFile, into: Uint8Array, offset: number, path: string): void {
  file.seekSync(offset, Deno.SeekMode.Start);
  for (let start = 0; start < into.length;) {
    const count = file.readSync(start === 0 ? into : into.subarray(start));
    if (count === null) {
      throw new DamagedFileError(path, `it ends before byte ${offset + into.length}`);
    }
    start += count;
  }
}

/** Says that a file is not as it was written. */
export function malformed(path: string): DamagedFileError {
  return new DamagedFileError(path, "it is malformed");
}

/** Views the bytes of a typed array. */
export function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
