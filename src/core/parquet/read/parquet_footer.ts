/**
 * What a Parquet file states of its columns, without their values: counts of nulls, bounds, dictionaries.
 *
 * The footer counts nulls and bounds values, and a dictionary page has each distinct value of its chunk once: so that a
 * column of fifteen million rows has no null and no `unknown` is known without reading it. What a file does not state
 * is `undefined`, and the engine reads the values.
 *
 * Own code: `hyparquet` reads footers and values, but no page header or dictionary by itself, and its modules take
 * longer to load than all of this: `deno task bench own_code`, row "a Parquet footer, a new process". Tests read with
 * it.
 */
import { FieldRepetitionType, FileMetaData, MAGIC, Type } from "../metadata.ts";
import { ThriftReader } from "../thrift.ts";
import { PageDictionary } from "./_dictionary.ts";
import {
  type ChunkSource,
  countNulls,
  fill,
  levelPages,
  present,
  readDictionary,
  readTexts,
  valuePages,
} from "./_pages.ts";
import { countEmpty, countEmptyLists, type EmptyCounts, readIndices } from "./_parquet_rows.ts";

/** One column of one row group. */
export interface ChunkBounds {
  /** Rows without a value; `undefined` where the file does not state it. */
  nulls(): number | undefined;
  /** Lower bound of all values, as bytes. */
  readonly least: Uint8Array | undefined;
  /** Upper bound of all values, as bytes. */
  readonly most: Uint8Array | undefined;
  /** Rows of the row group. */
  readonly rows: number;
  /** Every distinct value once, unordered; `undefined` without a dictionary, or if it is large. */
  dictionary(): PageDictionary | undefined;
  /** Counts rows without a value by group. @returns Whether it could; if not, the counts are of no use. */
  countEmpty(counts: EmptyCounts): boolean;
  /** Reads dictionary indices of texts, from 1, or 0 for null, and the dictionary; `undefined` where it cannot. */
  indices(into: Uint32Array): PageDictionary | undefined;
}

/** A list that may be null, whose values may be null; or any other. */
type ListForm = "nullable" | "other";

/** Bytes of the footer's length and of the magic bytes, at the end of a file. */
const TAIL_BYTES = 8;

/** A Parquet file that is open. */
export class ParquetFile implements Disposable {
  readonly #file: Deno.FsFile;
  /** Number of rows. */
  readonly rows: number;
  /** Rows of the longest row group. */
  readonly longest: number;
  /** Chunks of each column by its name, one for each row group. */
  readonly columns: ReadonlyMap<string, readonly ChunkBounds[]>;

  private constructor(file: Deno.FsFile, footer: FileMetaData) {
    this.#file = file;
    const rows = present(footer.row_groups).map(({ num_rows }) => present(num_rows));
    if (!rows.every((each) => Number.isSafeInteger(each) && each >= 0)) throw new RangeError("no number of rows");
    this.rows = rows.reduce((sum, each) => sum + each, 0);
    this.longest = Math.max(0, ...rows);
    this.columns = readColumns(file, footer);
  }

  /** Opens a file and reads its footer; `undefined` when it is absent or not understood. */
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

function readFooter(file: Deno.FsFile): FileMetaData {
  const { size } = file.statSync();
  const tail = fill(file, size - TAIL_BYTES, new Uint8Array(TAIL_BYTES));
  const length = new DataView(tail.buffer).getUint32(0, true);
  const isParquet = MAGIC.every((byte, index) => byte === tail[4 + index]);
  if (!isParquet || length > size - TAIL_BYTES) throw new RangeError("not a Parquet file");
  return new ThriftReader(fill(file, size - TAIL_BYTES - length, new Uint8Array(length))).read(FileMetaData);
}

function readColumns(file: Deno.FsFile, footer: FileMetaData): Map<string, ChunkBounds[]> {
  const columns = new Map<string, ChunkBounds[]>();
  const optional = optionalNames(footer);
  for (const { columns: chunks, num_rows } of present(footer.row_groups)) {
    for (const { meta_data } of present(chunks)) {
      const meta = present(meta_data);
      const [name, ...below] = present(meta.path_in_schema);
      const known = columns.get(present(name)) ?? [];
      known.push(
        makeChunk({ file, meta }, {
          rows: present(num_rows),
          optional: optional.has(name),
          list: below.length === 0 ? undefined : below.length === 2 && optional.has(name) ? "nullable" : "other",
        }),
      );
      columns.set(name, known);
    }
  }
  return columns;
}

/** One chunk; of a list the file counts the elements, not the lists. */
function makeChunk(
  source: ChunkSource,
  { rows, optional, list }: { readonly rows: number; readonly optional: boolean; readonly list: ListForm | undefined },
): ChunkBounds {
  const { type, statistics = {} } = source.meta;
  const isText = type === Type.BYTE_ARRAY && list === undefined;
  return {
    nulls: () =>
      list === undefined
        ? statistics.null_count
        : list === "nullable"
        ? orUndefined(() => countNulls(source))
        : undefined,
    least: isText ? statistics.min_value : undefined,
    most: isText ? statistics.max_value : undefined,
    rows,
    dictionary: () => {
      if (list !== undefined) return undefined;
      if (type === Type.BOOLEAN) return booleansOf(statistics, rows);
      return orUndefined(() => readDictionary(source));
    },
    countEmpty: (counts) =>
      orUndefined(() => {
        if (list === "other") return false;
        const pages = levelPages(source);
        return list === "nullable" ? countEmptyLists(pages, counts) : countEmpty(pages, optional, counts);
      }) ?? false,
    indices: (into) =>
      !isText ? undefined : orUndefined(() => {
        const texts = readTexts(source);
        return texts && readIndices(valuePages(source), optional, into) ? texts : undefined;
      }),
  };
}

/** Which of false and true occur, by the statistics. */
function booleansOf(
  { null_count, max_value, min_value }: NonNullable<ChunkSource["meta"]["statistics"]>,
  rows: number,
): PageDictionary | undefined {
  if (null_count === rows) return new PageDictionary(new Uint8Array(0), { size: 0, width: 1 });
  if (max_value?.length !== 1 || min_value?.length !== 1) return undefined;
  const size = min_value[0] === max_value[0] ? 1 : 2;
  return new PageDictionary(Uint8Array.of(min_value[0], max_value[0]), { size, width: 1 });
}

/** Reads pages; where they are damaged nothing is known: the engine reads them next, and reports the damage. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Names of top-level columns that may be null. The schema is a tree in depth-first order. */
function optionalNames({ schema }: FileMetaData): Set<string> {
  const [root, ...elements] = present(schema);
  const names = new Set<string>();
  let at = 0;
  const skip = () => {
    const { num_children = 0 } = present(elements[at++]);
    for (let child = 0; child < num_children; child++) skip();
  };
  for (let column = 0; column < present(present(root).num_children); column++) {
    const { repetition_type, name } = present(elements[at]);
    if (repetition_type === FieldRepetitionType.OPTIONAL && name !== undefined) names.add(name);
    skip();
  }
  return names;
}
