/** Builds a Parquet file in memory from columns that are laid out already. */
import { zstdCompressSync } from "node:zlib";
import {
  columnChunk,
  dictionaryHead,
  fileEnd,
  MAGIC,
  pageHead,
  type ParquetChunk,
  type ParquetField,
  rowGroup,
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
  if (bytes.length > ALIKE_BYTES) return zstdCompressSync(bytes);
  const key = bytes.join();
  let compressed = alike.get(key);
  if (compressed === undefined) {
    compressed = zstdCompressSync(bytes);
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
  #at = 0;
  #rows = 0;

  /** Begins a file. */
  constructor(fields: readonly ParquetField[]) {
    this.#fields = fields;
    this.#put(MAGIC);
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
        this.#put(head);
        this.#put(bytes);
        plainBytes += head.length + dictionary.bytes.length;
      }
      const dataStart = dictionary && this.#at;
      const bytes = compress(page);
      const head = pageHead(values, {
        plainBytes: page.length,
        bytes: bytes.length,
        isPlaces: dictionary !== undefined,
      });
      this.#put(head);
      this.#put(bytes);
      plainBytes += head.length;
      total += plainBytes;
      const size = { plainBytes, bytes: this.#at - start, start, values, ...dataStart !== undefined && { dataStart } };
      const field = this.#fields[chunks.length];
      chunks.push({ struct: columnChunk(field, { ...nulls !== undefined && { nulls }, ...range && { range } }, size) });
    }
    this.#groups.push(rowGroup(chunks, total, rows));
    this.#rows += rows;
  }

  /** Ends the file and gives its bytes. */
  finish(): Uint8Array<ArrayBuffer> {
    this.#put(fileEnd(this.#fields, this.#groups, this.#rows));
    const whole = new Uint8Array(this.#at);
    let at = 0;
    for (const piece of this.#pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole;
  }

  #put(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
    this.#at += bytes.length;
  }
}
