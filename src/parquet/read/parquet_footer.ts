/**
 * What a Parquet file says of its columns without being decoded: counts of nulls, bounds, and the dictionaries of
 * texts.
 *
 * To know that a column of fifteen million rows has no null and no `unknown` its values need not be read: the footer
 * counts the nulls and bounds the values, and a dictionary page has every value of its part once. What a file does not
 * say is left `undefined`, and then the engine reads the values.
 *
 * @see "Apache Parquet: parquet.thrift", of which this reads footers and page headers.
 */
import { zstdDecompressSync } from "node:zlib";
import { readAt } from "../../io/bytes/read_full.ts";
import { Dictionary } from "./_dictionary.ts";
import { countNullLists, inflateFirstBlock } from "./_parquet_levels.ts";
import { countEmpty, countEmptyLists, type EmptyCounts, readPlaces, type ValuePage } from "./_parquet_rows.ts";
import { ThriftReader, type ThriftStruct } from "./_thrift_reader.ts";

/** One column of one row group. */
export interface ColumnChunk {
  /** Rows without a value; `undefined` where the file does not say. */
  nulls(): number | undefined;
  /** A bound that no value is below, as bytes. */
  readonly least: Uint8Array | undefined;
  /** A bound that no value is above, as bytes. */
  readonly most: Uint8Array | undefined;
  /** Rows of the row group. */
  readonly rows: number;
  /** Every value once, in no order; `undefined` where the file does not say, or has too many. */
  dictionary(): Dictionary | undefined;
  /** Counts rows without a value by group. @returns Whether it could; if not, the counts are of no use. */
  countEmpty(counts: EmptyCounts): boolean;
  /** Reads places of texts among those that are returned, from 1, or 0 for none; `undefined` where it cannot. */
  places(into: Uint32Array): Dictionary | undefined;
}

/** A list that may be null, whose values may be null; or any other. */
type ListForm = "nullable" | "other";

const MAGIC = 0x31524150;
const FOOTER_TAIL = 8;
const [BOOLEAN, INT32, INT64, DOUBLE, BYTE_ARRAY] = [0, 1, 2, 5, 6];
/** Bytes of a value of a dictionary by its type; 0 where each says its own. */
const WIDTHS: ReadonlyMap<unknown, number> = new Map([[INT32, 4], [INT64, 8], [DOUBLE, 8], [BYTE_ARRAY, 0]]);
const [UNCOMPRESSED, ZSTD] = [0, 6];
const PLAIN = 0;
const [DICTIONARY_PAGE, DATA_PAGE, DATA_PAGE_V2] = [2, 0, 3];
const OPTIONAL = 1;
const LEVELS_IN_RUNS = 3;
const DICTIONARY_ENCODINGS: readonly unknown[] = [2, 8];
/** Pages and dictionaries beyond it are left to the engine, which reads them as fast. */
const MAX_PAGE_BYTES = 1 << 22;
const MAX_DICTIONARY_BYTES = 1 << 16;
const MAX_TEXTS_BYTES = 1 << 18;
/** Least memory that the library inflates into at a time. */
const MIN_CHUNK = 64;
/** Bytes in which the head of a page stands, and all of a small one. */
const WINDOW_BYTES = 1 << 13;
/** Bytes that the first block of a compressed page takes at most, with what stands before it. */
const FIRST_BLOCK_BYTES = (1 << 17) + 32;
/** Every page is read into the same memory: fresh memory costs more than the reading. */
const SCRATCH = new Uint8Array(WINDOW_BYTES + MAX_PAGE_BYTES);

/** A page. */
interface Page {
  readonly header: ThriftStruct;
  /** Reads so many of its bytes from the beginning; all by default. */
  read(most?: number): Uint8Array;
}

/** A Parquet file that is open. */
export class ParquetFile implements Disposable {
  readonly #file: Deno.FsFile;
  /** Number of rows. */
  readonly rows: number;
  /** Rows of the longest row group. */
  readonly longest: number;
  /** Chunks of each column by its name, one for each row group. */
  readonly columns: ReadonlyMap<string, readonly ColumnChunk[]>;

  private constructor(file: Deno.FsFile, footer: ThriftStruct) {
    this.#file = file;
    const rows = structs(footer[4]).map((group) => number(group[3]));
    if (!rows.every((each) => Number.isSafeInteger(each) && each >= 0)) throw new RangeError("no number of rows");
    this.rows = rows.reduce((sum, each) => sum + each, 0);
    this.longest = Math.max(0, ...rows);
    this.columns = readColumns(file, footer);
  }

  /** Opens a file and reads its footer; `undefined` when it is none that this understands. */
  static open(path: string): ParquetFile | undefined {
    let file: Deno.FsFile;
    try {
      file = Deno.openSync(path);
    } catch (cause) {
      if (cause instanceof Deno.errors.NotFound) return undefined;
      throw cause;
    }
    try {
      return new ParquetFile(file, readFooter(file));
    } catch (cause) {
      file.close();
      if (cause instanceof RangeError) return undefined;
      throw cause;
    }
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }
}

function readFooter(file: Deno.FsFile): ThriftStruct {
  const { size } = file.statSync();
  const tail = fill(file, size - FOOTER_TAIL, new Uint8Array(FOOTER_TAIL));
  const view = new DataView(tail.buffer);
  const length = view.getUint32(0, true);
  if (view.getUint32(4, true) !== MAGIC || length > size - FOOTER_TAIL) throw new RangeError("no Parquet");
  return new ThriftReader(fill(file, size - FOOTER_TAIL - length, new Uint8Array(length))).struct();
}

function readColumns(file: Deno.FsFile, footer: ThriftStruct): Map<string, ColumnChunk[]> {
  const columns = new Map<string, ColumnChunk[]>();
  const optional = optionalNames(footer);
  for (const group of structs(footer[4])) {
    for (const column of structs(group[1])) {
      const meta = struct(column[3]);
      const [name, ...below] = listOf(meta[3]);
      if (!(name instanceof Uint8Array)) throw new RangeError("a column without a name");
      const key = DECODER.decode(name);
      const chunks = columns.get(key) ?? [];
      chunks.push(
        makeChunk(file, meta, {
          rows: number(group[3]),
          optional: optional.has(key),
          list: below.length === 0 ? undefined : below.length === 2 && optional.has(key) ? "nullable" : "other",
        }),
      );
      columns.set(key, chunks);
    }
  }
  return columns;
}

/** One chunk; of a list the file knows its elements, not itself. */
function makeChunk(
  file: Deno.FsFile,
  meta: ThriftStruct,
  { rows, optional, list }: { readonly rows: number; readonly optional: boolean; readonly list: ListForm | undefined },
): ColumnChunk {
  const statistics = meta[12] === undefined ? [] : struct(meta[12]);
  const isText = meta[1] === BYTE_ARRAY && list === undefined;
  const bound = (value: unknown) => isText && value instanceof Uint8Array ? value : undefined;
  return {
    nulls: () =>
      list !== undefined
        ? readOr(() => countNulls(file, meta, list))
        : typeof statistics[3] === "number"
        ? statistics[3]
        : undefined,
    least: bound(statistics[6]),
    most: bound(statistics[5]),
    rows,
    dictionary: () => {
      if (list !== undefined) return undefined;
      if (meta[1] === BOOLEAN) return readBooleans(statistics, rows);
      return readOr(() => readDictionary(file, meta));
    },
    countEmpty: (counts) =>
      readOr(() => {
        if (list === "other") return false;
        const pages = valuePages(file, meta, inflateLevels);
        return list === "nullable" ? countEmptyLists(pages, counts) : countEmpty(pages, optional, counts);
      }) ?? false,
    places: (into) =>
      !isText ? undefined : readOr(() => {
        const texts = readTexts(file, meta);
        return texts && readPlaces(valuePages(file, meta, inflate), optional, into) ? texts : undefined;
      }),
  };
}

/** Which of false and true there are: their bounds say it. */
function readBooleans(statistics: ThriftStruct, rows: number): Dictionary | undefined {
  const { 3: nulls, 5: most, 6: least } = statistics;
  if (nulls === rows) return new Dictionary(new Uint8Array(0), { size: 0, width: 1 });
  if (!(most instanceof Uint8Array && least instanceof Uint8Array && most.length === 1 && least.length === 1)) {
    return undefined;
  }
  return new Dictionary(Uint8Array.of(least[0], most[0]), { size: least[0] === most[0] ? 1 : 2, width: 1 });
}

/** The data pages of a chunk. Throws RangeError where they are of another form. */
function* valuePages(
  file: Deno.FsFile,
  meta: ThriftStruct,
  inflate: (page: Page, codec: unknown) => Uint8Array,
): Generator<ValuePage> {
  for (const page of readPages(file, meta)) {
    const { header } = page;
    if (header[1] === DICTIONARY_PAGE) continue;
    if (header[1] !== DATA_PAGE) throw new RangeError("a page of another form");
    const [, values, encoding, levels] = struct(header[5]);
    if (levels !== LEVELS_IN_RUNS) throw new RangeError("levels of another form");
    const isIndexed = DICTIONARY_ENCODINGS.includes(encoding);
    if (!isIndexed && encoding !== PLAIN && inflate !== inflateLevels) throw new RangeError("values of another form");
    yield { bytes: inflate(page, meta[4]), values: number(values), isIndexed };
  }
}

/** What is in a page, which says how long that is: no memory is taken beyond it. */
function inflate({ header, read }: Page, codec: unknown): Uint8Array {
  if (codec === UNCOMPRESSED) return read().slice();
  if (codec !== ZSTD) throw new RangeError("compressed in another form");
  return zstdDecompressSync(read(), { chunkSize: Math.max(MIN_CHUNK, number(header[2])) });
}

/** The beginning of a page, where its levels stand. */
function inflateLevels(page: Page, codec: unknown): Uint8Array {
  return (codec === ZSTD ? inflateFirstBlock(page.read(FIRST_BLOCK_BYTES)) : undefined) ?? inflate(page, codec);
}

/** Reads pages; where they are damaged nothing is known, and the engine, which reads them then, says what is wrong. */
function readOr<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Reads the dictionary of a chunk of texts. */
function readTexts(file: Deno.FsFile, meta: ThriftStruct): Dictionary | undefined {
  if (typeof meta[11] !== "number") return undefined;
  const [page] = readPages(file, meta);
  if (page?.header[1] !== DICTIONARY_PAGE || number(page.header[2]) > MAX_TEXTS_BYTES) return undefined;
  return new Dictionary(inflate(page, meta[4]), { size: number(struct(page.header[7])[1]), width: 0 });
}

/** Reads the dictionary of a chunk all of whose pages refer to it. */
function readDictionary(file: Deno.FsFile, meta: ThriftStruct): Dictionary | undefined {
  const width = WIDTHS.get(meta[1]);
  if (typeof meta[11] !== "number" || width === undefined) return undefined;
  let values: Dictionary | undefined;
  for (const page of readPages(file, meta)) {
    const { header } = page;
    if (header[1] === DICTIONARY_PAGE) {
      if (number(header[2]) > MAX_DICTIONARY_BYTES) return undefined;
      values = new Dictionary(inflate(page, meta[4]), { size: number(struct(header[7])[1]), width });
    } else {
      const encoding = header[1] === DATA_PAGE
        ? struct(header[5])[2]
        : header[1] === DATA_PAGE_V2
        ? struct(header[8])[4]
        : undefined;
      if (!DICTIONARY_ENCODINGS.includes(encoding)) return undefined;
    }
  }
  return values;
}

/** Counts lists of a chunk that are null. */
function countNulls(file: Deno.FsFile, meta: ThriftStruct, form: ListForm): number | undefined {
  if (form !== "nullable" || meta[4] !== ZSTD) return undefined;
  let [sum, values] = [0, 0];
  for (const { header, read } of readPages(file, meta)) {
    if (header[1] === DICTIONARY_PAGE) continue;
    if (header[1] !== DATA_PAGE || struct(header[5])[3] !== LEVELS_IN_RUNS) return undefined;
    const nulls = countNullLists(read(FIRST_BLOCK_BYTES), number(struct(header[5])[1]));
    if (nulls === undefined) return undefined;
    sum += nulls;
    values += number(struct(header[5])[1]);
  }
  return values === meta[5] ? sum : undefined;
}

/** The pages of a chunk, of which only what is asked for is read; it stands until the next is. */
function* readPages(file: Deno.FsFile, meta: ThriftStruct): Generator<Page> {
  const start = number(meta[11] ?? meta[9]);
  const end = start + number(meta[7]);
  for (let at = start; at < end;) {
    const window = fill(file, at, SCRATCH.subarray(0, Math.min(WINDOW_BYTES, end - at)));
    const reader = new ThriftReader(window);
    const header = reader.struct();
    const [head, bytes] = [reader.offset, number(header[3])];
    const body = at + head;
    at = body + bytes;
    yield {
      header,
      read(most = bytes) {
        const wanted = Math.min(most, bytes);
        if (head + wanted <= window.length) return window.subarray(head, head + wanted);
        if (wanted > SCRATCH.length - WINDOW_BYTES) throw new RangeError("too many bytes");
        return fill(file, body, SCRATCH.subarray(WINDOW_BYTES, WINDOW_BYTES + wanted));
      },
    };
  }
}

/** Names of columns that may be null, from the schema: the elements of a tree, each before those below it. */
function optionalNames(footer: ThriftStruct): Set<string> {
  const [root, ...elements] = structs(footer[2]);
  const names = new Set<string>();
  let at = 0;
  const skip = () => {
    const children = Number(struct(elements[at++])[5] ?? 0);
    for (let child = 0; child < children; child++) skip();
  };
  for (let column = 0; column < number(root[5]); column++) {
    const { 3: repetition, 4: name } = struct(elements[at]);
    if (repetition === OPTIONAL && name instanceof Uint8Array) names.add(DECODER.decode(name));
    skip();
  }
  return names;
}

const DECODER = new TextDecoder();

/** Fills bytes from an offset in a file. */
function fill(file: Deno.FsFile, offset: number, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (offset < 0 || readAt(file, bytes, offset) < bytes.length) throw new RangeError("a file that is cut off");
  return bytes;
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new RangeError("expected a list");
  return value;
}

function struct(value: unknown): ThriftStruct {
  return listOf(value);
}

function structs(value: unknown): ThriftStruct[] {
  return listOf(value).map(struct);
}

function number(value: unknown): number {
  if (typeof value !== "number") throw new RangeError("expected a number");
  return value;
}
