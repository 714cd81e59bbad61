/**
 * The sequences of records: their bases as they came, with what stood between them, and for each row where they are.
 *
 * A row's entry is two numbers, offset and length + 1: 0 without a sequence, so that missing and empty ones differ.
 */
import { Buffer } from "node:buffer";
import { writeAll } from "@seqreg/core/io/files";
import type { CsvCells } from "@seqreg/core/io/csv";
import { sumFile } from "../files/block_sums.ts";
import { FileReader } from "../files/file_reader.ts";
import { FileWriter } from "../files/file_writer.ts";
import { bytesOf, malformed, readAll } from "./_file.ts";

const BASES_FILE = "sequences.letters";
const EXTENTS_FILE = "sequences.places";
/** Gap below which two reads are merged into one, in bytes. */
const GAP_BYTES = 64;
/** Bytes of a row's entry. */
const EXTENT_BYTES = 16;
/** Rows whose extents are written and read together. */
const PAGE_ROWS = 1 << 12;
/** Pages that are kept while sequences are written: 128 MB, all of eight million records in any order. */
const PAGES = 2048;

/** Writes sequences of records, in any order. */
export interface SequenceWriter extends Disposable {
  /** Records that have a sequence. */
  readonly count: number;
  /** Appends sequences; returns the index of the first whose record has one already, -1 if all are new. */
  add(rows: readonly number[], sequences: readonly string[]): number;
  /**
   * Appends sequences as bytes: the whole buffer is kept, and the cell in `column` of each row is the sequence. Gives
   * whether it did so; when a record has a sequence already, or there are two of one, nothing is kept.
   */
  addCells(rows: ArrayLike<number>, cells: CsvCells, column: number): boolean;
  /** Ends: everything is lasting then. */
  finish(): Promise<void>;
}

/** Where a sequence stands. */
interface Extent {
  readonly offset: number;
  readonly length: number;
}

/** Reads sequences of records by row. */
export interface SequenceReader extends Disposable {
  /** Yields the sequences of rows; what is read at once has at most about `maxBytes`, or is one sequence. */
  read(rows: readonly number[], maxBytes: number): Generator<(string | undefined)[]>;
}

/** Makes the files of sequences of `recordCount` records in a folder; `keptPages` is for tests. */
export function createSequences(folder: string, recordCount: number, keptPages: number = PAGES): SequenceWriter {
  const bases = new FileWriter(`${folder}/${BASES_FILE}`, { sums: true });
  const path = `${folder}/${EXTENTS_FILE}`;
  using opening = new DisposableStack();
  const file = opening.use(Deno.openSync(path, { read: true, write: true, createNew: true }));
  // What is never written reads as zero: no sequence.
  file.truncateSync(recordCount * EXTENT_BYTES);
  const stack = opening.move();
  const pages = new Map<number, Float64Array<ArrayBuffer>>();
  const write = (page: number, extents: Float64Array<ArrayBuffer>) => {
    file.seekSync(page * PAGE_ROWS * EXTENT_BYTES, Deno.SeekMode.Start);
    writeAll(file, bytesOf(extents));
  };
  const pageOf = (page: number): Float64Array<ArrayBuffer> => {
    const held = pages.get(page);
    if (held !== undefined) return held;
    if (pages.size >= keptPages) {
      const [[oldest, extents]] = pages;
      write(oldest, extents);
      pages.delete(oldest);
    }
    const extents = new Float64Array(Math.min(PAGE_ROWS, recordCount - page * PAGE_ROWS) * 2);
    readAll(file, bytesOf(extents), page * PAGE_ROWS * EXTENT_BYTES, path);
    pages.set(page, extents);
    return extents;
  };
  let count = 0;
  return {
    get count() {
      return count;
    },
    add(rows, sequences) {
      let offset = bases.position;
      const bytes = Buffer.from(sequences.join(""));
      const ascii = bytes.length === sequences.reduce((sum, { length }) => sum + length, 0);
      for (let at = 0; at < rows.length; at++) {
        const extents = pageOf(Math.floor(rows[at] / PAGE_ROWS));
        const slot = rows[at] % PAGE_ROWS * 2;
        if (extents[slot + 1] !== 0) return at;
        const length = ascii ? sequences[at].length : Buffer.byteLength(sequences[at]);
        extents[slot] = offset;
        extents[slot + 1] = length + 1;
        offset += length;
      }
      bases.append(bytes);
      count += rows.length;
      return -1;
    },
    addCells(rows, { bytes, ends, width, count: records }, column) {
      let at = 0;
      for (; at < records; at++) {
        const extents = pageOf(Math.floor(rows[at] / PAGE_ROWS));
        const slot = rows[at] % PAGE_ROWS * 2;
        if (extents[slot + 1] !== 0) break;
        const cell = at * width + column;
        const start = cell === 0 ? 0 : ends[cell - 1] + 1;
        extents[slot] = bases.position + start;
        extents[slot + 1] = ends[cell] - start + 1;
      }
      if (at < records) {
        for (let back = 0; back < at; back++) {
          pageOf(Math.floor(rows[back] / PAGE_ROWS)).fill(
            0,
            rows[back] % PAGE_ROWS * 2,
            rows[back] % PAGE_ROWS * 2 + 2,
          );
        }
        return false;
      }
      bases.append(bytes);
      count += records;
      return true;
    },
    async finish() {
      for (const [page, extents] of pages) write(page, extents);
      pages.clear();
      sumFile(path, (into, position) => readAll(file, into, position, path), recordCount * EXTENT_BYTES);
      await file.syncData();
      await bases.sync();
    },
    [Symbol.dispose]: () => stack.dispose(),
  };
}

export function openSequences(folder: string): SequenceReader {
  using opening = new DisposableStack();
  const path = `${folder}/${EXTENTS_FILE}`;
  const extents = opening.use(new FileReader(path, { sums: true }));
  const bases = opening.use(new FileReader(`${folder}/${BASES_FILE}`, { sums: true }));
  const { bytes } = bases;
  const stack = opening.move();
  return {
    *read(rows, maxBytes) {
      const found = extentsOf(rows, extents, { path, bytes });
      for (let start = 0; start < rows.length;) {
        let end = start + 1;
        for (let sum = found[start]?.length ?? 0; end < rows.length; end++) {
          sum += found[end]?.length ?? 0;
          if (sum > maxBytes) break;
        }
        yield readBases(found.slice(start, end), bases);
        start = end;
      }
    },
    [Symbol.dispose]: () => stack.dispose(),
  };
}

/** Finds where the sequences of rows stand; extents of rows that follow each other are read at once. */
function extentsOf(
  rows: readonly number[],
  file: FileReader,
  { path, bytes }: { readonly path: string; readonly bytes: number },
): (Extent | undefined)[] {
  const found: (Extent | undefined)[] = [];
  for (let at = 0; at < rows.length;) {
    let end = at + 1;
    while (end < rows.length && rows[end] === rows[end - 1] + 1) end++;
    const numbers = new Float64Array((end - at) * 2);
    file.readInto(bytesOf(numbers), rows[at] * EXTENT_BYTES);
    for (let slot = 0; slot < numbers.length; slot += 2) {
      const [offset, length] = [numbers[slot], numbers[slot + 1] - 1];
      if (length !== -1 && !(offset >= 0 && length >= 0 && offset + length <= bytes)) throw malformed(path);
      found.push(length === -1 ? undefined : { offset, length });
    }
    at = end;
  }
  return found;
}

/** Reads sequences; those that follow each other in the file are read at once. */
function readBases(extents: readonly (Extent | undefined)[], file: FileReader): (string | undefined)[] {
  const found: (string | undefined)[] = [];
  for (let at = 0; at < extents.length;) {
    const first = extents[at];
    if (first === undefined) {
      found.push(undefined);
      at++;
      continue;
    }
    let end = at;
    let stop = first.offset;
    for (; end < extents.length; end++) {
      const { offset = -1, length = 0 } = extents[end] ?? {};
      // Between sequences that came together stand their accessions.
      if (offset < stop || offset > stop + GAP_BYTES) break;
      stop = offset + length;
    }
    const bytes = Buffer.alloc(stop - first.offset);
    file.readInto(bytes, first.offset);
    for (; at < end; at++) {
      const { offset, length } = extents[at] ?? first;
      found.push(bytes.toString("utf8", offset - first.offset, offset - first.offset + length));
    }
  }
  return found;
}
