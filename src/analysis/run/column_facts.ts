/** What the files of a lake's table say of its columns, so that their values need not be read. */
import { Buffer } from "node:buffer";
import { type ColumnChunk, ParquetFile } from "../../parquet/read/parquet_footer.ts";

/** Files of one table, open; what they do not say is `undefined`. */
export class ColumnFacts implements Disposable {
  readonly #files: readonly ParquetFile[];
  /** Number of rows. */
  readonly rows: number;
  /** Rows of the longest row group. */
  readonly longest: number;

  private constructor(files: readonly ParquetFile[]) {
    this.#files = files;
    this.rows = files.reduce((sum, { rows }) => sum + rows, 0);
    this.longest = files.reduce((most, { longest }) => Math.max(most, longest), 0);
  }

  /** Opens the files; `undefined` when there are none, or one is not understood. */
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

  /** Whether a text is in the column, as far as the files say: `false` is certain. */
  mayHold(column: string, texts: readonly string[]): boolean {
    if (!this.#has(column)) return true;
    const wanted = texts.map((text) => Buffer.from(text));
    const known = new Set(texts);
    for (const chunk of this.#chunks(column)) {
      const { least, most } = chunk;
      const within = least === undefined || most === undefined ||
        wanted.some((text) => Buffer.compare(text, least) >= 0 && Buffer.compare(text, most) <= 0);
      if (!within) continue;
      const dictionary = chunk.dictionary();
      if (dictionary === undefined || dictionary.find(known).length > 0) return true;
    }
    return false;
  }

  /** Distinct values that are not null; `Infinity` when there are more than so many. */
  distinct(column: string, most: number): number | undefined {
    if (!this.#has(column)) return undefined;
    const values = new Set<string | number>();
    for (const chunk of this.#chunks(column)) {
      const dictionary = chunk.dictionary();
      if (dictionary === undefined) return undefined;
      dictionary.addTo(values);
      if (values.size > most) return Infinity;
    }
    return values.size;
  }

  [Symbol.dispose](): void {
    for (const file of this.#files) file[Symbol.dispose]();
  }

  #has(column: string): boolean {
    return this.#files.every(({ columns }) => columns.has(column));
  }

  /** The chunks of a column in the order of the rows; `undefined` where a file has no such column. */
  chunks(column: string): readonly ColumnChunk[] | undefined {
    return this.#has(column) ? [...this.#chunks(column)] : undefined;
  }

  *#chunks(column: string): Generator<ColumnChunk> {
    for (const { columns } of this.#files) yield* columns.get(column) ?? [];
  }
}
