/** The original texts of values that a typed column does not hold as they came: a row group for each part. */
import type { ParquetOutput } from "../../../parquet/write/parquet_file.ts";
import type { ParquetField } from "../../../parquet/write/columns.ts";
import { numberChunk, TextBytes } from "../../../parquet/write/text_bytes.ts";

/** A text that has to be kept, since the typed column does not hold it. */
export interface RawText {
  /** Row of the table, counted from 1. */
  readonly row: number;
  readonly field: string;
  readonly text: string;
  /** Whether it is a value of the field's type. */
  readonly fits: boolean;
}

/** Columns of a file of texts. */
export const RAW_COLUMNS: readonly ParquetField[] = [
  { name: "row", type: "int64" },
  { name: "field", type: "utf8" },
  { name: "value", type: "utf8" },
  { name: "fits", type: "boolean" },
];

/** The texts of one part, as columns. */
export class RawTexts {
  readonly #rows: number[] = [];
  readonly #fields = new TextBytes();
  readonly #values = new TextBytes();
  readonly #fits: boolean[] = [];

  get count(): number {
    return this.#rows.length;
  }

  add({ row, field, text, fits }: RawText): void {
    this.#rows.push(row);
    this.#fields.add(field);
    this.#values.add(text);
    this.#fits.push(fits);
  }

  /** Writes them in the order of the rows, as a row group of a file of {@linkcode RAW_COLUMNS}. */
  async writeTo(file: ParquetOutput): Promise<void> {
    const bits = new Uint8Array((this.count + 7) >> 3);
    this.#fits.forEach((fits, index) => bits[index >> 3] |= Number(fits) << (index & 7));
    const page = (bytes: Uint8Array) => [{ values: this.count, bytes }];
    await file.writeGroup(this.count, [
      numberChunk(this.#rows),
      { pages: page(this.#fields.bytes) },
      { pages: page(this.#values.bytes) },
      { pages: page(bits) },
    ]);
  }
}
