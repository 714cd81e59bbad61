/** Holds page headers and the footer of a Parquet file against what was noted when it was written. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { crcText, type FileChecks, readPages } from "../write/file_checks.ts";

/** Bytes that are read at once: short pages lie together, and their headers cost one read. */
const WINDOW_BYTES = 4096;
const MAGIC_BYTES = 4;

/**
 * Whether the page headers and the footer of a file are those that were written, and its size is.
 *
 * The pages themselves are not read: their data has checksums that its reader compares.
 */
export function isStructureWhole(path: string, bytes: number, checks: Pick<FileChecks, "crc32" | "pages">): boolean {
  const file = openSync(path, "r");
  try {
    return fstatSync(file).size === bytes && structureCrc(file, bytes, readPages(checks.pages)) === checks.crc32;
  } finally {
    closeSync(file);
  }
}

/** CRC-32 of page headers and footer; `undefined` where the positions lead beyond the file. */
function structureCrc(file: number, size: number, lengths: readonly number[]): string | undefined {
  const window = new Uint8Array(WINDOW_BYTES);
  let [start, end] = [0, 0];
  let crc = 0;
  let position = MAGIC_BYTES;
  const headers: Uint8Array[] = [];
  for (let index = 0; index + 1 < lengths.length; index += 2) {
    const length = lengths[index];
    if (position + length > size) return undefined;
    if (length > WINDOW_BYTES) headers.push(read(file, position, new Uint8Array(length)));
    else {
      if (position + length > end) {
        start = position;
        end = position + readSync(file, window, 0, WINDOW_BYTES, position);
        if (end < position + length) return undefined;
      }
      headers.push(window.slice(position - start, position - start + length));
    }
    position += length + lengths[index + 1];
  }
  if (position > size) return undefined;
  for (const header of headers) crc = crc32(header, crc);
  return crcText(crc32(read(file, position, new Uint8Array(size - position)), crc));
}

function read(file: number, position: number, into: Uint8Array): Uint8Array {
  for (let at = 0; at < into.length;) {
    const count = readSync(file, into, at, into.length - at, position + at);
    if (count === 0) break;
    at += count;
  }
  return into;
}
