/** What the files of records have in common. */
import { readAt } from "@seqreg/core/io/bytes";
import { DamagedFileError } from "../files/damaged_file.ts";

export function readAll(file: Deno.FsFile, into: Uint8Array, offset: number, path: string): void {
  if (readAt(file, into, offset) < into.length) {
    throw new DamagedFileError(path, `it ends before byte ${offset + into.length}`);
  }
}

/** Makes the error that a file is not as it was written. */
export function malformed(path: string): DamagedFileError {
  return new DamagedFileError(path, "it is malformed");
}

export function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
