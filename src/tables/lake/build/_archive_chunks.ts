/** Bytes of an archive on their way to the row checker. */
import { basename } from "node:path";
import { readBytes } from "../../../io/bytes/byte_source.ts";
import { peekSeparator, withCommas } from "../../../io/csv/peek_separator.ts";
import { separatorWarning } from "../../../io/csv/separator.ts";
import { startSha256 } from "../../../io/digest/sha256.ts";
import { ParseError } from "../../../errors.ts";
import { describeBytes } from "../../../io/bytes/describe_bytes.ts";
import { joinBytes } from "../../../io/bytes/join_bytes.ts";
import { CsvSplitter } from "../../../io/csv/csv_splitter.ts";
import type { CsvRow } from "../../../io/csv/split_rows.ts";
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
  const { separator, chunks } = await peekSeparator(inflate(compressed(), name));
  const isUnusual = separator !== ",";
  const peeked = await peekHeader(isUnusual ? withCommas(chunks, { separator, name }) : chunks, name);
  return { ...peeked, warnings: isUnusual ? [separatorWarning(name, separator)] : [], digest: () => hash.digest() };
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

/** Longest header that is looked for. */
const MAX_HEADER_BYTES = 1 << 20;

/** Reads the names of the columns and gives all chunks all the same. */
async function peekHeader(
  chunks: AsyncGenerator<Uint8Array>,
  name: string,
): Promise<{ header: readonly string[]; chunks: AsyncIterable<Uint8Array> }> {
  let head = new Uint8Array(0);
  const splitter = new CsvSplitter({ name });
  let rows: readonly CsvRow[] = [];
  let fault: unknown;
  while (rows.length === 0 && fault === undefined && head.length < MAX_HEADER_BYTES) {
    const { done, value } = await chunks.next();
    try {
      rows = (done ? splitter.finish() : splitter.push(value)).texts();
    } catch (error) {
      // Refused below where it looks like something else, and by who reads all rows otherwise.
      if (!(error instanceof ParseError)) throw error;
      fault = error;
    }
    if (done) break;
    head = joinBytes([head, value.slice()]);
  }
  const looks = describeBytes(head.subarray(0, 512));
  if (NOT_A_TABLE.includes(looks)) {
    await chunks.return(undefined);
    throw new ParseError(`Cannot read ${name}: expected a CSV table, it looks like ${looks}; check which file it is`, {
      line: 1,
    });
  }
  const whole = (async function* () {
    if (head.length > 0) yield head;
    yield* chunks;
  })();
  return { header: rows[0]?.cells ?? [], chunks: whole };
}
