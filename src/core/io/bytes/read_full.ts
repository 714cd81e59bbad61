/** Reads that fill a buffer: one call of the system may read fewer bytes than there are. */

/** Reads from where a file stands until the buffer is full or the file ends. @returns Bytes read. */
export function readFull(file: Pick<Deno.FsFile, "readSync">, into: Uint8Array): number {
  let length = 0;
  while (length < into.length) {
    const count = file.readSync(length === 0 ? into : into.subarray(length));
    if (count === null) break;
    length += count;
  }
  return length;
}

/** Reads from an offset until the buffer is full or the file ends. @returns Bytes read. */
export function readAt(file: Deno.FsFile, into: Uint8Array, offset: number): number {
  file.seekSync(offset, Deno.SeekMode.Start);
  return readFull(file, into);
}
