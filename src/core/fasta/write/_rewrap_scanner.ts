/**
 * A scanner whose rows hold no bases, and which writes plain FASTA on its way: what a driver reads, counts and judges
 * is written in the same pass.
 */
import type { FastaHead } from "../text/fasta_batch.ts";
import type { HeaderWriter, ReadHeader } from "./_header_writer.ts";
import { BASE_CLASS, CR, GREATER, LF, PIPE, WHITE_SPACE } from "../text/bases.ts";
import { LineScanner } from "../scan/line_scanner.ts";
import type { RecordRuns } from "./_record_runs.ts";
import type { RewrapRoutines } from "./_rewrap_routines.ts";
import {
  BREAK_MARK,
  type FastaScanner,
  hashOf,
  NON_ASCII_MARK,
  type ScanLimits,
  type ScannedRows,
} from "../scan/scanner.ts";

/** Output after which a batch is full: few writes and few batches. */
const CHUNK_BYTES = 1 << 20;
/** Output that is made before a record's end is waited for no longer. */
const LIMIT_BYTES = 3 << 20;
/** Room for output: one half is made while the other is written. */
const HALF_BYTES = 1 << 22;
/** Room that a module needs for its output. */
export const OUTPUT_BYTES = 2 * HALF_BYTES;
/** Bytes of a piece of the input: few turns, and still in a cache that cores share. */
const PIECE_BYTES = 2 << 20;
/** Pieces of a large file that are read at a time: one is worked on, two are on their way. */
const PIECES = 3;
/** Room that a module needs for its input. */
export const INPUT_BYTES = PIECES * PIECE_BYTES;
/** No line is as long as this: bases are not wrapped. */
const ENDLESS = 0xffff_ffff;

export interface RewrapOptions {
  /** What wraps; it has room for {@linkcode INPUT_BYTES} and {@linkcode OUTPUT_BYTES}. */
  readonly routines: RewrapRoutines;
  readonly limits: ScanLimits;
  /** Bases of a line; 0 for one line a sequence. */
  readonly wrap: number;
}

/** Scans FASTA and writes it anew. */
export class RewrapScanner extends LineScanner implements FastaScanner {
  readonly input: Uint8Array;
  readonly lanes: readonly Uint8Array[];
  readonly #routines: RewrapRoutines;
  readonly #wrap: number;
  #writer: HeaderWriter | undefined;
  /** What takes most records by itself. */
  #runs: RecordRuns | undefined;
  /** Values that a header must have; 0 for any number. */
  #values = 0;
  /** Offsets of the `|` in the last header, as many as its values need. */
  #pipes = new Int32Array(0);
  /** Whether the open record is left out, and where the output ended before it. */
  #isLeftOut = false;
  #mark = 0;
  /** Where the half of the output begins that is being written. */
  #base = 0;
  /** Output before what is in the module: a record longer than that comes in parts. */
  #parts: Uint8Array[] = [];

  constructor({ routines, limits, wrap }: RewrapOptions) {
    super(limits);
    this.#routines = routines;
    this.#wrap = wrap === 0 ? ENDLESS : wrap;
    this.lanes = Array.from(
      { length: PIECES },
      (_, index) => routines.input.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES),
    );
    this.input = this.lanes[0];
  }

  /** Sets how headers are written; before the first one. */
  writeHeaders(head: FastaHead, writer: HeaderWriter): void {
    this.#writer = writer;
    this.#values = head.kind === "registry" ? head.fields.length : 0;
    this.#pipes = new Int32Array(head.fields.length);
    const { runs } = this.#routines;
    const { maxHeaderBytes, maxRecordBytes } = this.limits;
    const { hashFactor } = this.rule;
    const { fieldIndices, literals, escapes } = writer;
    const rules = { values: this.#values, hashFactor, maxHeaderBytes, maxRecordBytes, fieldIndices, literals, escapes };
    if (runs?.use({ ...rules, wrap: this.#wrap })) this.#runs = runs;
  }

  get isFull(): boolean {
    if (this.isOpen) return false;
    return this.#routines.end >= this.#base + CHUNK_BYTES || this.rows >= this.limits.batchRows ||
      this.#parts.length > 0 || this.headers.length >= this.limits.batchBytes;
  }

  scan(bytes: Uint8Array, start: number): number {
    const { input } = this.#routines;
    if (bytes.buffer === input.buffer) {
      const shift = bytes.byteOffset - input.byteOffset;
      return this.#scan(shift + start, shift + bytes.length) - shift;
    }
    let at = start;
    while (at < bytes.length) {
      const piece = bytes.subarray(at, at + PIECE_BYTES);
      input.set(piece);
      const scanned = this.#scan(0, piece.length);
      at += scanned;
      if (scanned < piece.length) break;
    }
    return at;
  }

  take(): ScannedRows {
    const taken = this.takeColumns();
    // Nobody asks a writer for the bases, or how many there are of each.
    return { ...taken, sequences: null, gcBases: taken.length, ambiguous: taken.length };
  }

  /** Returns what was written; a chunk stays as it is while the next is made, and no longer. */
  *takeText(): Generator<Uint8Array> {
    const parts = this.#parts;
    this.#parts = [];
    yield* parts;
    const rest = this.#routines.output.subarray(this.#base, this.#routines.end);
    if (rest.length === 0) return;
    this.#base = HALF_BYTES - this.#base;
    this.#routines.end = this.#base;
    yield rest;
  }

  #scan(from: number, to: number): number {
    return this.scanText(this.#routines.input.subarray(0, to), from);
  }

  protected override scanSequence(bytes: Uint8Array, from: number): number {
    const routines = this.#routines;
    const at = routines.rewrap(from, bytes.length, this.#base + LIMIT_BYTES, this.#wrap);
    const row = this.rows;
    const { invalidByte, invalidBase, invalidLine, length } = this.columns;
    if (invalidByte[row] < 0 && routines.invalidOffset >= 0) {
      invalidBase[row] = bytes[routines.invalidOffset];
      invalidLine[row] = this.line + routines.invalidLines;
      invalidByte[row] = this.position + routines.invalidOffset - from;
    }
    this.line += routines.lines;
    this.position += at - from;
    if (at > from) this.atLineStart = bytes[at - 1] === LF;
    length[row] = routines.bases;
    this.#boundOutput();
    return at;
  }

  protected override scanRecords(bytes: Uint8Array, from: number): number {
    const runs = this.#runs;
    if (runs === undefined) return from;
    const { limits, headers, rows, line, position } = this;
    const at = runs.scan(from, bytes.length, {
      line,
      position,
      limit: this.#base + LIMIT_BYTES,
      full: this.#base + CHUNK_BYTES,
      rows: limits.batchRows - rows,
      headerBytes: limits.batchBytes - headers.length,
      headersBefore: headers.length,
    });
    if (at === from) return from;
    runs.copyRows(this.columns, rows);
    headers.append(runs.headers);
    this.rows += runs.rows - 1;
    this.isOpen = true;
    this.line = runs.line;
    this.position += at - from;
    this.atLineStart = bytes[at - 1] === LF;
    this.#isLeftOut = false;
    this.#boundOutput();
    return at;
  }

  /** Sees to the limits of the open record, and of the output. */
  #boundOutput(): void {
    if (this.#routines.bases > this.limits.maxRecordBytes) throw this.recordTooLong();
    if (this.#isLeftOut) this.#routines.end = this.#mark;
    else if (this.#routines.end >= this.#base + LIMIT_BYTES) this.#setAside();
  }

  protected override closeRow(): void {
    const routines = this.#routines;
    if (routines.column > 0 && !this.#isLeftOut) routines.output[routines.end++] = LF;
  }

  protected override readHeader(start: number, end: number): void {
    const { idLengths, idHashes, valueCounts, headerMarks } = this.columns;
    const row = this.rows;
    const { bytes } = this.headers;
    const { endsAtPipe, hashFactor } = this.rule;
    let idLength = -1;
    let pipes = 0;
    let marks = 0;
    for (let at = start; at < end; at++) {
      const byte = bytes[at];
      if (byte === PIPE) {
        if (pipes < this.#pipes.length) this.#pipes[pipes] = at;
        pipes += 1;
      } else if (byte === CR) marks |= BREAK_MARK;
      else if (byte > 0x7f) marks |= NON_ASCII_MARK;
      if (idLength < 0 && (endsAtPipe ? byte === PIPE : BASE_CLASS[byte] === WHITE_SPACE)) idLength = at - start;
    }
    if (idLength < 0) idLength = end - start;
    idLengths[row] = idLength;
    idHashes[row] = hashOf(bytes, start, start + idLength, hashFactor);
    valueCounts[row] = pipes + 1;
    headerMarks[row] = marks;
    this.#routines.begin();
    this.#mark = this.#routines.end;
    this.#isLeftOut = this.#values > 0 && pipes + 1 !== this.#values;
    if (this.#isLeftOut) return;
    this.#writeHeader({ bytes, start, end, idLength, pipes: this.#pipes, isSimple: marks === 0 });
  }

  #writeHeader(header: ReadHeader): void {
    const routines = this.#routines;
    const { output } = routines;
    const writer = this.#writer!;
    const made = header.isSimple && writer.room(header) < CHUNK_BYTES ? undefined : writer.make(header);
    const room = made?.length ?? writer.room(header);
    if (routines.end + room + 2 > this.#base + HALF_BYTES) this.#setAside();
    if (made !== undefined && made.length + 2 > HALF_BYTES) {
      const whole = new Uint8Array(made.length + 2);
      whole[0] = GREATER;
      whole.set(made, 1);
      whole[made.length + 1] = LF;
      this.#parts.push(whole);
      return;
    }
    let at = routines.end;
    output[at++] = GREATER;
    if (made === undefined) at = writer.write(header, output, at);
    else {
      output.set(made, at);
      at += made.length;
    }
    output[at++] = LF;
    routines.end = at;
  }

  /** Copies the output out of the module, because the buffer is full within a record. */
  #setAside(): void {
    this.#parts.push(this.#routines.output.slice(this.#base, this.#routines.end));
    this.#routines.end = this.#base;
  }
}
