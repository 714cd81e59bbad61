/** Builds a Parquet file in memory from columns that are laid out already. */
import { zstdCompressSync } from "node:zlib";
import { copyBytes } from "../../io/bytes/join_bytes.ts";
import { type FileChecks, FileCheckWriter } from "./file_checks.ts";
import {
  columnChunk,
  dictionaryHead,
  fileEnd,
  MAGIC,
  pageHead,
  type ParquetChunk,
  type ParquetField,
  rowGroup,
  ZSTD_OPTIONS,
} from "./parquet_file.ts";
import type { ThriftValue } from "./_thrift.ts";

/** A column of a row group, with its levels; its bytes are used up before the next column is asked for. */
export interface LaidOutColumn extends Pick<ParquetChunk, "nulls" | "range"> {
  /** Number of values, nulls included. */
  readonly values: number;
  /** Levels, then the values, or their places among the distinct ones. */
  readonly page: Uint8Array;
  /** Distinct values, if they are told apart. */
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
  readonly #pieces: Uint8Array[] = [];
  readonly #groups: ThriftValue[] = [];
  readonly #checks = new FileCheckWriter();
  #at = 0;
  #rows = 0;

  /** Begins a file. */
  constructor(fields: readonly ParquetField[]) {
    this.#fields = fields;
    this.#put(MAGIC);
    this.#checks.addMagic(MAGIC);
  }

  /** Adds a row group: a column for each field. */
  addGroup(rows: number, columns: Iterable<LaidOutColumn>): void {
    const chunks: ThriftValue[] = [];
    let total = 0;
    for (const { values, page, dictionary, nulls, range } of columns) {
      const start = this.#at;
      let plainBytes = page.length;
      if (dictionary !== undefined) {
        const bytes = compress(dictionary.bytes);
        const head = dictionaryHead(dictionary.values, dictionary.bytes.length, bytes.length);
        this.#putPage(head, bytes);
        plainBytes += head.length + dictionary.bytes.length;
      }
      const dataStart = dictionary && this.#at;
      const bytes = compress(page);
      const head = pageHead(values, {
        plainBytes: page.length,
        bytes: bytes.length,
        isPlaces: dictionary !== undefined,
      });
      this.#putPage(head, bytes);
      plainBytes += head.length;
      total += plainBytes;
      const size = { plainBytes, bytes: this.#at - start, start, values, ...dataStart !== undefined && { dataStart } };
      const field = this.#fields[chunks.length];
      chunks.push({ struct: columnChunk(field, { ...nulls !== undefined && { nulls }, ...range && { range } }, size) });
    }
    this.#groups.push(rowGroup(chunks, total, rows));
    this.#rows += rows;
  }

  /** Ends the file; returns its bytes and their checksums. */
  finish(): { readonly bytes: Uint8Array<ArrayBuffer>; readonly checks: FileChecks } {
    const end = fileEnd(this.#fields, this.#groups, this.#rows);
    this.#put(end);
    return { bytes: copyBytes(this.#pieces), checks: this.#checks.finish(end) };
  }

  #putPage(head: Uint8Array, body: Uint8Array): void {
    this.#put(head);
    this.#put(body);
    this.#checks.addPage(head, [body]);
  }

  #put(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#at += bytes.length;
  }
}
