/** Builds a Parquet file in memory from columns that are laid out already. */
import { zstdCompressSync } from "node:zlib";
import { copyBytes } from "../../io/bytes/join_bytes.ts";
import { type FileChecks, FileCheckWriter } from "./file_checks.ts";
import { type ColumnChunk, MAGIC, type RowGroup } from "../metadata.ts";
import { columnChunk, dataPageHeader, dictionaryPageHeader, fileEnd, ZSTD_OPTIONS } from "./_describe.ts";
import type { FileMetadata, ParquetChunk, ParquetField } from "./columns.ts";

/** A column of a row group, with its levels; its bytes are used up before the next column is asked for. */
export interface LaidOutColumn extends Pick<ParquetChunk, "nulls" | "range"> {
  /** Number of values, nulls included. */
  readonly values: number;
  /** Levels, then the values, or their dictionary indices. */
  readonly page: Uint8Array;
  /** Distinct values, in PLAIN encoding, if the page holds their indices. */
  readonly dictionary?: { readonly values: number; readonly bytes: Uint8Array };
}

/** Pages up to this size are kept as they were compressed: those of columns with one value, or none, are all alike. */
const ALIKE_BYTES = 32;
const MAX_ALIKE = 100;
const alike = new Map<string, Uint8Array>();

function compress(bytes: Uint8Array): Uint8Array {
  if (bytes.length > ALIKE_BYTES) return zstdCompressSync(bytes, ZSTD_OPTIONS);
  const key = bytes.join();
  let compressed = alike.get(key);
  if (compressed === undefined) {
    compressed = zstdCompressSync(bytes, ZSTD_OPTIONS);
    if (alike.size >= MAX_ALIKE) alike.clear();
    alike.set(key, compressed);
  }
  return compressed;
}

/** A file under way. */
export class ParquetBytes {
  readonly #fields: readonly ParquetField[];
  readonly #metadata: FileMetadata;
  readonly #chunks: Uint8Array[] = [];
  readonly #groups: RowGroup[] = [];
  readonly #checks = new FileCheckWriter();
  #at = 0;
  #rows = 0;

  /** Begins a file. */
  constructor(fields: readonly ParquetField[], metadata: FileMetadata = {}) {
    this.#fields = fields;
    this.#metadata = metadata;
    this.#put(MAGIC);
    this.#checks.addMagic(MAGIC);
  }

  /** Adds a row group: a column for each field. */
  addGroup(rows: number, columns: Iterable<LaidOutColumn>): void {
    const chunks: ColumnChunk[] = [];
    let total = 0;
    for (const { values, page, dictionary, nulls, range } of columns) {
      const start = this.#at;
      let plainBytes = page.length;
      if (dictionary !== undefined) {
        const bytes = compress(dictionary.bytes);
        const size = { values: dictionary.values, plainBytes: dictionary.bytes.length, bytes: bytes.length };
        plainBytes += this.#putPage(dictionaryPageHeader(size), bytes) + dictionary.bytes.length;
      }
      const dataStart = dictionary && this.#at;
      const bytes = compress(page);
      const header = dataPageHeader({ values, plainBytes: page.length, bytes: bytes.length }, dictionary !== undefined);
      plainBytes += this.#putPage(header, bytes);
      total += plainBytes;
      const size = { plainBytes, bytes: this.#at - start, start, values, ...dataStart !== undefined && { dataStart } };
      const field = this.#fields[chunks.length];
      chunks.push(columnChunk(field, { ...nulls !== undefined && { nulls }, ...range && { range } }, size));
    }
    this.#groups.push({ columns: chunks, total_byte_size: total, num_rows: rows });
    this.#rows += rows;
  }

  /** Ends the file; returns its bytes, their checksums, and what its footer lists. */
  finish(): {
    readonly bytes: Uint8Array<ArrayBuffer>;
    readonly checks: FileChecks;
    readonly groups: readonly RowGroup[];
  } {
    const end = fileEnd(this.#fields, this.#groups, this.#rows, this.#metadata);
    this.#put(end);
    return { bytes: copyBytes(this.#chunks), checks: this.#checks.finish(end), groups: this.#groups };
  }

  /** Adds a page. @returns Bytes of its header. */
  #putPage(header: Uint8Array, body: Uint8Array): number {
    this.#put(header);
    this.#put(body);
    this.#checks.addPage(header, [body]);
    return header.length;
  }

  #put(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.#at += bytes.length;
  }
}
