/** Bytes of an archive on their way to the row checker. */
import { basename } from "node:path";
import { readBytes } from "../../../io/bytes/byte_source.ts";
import { peekHeader } from "../../../io/csv/peek_header.ts";
import { withCommas } from "../../../io/csv/peek_separator.ts";
import { separatorWarning } from "../../../io/csv/separator.ts";
import { startSha256 } from "../../../io/digest/sha256.ts";
import { ParseError } from "../../../errors.ts";
import { NOT_A_TABLE } from "../../../io/csv/not_a_table.ts";
import { gunzip, isGzip } from "../../../io/gzip/gunzip.ts";

/** An archive that is being read. */
export interface OpenArchive {
  /** Names of the columns as the archive has them. */
  readonly header: readonly string[];
  /** Inflated CSV with commas. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** What is unusual about it, in words. */
  readonly warnings: readonly string[];
  /** SHA-256 of the bytes that were read: of the archive, when all chunks have been. */
  digest(): string;
}

/** Opens an archive, plain or gzip, with any separator; `onBytes` receives the number of bytes read so far. */
export async function openArchive(
  path: string,
  { onBytes, signal }: { readonly onBytes: (done: number) => void; readonly signal?: AbortSignal },
): Promise<OpenArchive> {
  const name = basename(path);
  const hash = startSha256();
  const compressed = async function* () {
    let done = 0;
    for await (const chunk of readBytes(path, { ...signal && { signal } })) {
      hash.update(chunk);
      onBytes(done += chunk.length);
      yield chunk;
    }
  };
  const { separator, header, looks, chunks } = await peekHeader(inflate(compressed(), name), { name });
  if (NOT_A_TABLE.includes(looks)) {
    await chunks.return(undefined);
    throw new ParseError(`Cannot read ${name}: expected a CSV table, it looks like ${looks}; check which file it is`, {
      line: 1,
    });
  }
  const isUnusual = separator !== ",";
  return {
    header,
    chunks: isUnusual ? withCommas(chunks, { separator, name }) : chunks,
    warnings: isUnusual ? [separatorWarning(name, separator)] : [],
    digest: () => hash.digest(),
  };
}

/** Inflates what is gzip. */
async function* inflate(chunks: AsyncGenerator<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  const first = await chunks.next();
  const whole = (async function* () {
    if (!first.done) yield first.value;
    yield* chunks;
  })();
  if (!first.done && isGzip(first.value)) yield* gunzip(whole, name);
  else yield* whole;
}
