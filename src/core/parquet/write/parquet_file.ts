/**
 * Writes Parquet column by column from bytes that are laid out already, in memory or in a file.
 *
 * For what polars would have to hold several times over: a sequence of hundreds of megabytes streams from its file to
 * its page. Pages are plain and compressed with zstd; identifiers and numbers have statistics.
 *
 * Own code instead of polars: `deno task bench lake`, row "peak memory, one sequence of 300 MB".
 */
import { once } from "node:events";
import { promisify } from "node:util";
import { createZstdCompress, zstdCompress } from "node:zlib";
import { putVarint } from "../thrift.ts";
import { copyBytes, joinBytes } from "../../io/bytes/join_bytes.ts";
import { readAt } from "../../io/bytes/read_full.ts";
import { writeAll } from "../../io/files/write_all.ts";
import { type FileChecks, FileCheckWriter } from "./file_checks.ts";
import { type ColumnChunk, MAGIC, type RowGroup } from "../metadata.ts";
import type { FileMetadata, FilePart, ParquetChunk, ParquetField, ParquetPage } from "./columns.ts";
import { columnChunk, dataPageHeader, fileEnd, ZSTD_OPTIONS } from "./_describe.ts";

/** Pages up to this size are compressed at once, several at the same time; longer ones stream. */
const WHOLE_PAGE_BYTES = 8 * 1024 * 1024;
const PAGES_AT_ONCE = 4;
const CHUNK_BYTES = 1 << 20;

const compressInThread = promisify(zstdCompress);

function compressWhole(bytes: Uint8Array): Promise<Uint8Array> {
  return compressInThread(bytes, ZSTD_OPTIONS);
}

/** A file under way. */
export class ParquetOutput implements Disposable {
  readonly #file: Deno.FsFile;
  readonly #fields: readonly ParquetField[];
  readonly #metadata: FileMetadata;
  readonly #groups: RowGroup[] = [];
  readonly #checks = new FileCheckWriter();
  #at = 0;
  #rows = 0;

  /** Begins a file. */
  constructor(path: string, fields: readonly ParquetField[], metadata: FileMetadata = {}) {
    this.#file = Deno.openSync(path, { write: true, create: true, truncate: true });
    this.#fields = fields;
    this.#metadata = metadata;
    this.#put(MAGIC);
    this.#checks.addMagic(MAGIC);
  }

  /** Writes a row group: a chunk for each column. */
  async writeGroup(rows: number, chunks: readonly ParquetChunk[], signal?: AbortSignal): Promise<void> {
    const columns: ColumnChunk[] = [];
    let total = 0;
    for (const [index, chunk] of chunks.entries()) {
      const start = this.#at;
      let plainBytes = 0;
      for (let first = 0; first < chunk.pages.length; first += PAGES_AT_ONCE) {
        signal?.throwIfAborted();
        const pages = chunk.pages.slice(first, first + PAGES_AT_ONCE);
        for (const page of await Promise.all(pages.map((page) => compressPage(page, chunk.valid, signal)))) {
          this.#put(page.header);
          for (const bytes of page.body) this.#put(bytes);
          this.#checks.addPage(page.header, page.body);
          plainBytes += page.header.length + page.plainBytes;
        }
      }
      total += plainBytes;
      const size = { plainBytes, bytes: this.#at - start, start, values: rows };
      columns.push(columnChunk(this.#fields[index], chunk, size));
    }
    this.#groups.push({ columns, total_byte_size: total, num_rows: rows });
    this.#rows += rows;
  }

  /** Bytes that are written so far. */
  get bytes(): number {
    return this.#at;
  }

  /** Appends the row groups of a file that is in memory. */
  append({ bytes, groups, pages }: EncodedGroups): void {
    const shift = this.#at - MAGIC.length;
    let at = MAGIC.length;
    for (let index = 0; index + 1 < pages.length; index += 2) {
      const body = at + pages[index];
      const end = body + pages[index + 1];
      this.#checks.addPage(bytes.subarray(at, body), [bytes.subarray(body, end)]);
      at = end;
    }
    this.#put(bytes.subarray(MAGIC.length, at));
    for (const { columns = [], num_rows = 0, ...group } of groups) {
      this.#groups.push({ ...group, num_rows, columns: columns.map((chunk) => shiftChunk(chunk, shift)) });
      this.#rows += num_rows;
    }
  }

  /** Ends the file; returns the checksums of its bytes. */
  finish(): FileChecks {
    const end = fileEnd(this.#fields, this.#groups, this.#rows, this.#metadata);
    this.#put(end);
    return this.#checks.finish(end);
  }

  /** Closes the file. */
  [Symbol.dispose](): void {
    this.#file.close();
  }

  #put(bytes: Uint8Array): void {
    writeAll(this.#file, bytes);
    this.#at += bytes.length;
  }
}

/** A Parquet file in memory. */
export interface EncodedGroups {
  readonly bytes: Uint8Array;
  readonly groups: readonly RowGroup[];
  /** Bytes of each page header and of its page, in turn. */
  readonly pages: readonly number[];
}

/** Moves the offsets of a column of a row group. */
function shiftChunk({ file_offset = 0, meta_data }: ColumnChunk, by: number): ColumnChunk {
  const { data_page_offset = 0, dictionary_page_offset } = meta_data ?? {};
  return {
    file_offset: file_offset + by,
    meta_data: {
      ...meta_data,
      data_page_offset: data_page_offset + by,
      ...dictionary_page_offset !== undefined && { dictionary_page_offset: dictionary_page_offset + by },
    },
  };
}

interface CompressedPage {
  readonly header: Uint8Array;
  readonly body: readonly Uint8Array[];
  readonly plainBytes: number;
}

async function compressPage(
  { values, bytes }: ParquetPage,
  valid: Uint8Array | undefined,
  signal: AbortSignal | undefined,
): Promise<CompressedPage> {
  const levels = valid === undefined ? undefined : definitionLevels(valid);
  const length = lengthOf(bytes);
  const plainBytes = length + (levels?.length ?? 0);
  const body = bytes instanceof Uint8Array
    ? [await compressWhole(levels === undefined ? bytes : joinBytes([levels, bytes]))]
    : length <= WHOLE_PAGE_BYTES
    ? [await compressWhole(copyBytes([...chunksOf(bytes)]))]
    : await compressLong(chunksOf(bytes), signal);
  const size = { values, plainBytes, bytes: body.reduce((sum, { length }) => sum + length, 0) };
  return { header: dataPageHeader(size), body, plainBytes };
}

/** One run of bits, with the number of bytes before it: validity bits are just that. */
function definitionLevels(valid: Uint8Array): Uint8Array {
  const run: number[] = [];
  putVarint(run, valid.length * 2 + 1);
  const levels = new Uint8Array(4 + run.length + valid.length);
  new DataView(levels.buffer).setUint32(0, run.length + valid.length, true);
  levels.set(run, 4);
  levels.set(valid, 4 + run.length);
  return levels;
}

/** Reads values in chunks of bounded size. */
function* chunksOf(bytes: readonly Uint8Array[] | FilePart): Generator<Uint8Array> {
  if ("file" in bytes) {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      yield readPart(bytes.file, bytes.start + at, new Uint8Array(Math.min(CHUNK_BYTES, bytes.length - at)));
    }
  } else {
    for (const piece of bytes) {
      for (let at = 0; at < piece.length; at += CHUNK_BYTES) yield piece.subarray(at, at + CHUNK_BYTES);
    }
  }
}

function lengthOf(bytes: ParquetPage["bytes"]): number {
  return Array.isArray(bytes) ? bytes.reduce((sum, { length }) => sum + length, 0) : bytes.length;
}

/** Compresses values chunk by chunk; the result is buffered, since its length precedes it. */
async function compressLong(chunks: Iterable<Uint8Array>, signal: AbortSignal | undefined): Promise<Uint8Array[]> {
  const compressor = createZstdCompress({ ...ZSTD_OPTIONS, chunkSize: CHUNK_BYTES });
  const body: Uint8Array[] = [];
  compressor.on("data", (chunk: Uint8Array) => body.push(chunk));
  const ended = once(compressor, "end");
  ended.catch(() => {});
  for (const chunk of chunks) {
    signal?.throwIfAborted();
    if (!compressor.write(chunk)) await once(compressor, "drain");
  }
  compressor.end();
  await ended;
  return body;
}

function readPart(file: Deno.FsFile, start: number, into: Uint8Array): Uint8Array {
  if (readAt(file, into, start) < into.length) throw new RangeError("Cannot read rows back: their file is too short");
  return into;
}
