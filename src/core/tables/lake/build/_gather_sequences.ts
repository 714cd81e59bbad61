/** Rows of a sequence archive to parts: bases go to a temporary file as they come, and are counted on the way. */
import { join } from "node:path";
import { CsvSplitter } from "../../../io/csv/csv_splitter.ts";
import { writeAll } from "../../../io/files/write_all.ts";
import type { CheckedRows } from "../rows/checked_rows.ts";

/** What is known of each sequence of a part besides its bases. */
export interface SequenceFacts {
  readonly ids: readonly Uint8Array[];
  readonly lengths: readonly number[];
  /** Bases G and C. */
  readonly gc: readonly number[];
  /** Bases other than A, C, G, T and U. */
  readonly ambiguous: readonly number[];
}

/** Sequences of one Parquet file. */
export interface SequencePart {
  readonly facts: SequenceFacts;
  /** File of the bases, each sequence after its length in four bytes. */
  readonly path: string;
  /** The pages that its bytes become. */
  readonly pages: readonly BasesPage[];
}

/** A page of whole sequences: their number, and where in the file they are. */
export interface BasesPage {
  readonly values: number;
  readonly start: number;
  readonly length: number;
}

const PART_BYTES = 64 * 1024 * 1024;
/** Bases of a page; a longer sequence has one of its own. */
const PAGE_BYTES = 4 * 1024 * 1024;
/** A column of texts counts its bytes in 31 bits. */
const MAX_SEQUENCE_BYTES = 2_000_000_000;
const BUFFER_BYTES = 1 << 20;
/** Bytes that are written at once, without the buffer. */
const DIRECT_BYTES = 1 << 16;

/** Class of each byte: 1 G or C, 2 A, T or U, 3 white space, 0 any other base. */
const CLASS = new Uint8Array(256);
for (const base of "GCgc") CLASS[base.charCodeAt(0)] = 1;
for (const base of "ATUatu") CLASS[base.charCodeAt(0)] = 2;
for (const base of " \t\n\v\f\r") CLASS[base.charCodeAt(0)] = 3;

const QUOTE = 34;
const COMMA = 44;
const LF = 10;
const CR = 13;

/** Path of the temporary file for part `index`. A file that is there already costs less to write than a new one. */
export function spoolPath(folder: string, index: number, files: number): string {
  return join(folder, `.bases-${index % files}`);
}

/**
 * Gathers sequences in temporary files. An archive without rows has one part without rows.
 *
 * @param files Temporary files that are used in turn: a part's is written anew when as many parts have followed it.
 * @throws {RangeError} If a part would hold more bases than a column can.
 */
export async function* gatherSequences(
  batches: AsyncIterable<CheckedRows>,
  folder: string,
  files: number,
): AsyncGenerator<SequencePart> {
  const buffer = new Uint8Array(BUFFER_BYTES);
  let count = 0;
  let part = new GrowingPart(spoolPath(folder, count, files), buffer);
  try {
    for await (const { bytes } of batches) {
      for (const [id, bases] of sequencesIn(bytes)) part.add(id, bases);
      if (part.bytes < PART_BYTES) continue;
      yield part.finish();
      part = new GrowingPart(spoolPath(folder, ++count, files), buffer);
    }
    if (count === 0 || part.rows > 0) yield part.finish();
  } finally {
    part.close();
  }
}

class GrowingPart {
  readonly #path: string;
  readonly #file: Deno.FsFile;
  readonly #buffer: Uint8Array;
  #used = 0;
  #isOpen = true;
  readonly #ids: Uint8Array[] = [];
  readonly #lengths: number[] = [];
  readonly #gc: number[] = [];
  readonly #ambiguous: number[] = [];
  readonly #pages: { values: number; start: number; length: number }[] = [];
  bytes = 0;

  constructor(path: string, buffer: Uint8Array) {
    this.#path = path;
    this.#buffer = buffer;
    this.#file = Deno.openSync(path, { write: true, create: true });
  }

  /** Sequences so far. */
  get rows(): number {
    return this.#ids.length;
  }

  /** Adds a sequence; both are copied. */
  add(id: Uint8Array, bases: Uint8Array): void {
    if (this.bytes + bases.length > MAX_SEQUENCE_BYTES) {
      const name = new TextDecoder().decode(id);
      throw new RangeError(`Cannot keep the sequence ${name}: more than ${MAX_SEQUENCE_BYTES} bases`);
    }
    let [gc, plain, blank] = [0, 0, 0];
    for (let at = 0; at < bases.length; at++) {
      const kind = CLASS[bases[at]];
      if (kind === 2) plain++;
      else if (kind === 1) gc++;
      else if (kind === 3) blank++;
    }
    const length = bases.length - blank;
    this.#ids.push(id.slice());
    this.#lengths.push(length);
    this.#gc.push(gc);
    this.#ambiguous.push(length - gc - plain);
    const before = new Uint8Array(4);
    new DataView(before.buffer).setUint32(0, bases.length, true);
    this.#addToPage(before.length + bases.length);
    this.#write(before);
    this.#write(bases);
  }

  /** Ends the part: its file is whole. */
  finish(): SequencePart {
    this.#flush();
    this.#file.truncateSync(this.bytes);
    this.close();
    const facts = { ids: this.#ids, lengths: this.#lengths, gc: this.#gc, ambiguous: this.#ambiguous };
    return { facts, path: this.#path, pages: this.#pages };
  }

  close(): void {
    if (this.#isOpen) this.#file.close();
    this.#isOpen = false;
  }

  #addToPage(bytes: number): void {
    const page = this.#pages.at(-1);
    if (page !== undefined && page.length + bytes <= PAGE_BYTES) {
      page.values++;
      page.length += bytes;
    } else this.#pages.push({ values: 1, start: this.bytes, length: bytes });
  }

  #write(bytes: Uint8Array): void {
    this.bytes += bytes.length;
    if (bytes.length >= DIRECT_BYTES) {
      this.#flush();
      return writeAll(this.#file, bytes);
    }
    if (this.#used + bytes.length > BUFFER_BYTES) this.#flush();
    this.#buffer.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  #flush(): void {
    writeAll(this.#file, this.#buffer.subarray(0, this.#used));
    this.#used = 0;
  }
}

/** Cells of checked rows of two cells; most have no quote, and are as they stand there. */
function* sequencesIn(bytes: Uint8Array): Generator<[id: Uint8Array, bases: Uint8Array]> {
  if (bytes.includes(QUOTE)) return yield* quotedSequencesIn(bytes);
  for (let at = 0; at < bytes.length;) {
    const comma = bytes.indexOf(COMMA, at);
    const feed = bytes.indexOf(LF, comma);
    yield [bytes.subarray(at, comma), bytes.subarray(comma + 1, bytes[feed - 1] === CR ? feed - 1 : feed)];
    at = feed + 1;
  }
}

function* quotedSequencesIn(rows: Uint8Array): Generator<[id: Uint8Array, bases: Uint8Array]> {
  const cells = new CsvSplitter().push(rows).ofWidth(2);
  if (cells === undefined) throw new TypeError("Cannot split checked rows: expected two cells in each");
  const { bytes, ends } = cells;
  for (let cell = 0, start = 0; cell < ends.length; cell += 2) {
    yield [bytes.subarray(start, ends[cell]), bytes.subarray(ends[cell] + 1, ends[cell + 1])];
    start = ends[cell + 1] + 1;
  }
}
