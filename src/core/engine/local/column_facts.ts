/** What the files of a lake's table say of its columns, so that their values need not be read. */
import { Buffer } from "node:buffer";
import { type ChunkBounds, ParquetFile } from "../../parquet/read/parquet_footer.ts";
import type { TextTest } from "../../parquet/read/text_kinds.ts";

/** Files of one table, open; what they do not say is `undefined`. */
export class ColumnFacts implements Disposable {
  readonly #files: readonly ParquetFile[];
  readonly rows: number;
  /** Rows of the longest row group. */
  readonly longest: number;

  private constructor(files: readonly ParquetFile[]) {
    this.#files = files;
    this.rows = files.reduce((sum, { rows }) => sum + rows, 0);
    this.longest = files.reduce((most, { longest }) => Math.max(most, longest), 0);
  }

  /** Opens the files; `undefined` if they are missing or one has an unknown format. */
  static open(paths: readonly string[] = []): ColumnFacts | undefined {
    const files: ParquetFile[] = [];
    for (const path of paths) {
      const file = ParquetFile.open(path);
      if (file === undefined) {
        for (const one of files) one[Symbol.dispose]();
        return undefined;
      }
      files.push(file);
    }
    return files.length === 0 ? undefined : new ColumnFacts(files);
  }

  /** Rows without a value. */
  nulls(column: string): number | undefined {
    let sum = 0;
    for (const chunk of this.#chunks(column)) {
      const nulls = chunk.nulls();
      if (nulls === undefined) return undefined;
      sum += nulls;
    }
    return this.#has(column) ? sum : undefined;
  }

  /** Whether a text that is looked for is in the column, as far as the files say: `false` is certain. */
  mayHold(column: string, test: TextTest): boolean {
    if (!this.#has(column)) return true;
    for (const chunk of this.#chunks(column)) {
      if (!isWithin(test, chunk)) continue;
      const dictionary = chunk.dictionary();
      if (dictionary === undefined || dictionary.find(test).length > 0) return true;
    }
    return false;
  }

  /**
   * Reads the dictionaries of a column once: distinct values that are not null (`Infinity` when there are more than so
   * many), and whether a text that is looked for may be among them: `false` is certain.
   */
  look(
    column: string,
    most: number,
    test?: TextTest,
  ): { readonly distinct: number | undefined; readonly mayHold: boolean } {
    if (!this.#has(column)) return { distinct: undefined, mayHold: true };
    const values = new Set<string | number>();
    let mayHold = false;
    for (const chunk of this.#chunks(column)) {
      const dictionary = chunk.dictionary();
      if (dictionary === undefined) return { distinct: undefined, mayHold: true };
      dictionary.addTo(values);
      mayHold ||= test !== undefined && isWithin(test, chunk) && dictionary.find(test).length > 0;
      if (values.size > most) return { distinct: Infinity, mayHold: true };
    }
    return { distinct: values.size, mayHold };
  }

  [Symbol.dispose](): void {
    for (const file of this.#files) file[Symbol.dispose]();
  }

  #has(column: string): boolean {
    return this.#files.every(({ columns }) => columns.has(column));
  }

  /** The chunks of a column in the order of the rows; `undefined` where a file has no such column. */
  chunks(column: string): readonly ChunkBounds[] | undefined {
    return this.#has(column) ? [...this.#chunks(column)] : undefined;
  }

  *#chunks(column: string): Generator<ChunkBounds> {
    for (const { columns } of this.#files) yield* columns.get(column) ?? [];
  }
}

/** Whether the bounds of a chunk allow a text that is looked for. */
function isWithin({ ranges }: TextTest, { least, most }: ChunkBounds): boolean {
  return least === undefined || most === undefined || overlaps(ranges, least, most);
}

/** Whether one of some ranges, which rise and do not overlap, has a part within bounds. */
function overlaps(ranges: TextTest["ranges"], least: Uint8Array, most: Uint8Array): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Buffer.compare(ranges[middle][1], least) < 0) low = middle + 1;
    else high = middle;
  }
  return low < ranges.length && Buffer.compare(ranges[low][0], most) <= 0;
}
