/** The pages of a column chunk: their headers, and as much of their data as is asked for. */
import { zstdDecompressSync } from "node:zlib";
import { readAt } from "../../io/bytes/read_full.ts";
import { type ColumnMetaData, CompressionCodec, Encoding, PageHeader, PageType } from "../metadata.ts";
import { ThriftReader } from "../thrift.ts";
import { PageDictionary } from "./_dictionary.ts";
import { countNullLists, inflateFirstBlock } from "./_parquet_levels.ts";
import type { ValuePage } from "./_parquet_rows.ts";

/** A column chunk of an open file. */
export interface ChunkSource {
  readonly file: Deno.FsFile;
  readonly meta: ColumnMetaData;
}

/** A page. */
export interface ColumnPage {
  readonly header: PageHeader;
  /** Reads so many of its compressed bytes from the beginning; all by default. They are valid until the next read. */
  read(maxBytes?: number): Uint8Array;
}

/** Pages and dictionaries above these sizes are left to the engine, which reads them as fast. */
const MAX_PAGE_BYTES = 1 << 22;
const MAX_DICTIONARY_BYTES = 1 << 16;
const MAX_TEXTS_BYTES = 1 << 18;
/** Least memory that zlib decompresses into at a time. */
const MIN_CHUNK_BYTES = 64;
/** Bytes in which a page header stands, and all of a small page. */
const WINDOW_BYTES = 1 << 13;
/** Maximum size of the first block of a Zstandard frame, with its headers. */
const FIRST_BLOCK_BYTES = (1 << 17) + 32;
/** Every page is read into the same memory: touching fresh memory takes longer than reading. */
const SCRATCH = new Uint8Array(WINDOW_BYTES + MAX_PAGE_BYTES);
const DICTIONARY_ENCODINGS: readonly unknown[] = [Encoding.PLAIN_DICTIONARY, Encoding.RLE_DICTIONARY];
/** Bytes of a value of a dictionary by its physical type; 0 for byte arrays, each of which states its own. */
const WIDTHS: ReadonlyMap<unknown, number> = new Map([[1, 4], [2, 8], [5, 8], [6, 0]]);

/** Fills bytes from an offset in a file. Throws RangeError where the file ends before. */
export function fill(file: Deno.FsFile, offset: number, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (offset < 0 || readAt(file, bytes, offset) < bytes.length) throw new RangeError("a file that is cut off");
  return bytes;
}

/** Returns a number that has to be there. Throws RangeError where it is absent. */
export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new RangeError("a field is absent");
  return value;
}

/** Passes the pages of a chunk. Throws RangeError where they are damaged. */
export function* readPages({ file, meta }: ChunkSource): Generator<ColumnPage> {
  const start = present(meta.dictionary_page_offset ?? meta.data_page_offset);
  const end = start + present(meta.total_compressed_size);
  for (let offset = start; offset < end;) {
    const window = fill(file, offset, SCRATCH.subarray(0, Math.min(WINDOW_BYTES, end - offset)));
    const reader = new ThriftReader(window);
    const header = reader.read(PageHeader);
    const [headerBytes, pageBytes] = [reader.offset, present(header.compressed_page_size)];
    const data = offset + headerBytes;
    offset = data + pageBytes;
    yield {
      header,
      read(maxBytes = pageBytes) {
        const wanted = Math.min(maxBytes, pageBytes);
        if (headerBytes + wanted <= window.length) return window.subarray(headerBytes, headerBytes + wanted);
        if (wanted > SCRATCH.length - WINDOW_BYTES) throw new RangeError("a page that is too large");
        return fill(file, data, SCRATCH.subarray(WINDOW_BYTES, WINDOW_BYTES + wanted));
      },
    };
  }
}

/** Passes the data pages of a chunk, decompressed. Throws RangeError where they are of another form. */
export function* valuePages(source: ChunkSource): Generator<ValuePage> {
  for (const { page, values, isIndexed, encoding } of dataPages(source)) {
    if (!isIndexed && encoding !== Encoding.PLAIN) throw new RangeError("values of another encoding");
    yield { bytes: decompress(page, source.meta.codec), values, isIndexed };
  }
}

/** Passes the beginning of each data page, where its levels stand. Throws RangeError where they are of another form. */
export function* levelPages(source: ChunkSource): Generator<ValuePage> {
  const { codec } = source.meta;
  for (const { page, values, isIndexed } of dataPages(source)) {
    const start = codec === CompressionCodec.ZSTD ? inflateFirstBlock(page.read(FIRST_BLOCK_BYTES)) : undefined;
    yield { bytes: start ?? decompress(page, codec), values, isIndexed };
  }
}

interface DataPage {
  readonly page: ColumnPage;
  readonly values: number;
  readonly encoding: number | undefined;
  readonly isIndexed: boolean;
}

function* dataPages(source: ChunkSource): Generator<DataPage> {
  for (const page of readPages(source)) {
    const { type, data_page_header } = page.header;
    if (type === PageType.DICTIONARY_PAGE) continue;
    if (type !== PageType.DATA_PAGE) throw new RangeError("a page of another type");
    const { num_values, encoding, definition_level_encoding } = present(data_page_header);
    if (definition_level_encoding !== Encoding.RLE) throw new RangeError("levels of another encoding");
    yield { page, values: present(num_values), encoding, isIndexed: DICTIONARY_ENCODINGS.includes(encoding) };
  }
}

/** Decompresses a page; its header states the size, so that no more memory is taken. */
function decompress({ header, read }: ColumnPage, codec: number | undefined): Uint8Array {
  if (codec === CompressionCodec.UNCOMPRESSED) return read().slice();
  if (codec !== CompressionCodec.ZSTD) throw new RangeError("another compression");
  return zstdDecompressSync(read(), { chunkSize: Math.max(MIN_CHUNK_BYTES, present(header.uncompressed_page_size)) });
}

/** Counts lists of a chunk that are null; `undefined` where the pages do not tell. */
export function countNulls(source: ChunkSource): number | undefined {
  if (source.meta.codec !== CompressionCodec.ZSTD) return undefined;
  let [sum, values] = [0, 0];
  for (const { page, values: count } of dataPages(source)) {
    const nulls = countNullLists(page.read(FIRST_BLOCK_BYTES), count);
    if (nulls === undefined) return undefined;
    sum += nulls;
    values += count;
  }
  return values === source.meta.num_values ? sum : undefined;
}

/** Reads the dictionary of a chunk of texts; `undefined` without a dictionary page, or if it is large. */
export function readTexts(source: ChunkSource): PageDictionary | undefined {
  if (source.meta.dictionary_page_offset === undefined) return undefined;
  const [page] = readPages(source);
  return page === undefined ? undefined : toDictionary(page, source, { width: 0, maxBytes: MAX_TEXTS_BYTES });
}

/** Reads the dictionary of a chunk if all its pages refer to it. */
export function readDictionary(source: ChunkSource): PageDictionary | undefined {
  const width = WIDTHS.get(source.meta.type);
  if (source.meta.dictionary_page_offset === undefined || width === undefined) return undefined;
  let dictionary: PageDictionary | undefined;
  for (const page of readPages(source)) {
    const { type, data_page_header, data_page_header_v2 } = page.header;
    if (type === PageType.DICTIONARY_PAGE) {
      dictionary = toDictionary(page, source, { width, maxBytes: MAX_DICTIONARY_BYTES });
      if (dictionary === undefined) return undefined;
    } else {
      const { encoding } = (type === PageType.DATA_PAGE_V2 ? data_page_header_v2 : data_page_header) ?? {};
      if (!DICTIONARY_ENCODINGS.includes(encoding)) return undefined;
    }
  }
  return dictionary;
}

function toDictionary(
  page: ColumnPage,
  { meta }: ChunkSource,
  { width, maxBytes }: { readonly width: number; readonly maxBytes: number },
): PageDictionary | undefined {
  const { type, uncompressed_page_size, dictionary_page_header } = page.header;
  if (type !== PageType.DICTIONARY_PAGE || present(uncompressed_page_size) > maxBytes) return undefined;
  const size = present(present(dictionary_page_header).num_values);
  return new PageDictionary(decompress(page, meta.codec), { size, width });
}
