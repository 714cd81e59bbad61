/** Decides which files are worth being read ahead. */
import type { ByteSource } from "../../io/bytes/byte_source.ts";
import { isGzip } from "../../io/gzip/is_gzip.ts";

/** Size of a file from which on it pays. */
export const LARGE_BYTES = 8 << 20;

/** The path of a large file that is not gzip; a path that cannot be examined is left to the reader. */
export function largePlainFile(source: ByteSource): string | URL | undefined {
  if (!(typeof source === "string" || source instanceof URL)) return undefined;
  try {
    const { isFile, size } = Deno.statSync(source);
    // A pipe is not opened: closing it again would end its writer.
    if (!isFile || size < LARGE_BYTES) return undefined;
    using file = Deno.openSync(source, { read: true });
    const head = new Uint8Array(2);
    const count = file.readSync(head) ?? 0;
    return isGzip(head.subarray(0, count)) ? undefined : source;
  } catch {
    return undefined;
  }
}
