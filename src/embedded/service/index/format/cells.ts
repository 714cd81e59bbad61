/** Cells of records as bytes: one buffer, and where each cell ends. */

/** Cells of records, row by row. */
export interface Cells {
  /** UTF-8 of the cells, with one byte after each. */
  readonly bytes: Uint8Array;
  /** End of each cell; the next begins one byte later, the first at 0. */
  readonly ends: Uint32Array;
  /** Cells of a record. */
  readonly width: number;
  readonly count: number;
}

/** Stands between cells that are encoded at once: a character that few values have. */
const UNIT = 0x1f;
const UNIT_TEXT = "\x1f";

/** Encodes cells; what it gives is good until the next call. */
export class CellEncoder {
  readonly #encoder = new TextEncoder();
  #bytes = new Uint8Array(1 << 16);
  #ends = new Uint32Array(1 << 12);

  /** Encodes records of `width` cells. */
  encode(rows: readonly (readonly string[])[], width: number): Cells {
    const cells = rows.length * width;
    if (this.#ends.length < cells) this.#ends = new Uint32Array(cells * 2);
    let text = "";
    for (const row of rows) text += row.join(UNIT_TEXT) + UNIT_TEXT;
    if (this.#bytes.length < text.length * 3) this.#bytes = new Uint8Array(text.length * 3);
    const { written } = this.#encoder.encodeInto(text, this.#bytes);
    if (this.#findEnds(written, cells) !== cells) this.#encodeEach(rows);
    return { bytes: this.#bytes, ends: this.#ends, width, count: rows.length };
  }

  #findEnds(length: number, most: number): number {
    const [bytes, ends] = [this.#bytes, this.#ends];
    let found = 0;
    for (let at = 0; at < length; at++) {
      if (bytes[at] !== UNIT) continue;
      if (found === most) return found + 1;
      ends[found++] = at;
    }
    return found;
  }

  /** Some cell has the character that stands between cells. */
  #encodeEach(rows: readonly (readonly string[])[]): void {
    let cell = 0;
    let at = 0;
    for (const row of rows) {
      for (const text of row) {
        at += this.#encoder.encodeInto(text, this.#bytes.subarray(at)).written;
        this.#ends[cell++] = at++;
      }
    }
  }
}
