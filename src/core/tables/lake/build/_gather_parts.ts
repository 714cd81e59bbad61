/** Rows to parts: each as large as one Parquet file is to be. */
import { ParseError } from "../../../errors.ts";
import type { NormalizedRows } from "./_normalize_cells.ts";
import { RawTexts } from "./_raw_texts.ts";

/** Rows of one Parquet file. */
export interface Part {
  /** Memory whose first `bytes` are CSV without a header. */
  readonly csv: Uint8Array<ArrayBuffer>;
  readonly bytes: number;
  readonly rows: number;
  /** Texts of its values that are kept. */
  readonly raw: RawTexts;
  /** Whether it is all that the archive holds. */
  readonly isOnly: boolean;
}

export interface GatherPartsOptions {
  /** What errors call the archive. */
  readonly name: string;
  /** Cells of a row. */
  readonly columns: number;
  /** Most bytes of a part, and so of a row; as many as the encoder has room for by default. */
  readonly maxBytes?: number;
  /** Bytes of CSV in one part, if its cells are long; {@linkcode PART_BYTES} by default. */
  readonly partBytes?: number;
  /** Memory of former parts, to be reused. */
  readonly spare: ArrayBuffer[];
}

/**
 * Cells in one part: few enough that little memory is needed and a stop comes soon, for wide tables and narrow ones.
 */
const PART_CELLS = 4_000_000;
/** Bytes of CSV in one part by default. */
const PART_BYTES = 24 * 1024 * 1024;
/** Memory that the first part begins with. */
const FIRST_BYTES = 1 << 16;
/** Offsets in the encoder's memory are numbers of 31 bits, and a text lies there up to three times. */
const MAX_BYTES = 640 * 1024 * 1024;

/**
 * Gathers rows in memory. An archive without rows has one part without rows.
 *
 * @throws {ParseError} If a row is longer than a part may be.
 */
export async function* gatherParts(
  batches: AsyncIterable<NormalizedRows>,
  { name, columns, maxBytes = MAX_BYTES, partBytes = PART_BYTES, spare }: GatherPartsOptions,
): AsyncGenerator<Part> {
  let part = new GrowingPart(new ArrayBuffer(FIRST_BYTES), maxBytes);
  let count = 0;
  for await (const batch of batches) {
    if (!part.add(batch)) {
      throw new ParseError(
        `Cannot read ${name}: the row on this line, or one before it, is too long; expected rows of up to about ` +
          `${maxBytes} bytes; leave it out of the archive`,
        { line: batch.nextLine },
      );
    }
    const { bytes, rows } = part;
    if (bytes < partBytes && rows * columns < PART_CELLS) continue;
    count++;
    yield part.finish(false);
    // Parts are about as long as each other.
    part = new GrowingPart(spare.pop() ?? new ArrayBuffer(bytes + (bytes >> 3)), maxBytes);
  }
  if (count === 0 || part.rows > 0) yield part.finish(count === 0);
}

class GrowingPart {
  readonly #maxBytes: number;
  readonly #raw = new RawTexts();
  #csv: Uint8Array<ArrayBuffer>;
  bytes = 0;
  rows = 0;

  constructor(memory: ArrayBuffer, maxBytes: number) {
    this.#csv = new Uint8Array(memory);
    this.#maxBytes = maxBytes;
  }

  /** Adds rows; false if they do not fit. */
  add({ pieces, rows, raw }: NormalizedRows): boolean {
    for (const piece of pieces) {
      const end = this.bytes + piece.length;
      if (end > this.#maxBytes) return false;
      if (end > this.#csv.length) this.#makeRoom(end);
      this.#csv.set(piece, this.bytes);
      this.bytes = end;
    }
    for (const text of raw) this.#raw.add(text);
    this.rows += rows;
    return true;
  }

  finish(isOnly: boolean): Part {
    return { csv: this.#csv, bytes: this.bytes, rows: this.rows, raw: this.#raw, isOnly };
  }

  #makeRoom(bytes: number): void {
    // What is moved leaves nothing behind for a collector.
    this.#csv = new Uint8Array(this.#csv.buffer.transfer(Math.min(this.#maxBytes, 2 * bytes)));
  }
}
