/**
 * Writes Parquet column by column from bytes that are laid out already, in memory or in a file.
 *
 * For what polars would have to hold several times over: a sequence of hundreds of megabytes streams from its file to
 * its page. Pages are plain and compressed with zstd; identifiers and numbers have statistics.
 */
import { once } from "node:events";
import { promisify } from "node:util";
import { constants, createZstdCompress, zstdCompress } from "node:zlib";
import { joinBytes } from "../../io/bytes/join_bytes.ts";
import { readAt } from "../../io/bytes/read_full.ts";
import { writeAll } from "../../io/files/write_all.ts";
import { type FileChecks, FileCheckWriter } from "./file_checks.ts";
import { encodeStruct, type ThriftStruct, type ThriftValue } from "./_thrift.ts";

/** A column. */
export interface ParquetField {
  readonly name: string;
  readonly type: "utf8" | "int64" | "float64" | "boolean" | "date" | "list";
  /** Whether it may hold nulls. */
  readonly optional?: boolean;
}

/**
 * Values laid out as Parquet has them: texts each after their length in four bytes, numbers in eight, booleans in bits.
 */
export interface ParquetPage {
  /** Number of values, nulls included. */
  readonly values: number;
  /** The values, or a part of a file that holds them. */
  readonly bytes: Uint8Array | { readonly file: Deno.FsFile; readonly start: number; readonly length: number };
}

/** What a row group holds of one column. */
export interface ParquetChunk {
  readonly pages: readonly ParquetPage[];
  /** Validity bits of an optional column, which has one page. */
  readonly valid?: Uint8Array;
  /** Number of nulls. */
  readonly nulls?: number;
  /** Least and greatest value, as their bytes. */
  readonly range?: { readonly least: Uint8Array; readonly greatest: Uint8Array };
}

const TYPES = { boolean: 0, date: 1, int64: 2, float64: 5, utf8: 6, list: 6 } as const;
const ZSTD = 6;
const PLAIN = 0;
const RLE = 3;
const DICTIONARY = 8;
/** What a Parquet file begins and ends with. */
export const MAGIC: Uint8Array = new TextEncoder().encode("PAR1");

/** Pages up to this size are compressed at once, several at the same time; longer ones stream. */
const WHOLE_PAGE_BYTES = 8 * 1024 * 1024;
const PAGES_AT_ONCE = 4;
const CHUNK_BYTES = 1 << 20;

/** How pages are compressed: with a checksum of their content, which every reader compares. */
export const ZSTD_OPTIONS = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

const compressInThread = promisify(zstdCompress);

function compressWhole(bytes: Uint8Array): Promise<Uint8Array> {
  return compressInThread(bytes, ZSTD_OPTIONS);
}

/** A file under way. */
export class ParquetFile implements Disposable {
  readonly #file: Deno.FsFile;
  readonly #fields: readonly ParquetField[];
  readonly #groups: ThriftValue[] = [];
  readonly #checks = new FileCheckWriter();
  #at = 0;
  #rows = 0;

  /** Begins a file. */
  constructor(path: string, fields: readonly ParquetField[]) {
    this.#file = Deno.openSync(path, { write: true, create: true, truncate: true });
    this.#fields = fields;
    this.#put(MAGIC);
    this.#checks.addMagic(MAGIC);
  }

  /** Writes a row group: a chunk for each column. */
  async writeGroup(rows: number, chunks: readonly ParquetChunk[], signal?: AbortSignal): Promise<void> {
    const columns: ThriftValue[] = [];
    let total = 0;
    for (const [index, chunk] of chunks.entries()) {
      const start = this.#at;
      let plainBytes = 0;
      for (let first = 0; first < chunk.pages.length; first += PAGES_AT_ONCE) {
        signal?.throwIfAborted();
        const pages = chunk.pages.slice(first, first + PAGES_AT_ONCE);
        for (const page of await Promise.all(pages.map((page) => compressPage(page, chunk.valid, signal)))) {
          this.#put(page.head);
          for (const bytes of page.body) this.#put(bytes);
          this.#checks.addPage(page.head, page.body);
          plainBytes += page.head.length + page.plainBytes;
        }
      }
      total += plainBytes;
      const size = { plainBytes, bytes: this.#at - start, start, values: rows };
      columns.push({ struct: columnChunk(this.#fields[index], chunk, size) });
    }
    this.#groups.push(rowGroup(columns, total, rows));
    this.#rows += rows;
  }

  /** Ends the file; returns the checksums of its bytes. */
  finish(): FileChecks {
    const end = fileEnd(this.#fields, this.#groups, this.#rows);
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

/** What stands behind the last row group: the footer, its length and what every file ends with. */
export function fileEnd(fields: readonly ParquetField[], groups: readonly ThriftValue[], rows: number): Uint8Array {
  const root: ThriftStruct = [[4, { text: "schema" }], [5, { i32: fields.length }]];
  const footer = encodeStruct([
    [1, { i32: 1 }],
    [2, { list: [root, ...fields.flatMap(schemaElements)].map((struct) => ({ struct })) }],
    [3, { i64: rows }],
    [4, { list: groups }],
    [6, { text: "seqreg" }],
    // The order of every column is that of its type: without it, statistics would mean nothing.
    [7, { list: fields.map(() => ({ struct: [[1, { struct: [] }]] })) }],
  ]);
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, footer.length, true);
  return joinBytes([footer, length, MAGIC]);
}

/** What the footer says of a row group. */
export function rowGroup(columns: readonly ThriftValue[], plainBytes: number, rows: number): ThriftValue {
  return { struct: [[1, { list: columns }], [2, { i64: plainBytes }], [3, { i64: rows }]] };
}

/** The converted and the logical type of what is more than its physical type. */
const MEANINGS: Readonly<Partial<Record<ParquetField["type"], readonly [converted: number, logical: number]>>> = {
  utf8: [0, 1],
  date: [6, 6],
};

function schemaElements({ name, type, optional }: ParquetField): ThriftStruct[] {
  if (type === "list") {
    const outer: ThriftStruct = [
      [3, { i32: 1 }],
      [4, { text: name }],
      [5, { i32: 1 }],
      [6, { i32: 3 }],
      [10, { struct: [[3, { struct: [] }]] }],
    ];
    const middle: ThriftStruct = [[3, { i32: 2 }], [4, { text: LIST_PATH[0] }], [5, { i32: 1 }]];
    return [outer, middle, ...schemaElements({ name: LIST_PATH[1], type: "utf8", optional: true })];
  }
  const meaning = MEANINGS[type];
  return [[
    [1, { i32: TYPES[type] }],
    [3, { i32: optional ? 1 : 0 }],
    [4, { text: name }],
    [6, meaning && { i32: meaning[0] }],
    [10, meaning && { struct: [[meaning[1], { struct: [] }]] }],
  ]];
}

/** Names within a list. */
const LIST_PATH = ["list", "element"] as const;

/** Where a column of a row group lies. */
export interface ChunkSize {
  /** Bytes before compression, heads of pages included. */
  readonly plainBytes: number;
  /** Bytes in the file. */
  readonly bytes: number;
  /** Place of its first page. */
  readonly start: number;
  /** Number of values, nulls included. */
  readonly values: number;
  /** Place of its pages of places, if the first page holds its distinct values. */
  readonly dataStart?: number;
}

/** What the footer says of a column of a row group. */
export function columnChunk(
  { name, type }: ParquetField,
  { nulls = 0, range }: Pick<ParquetChunk, "nulls" | "range">,
  { plainBytes, bytes, start, values, dataStart }: ChunkSize,
): ThriftStruct {
  const statistics: ThriftStruct = [
    [3, { i64: nulls }],
    [5, range && { binary: range.greatest }],
    [6, range && { binary: range.least }],
  ];
  const encodings = dataStart === undefined ? [PLAIN, RLE] : [PLAIN, RLE, DICTIONARY];
  const metadata: ThriftStruct = [
    [1, { i32: TYPES[type] }],
    [2, { list: encodings.map((i32) => ({ i32 })) }],
    [3, { list: [name, ...type === "list" ? LIST_PATH : []].map((text) => ({ text })) }],
    [4, { i32: ZSTD }],
    [5, { i64: values }],
    [6, { i64: plainBytes }],
    [7, { i64: bytes }],
    [9, { i64: dataStart ?? start }],
    [11, dataStart === undefined ? undefined : { i64: start }],
    [12, { struct: statistics }],
  ];
  return [[2, { i64: start }], [3, { struct: metadata }]];
}

/** The head of a page of values, or of places among distinct values. */
export function pageHead(
  values: number,
  { plainBytes, bytes, isPlaces = false }: {
    readonly plainBytes: number;
    readonly bytes: number;
    readonly isPlaces?: boolean;
  },
): Uint8Array {
  const encoding = { i32: isPlaces ? DICTIONARY : PLAIN };
  return encodeStruct([
    [1, { i32: 0 }],
    [2, { i32: plainBytes }],
    [3, { i32: bytes }],
    [5, { struct: [[1, { i32: values }], [2, encoding], [3, { i32: RLE }], [4, { i32: RLE }]] }],
  ]);
}

/** The head of a page of distinct values. */
export function dictionaryHead(values: number, plainBytes: number, bytes: number): Uint8Array {
  return encodeStruct([
    [1, { i32: 2 }],
    [2, { i32: plainBytes }],
    [3, { i32: bytes }],
    [7, { struct: [[1, { i32: values }], [2, { i32: PLAIN }]] }],
  ]);
}

interface CompressedPage {
  readonly head: Uint8Array;
  readonly body: readonly Uint8Array[];
  readonly plainBytes: number;
}

async function compressPage(
  { values, bytes }: ParquetPage,
  valid: Uint8Array | undefined,
  signal: AbortSignal | undefined,
): Promise<CompressedPage> {
  const levels = valid === undefined ? undefined : definitionLevels(valid);
  const plainBytes = bytes.length + (levels?.length ?? 0);
  const body = bytes instanceof Uint8Array
    ? [await compressWhole(levels === undefined ? bytes : joinBytes([levels, bytes]))]
    : bytes.length <= WHOLE_PAGE_BYTES
    ? [await compressWhole(readPart(bytes.file, bytes.start, new Uint8Array(bytes.length)))]
    : await compressLong(bytes.file, bytes.start, bytes.length, signal);
  const head = pageHead(values, { plainBytes, bytes: body.reduce((sum, { length }) => sum + length, 0) });
  return { head, body, plainBytes };
}

/** One run of bits, with the number of bytes before it: validity bits are just that. */
function definitionLevels(valid: Uint8Array): Uint8Array {
  const run: number[] = [];
  let rest = valid.length * 2 + 1;
  for (; rest >= 128; rest = Math.floor(rest / 128)) run.push(rest % 128 + 128);
  run.push(rest);
  const levels = new Uint8Array(4 + run.length + valid.length);
  new DataView(levels.buffer).setUint32(0, run.length + valid.length, true);
  levels.set(run, 4);
  levels.set(valid, 4 + run.length);
  return levels;
}

/** Compresses a part of a file chunk by chunk; what comes of it is held, since its length stands before it. */
async function compressLong(
  file: Deno.FsFile,
  start: number,
  length: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array[]> {
  const compressor = createZstdCompress({ ...ZSTD_OPTIONS, chunkSize: CHUNK_BYTES });
  const body: Uint8Array[] = [];
  compressor.on("data", (chunk: Uint8Array) => body.push(chunk));
  const ended = once(compressor, "end");
  ended.catch(() => {});
  for (let at = 0; at < length; at += CHUNK_BYTES) {
    signal?.throwIfAborted();
    const chunk = readPart(file, start + at, new Uint8Array(Math.min(CHUNK_BYTES, length - at)));
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

/** Texts laid out as Parquet has them, each after its length in four bytes. */
export class TextBytes {
  #bytes = new Uint8Array(1024);
  #used = 0;

  /** The texts so far. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#used);
  }

  /** Adds one. */
  add(text: string): void {
    // No character takes more than three bytes for each of its two-byte units.
    this.#makeRoom(4 + 3 * text.length);
    const start = this.#used + 4;
    let at = start;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code >= 128 || index === SHORT_LETTERS) {
        at = start + encoder.encodeInto(text, this.#bytes.subarray(start)).written;
        break;
      }
      this.#bytes[at++] = code;
    }
    this.#close(at);
  }

  /** Adds one that is bytes already. */
  addBytes(text: Uint8Array): void {
    this.#makeRoom(4 + text.length);
    this.#bytes.set(text, this.#used + 4);
    this.#close(this.#used + 4 + text.length);
  }

  #close(end: number): void {
    const length = end - this.#used - 4;
    for (let byte = 0; byte < 4; byte++) this.#bytes[this.#used + byte] = length >>> (8 * byte);
    this.#used = end;
  }

  #makeRoom(bytes: number): void {
    if (this.#used + bytes <= this.#bytes.length) return;
    const longer = new Uint8Array(2 * (this.#used + bytes));
    longer.set(this.#bytes);
    this.#bytes = longer;
  }
}

/** Characters of a text that is put down one by one: an encoder takes longer for its call than for so few. */
const SHORT_LETTERS = 24;
const encoder = new TextEncoder();

/** A chunk of whole numbers that are not negative, with their range. */
export function numberChunk(values: readonly number[]): ParquetChunk {
  const bytes = int64Bytes(values);
  if (values.length === 0) return { pages: [{ values: 0, bytes }] };
  let [least, greatest] = [values[0], values[0]];
  for (const value of values) {
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  const range = { least: int64Bytes([least]), greatest: int64Bytes([greatest]) };
  return { pages: [{ values: values.length, bytes }], range };
}

function int64Bytes(values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(8 * values.length);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < values.length; index++) {
    view.setUint32(8 * index, values[index] % TWO_TO_32, true);
    view.setUint32(8 * index + 4, Math.floor(values[index] / TWO_TO_32), true);
  }
  return bytes;
}

const TWO_TO_32 = 2 ** 32;
