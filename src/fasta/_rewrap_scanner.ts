/**
 * A scanner whose rows hold no letters, and which writes plain FASTA on its way: what a driver reads, counts and judges is
 * written in the same pass.
 */
import type { FastaHead } from "./fasta_batch.ts";
import { GrowingBytes } from "./_growing.ts";
import type { HeaderWriter, ReadHeader } from "./_header_writer.ts";
import { CR, GREATER, LETTER_CLASS, LF, PIPE, SEMICOLON, WHITE_SPACE } from "./_letters.ts";
import { headerTooLong, recordTooLong } from "./_plain_scanner.ts";
import type { RewrapKernel } from "./_rewrap_kernel.ts";
import {
  BREAK_MARK,
  type FastaScanner,
  FOREIGN_MARK,
  hashOf,
  type HeaderRule,
  type ScanLimits,
  type ScannedRows,
} from "./_scanner.ts";

/** Output after which a batch is full: few writes, and the processor's cache holds it. */
const CHUNK_BYTES = 1 << 19;
/** Output that is made before a record's end is waited for no longer. */
const LIMIT_BYTES = 3 << 19;
/** Room for output: one half is made while the other is written. */
const HALF_BYTES = 1 << 21;
/** Room that a kernel needs for its output. */
export const OUTPUT_BYTES = 2 * HALF_BYTES;
/** Bytes of a piece of the input. */
export const PIECE_BYTES = 1 << 20;
/** No line is as long as this: letters are not wrapped. */
const ENDLESS = 0xffff_ffff;

/** Options of {@linkcode RewrapScanner}. */
export interface RewrapOptions {
  /** What wraps; its output has room for {@linkcode OUTPUT_BYTES}. */
  readonly kernel: RewrapKernel;
  readonly limits: ScanLimits;
  /** Letters of a line; 0 for one line a sequence. */
  readonly wrap: number;
}

/** Scans FASTA and writes it anew. */
export class RewrapScanner implements FastaScanner {
  position = 0;
  line = 1;
  readonly input: Uint8Array;
  readonly #kernel: RewrapKernel;
  readonly #limits: ScanLimits;
  readonly #wrap: number;
  #rule: HeaderRule = { endsAtPipe: false, hashFactor: 1 };
  #writer: HeaderWriter | undefined;
  /** Values that a header must have; 0 for any number. */
  #values = 0;
  readonly #headers = new GrowingBytes(1 << 16);
  readonly #columns: Columns;
  /** Places of the `|` in the last header, as many as its values need. */
  #pipes = new Int32Array(0);
  #rows = 0;
  #isOpen = false;
  #inHeader = false;
  #atLineStart = true;
  /** Whether the open record is left out, and where the output ended before it. */
  #isLeftOut = false;
  #mark = 0;
  /** Where the half of the output begins that is being written. */
  #base = 0;
  /** Output before what is in the kernel: a record longer than that comes in parts. */
  #parts: Uint8Array[] = [];

  constructor({ kernel, limits, wrap }: RewrapOptions) {
    this.#kernel = kernel;
    this.#limits = limits;
    this.#wrap = wrap === 0 ? ENDLESS : wrap;
    this.#columns = makeColumns(limits.batchRows);
    this.input = kernel.input.subarray(0, PIECE_BYTES);
  }

  /** Says how headers are to be written; before the first one. */
  writeHeaders(head: FastaHead, writer: HeaderWriter): void {
    this.#writer = writer;
    this.#values = head.kind === "registry" ? head.fields.length : 0;
    this.#pipes = new Int32Array(head.fields.length);
  }

  useHeaders(rule: HeaderRule): void {
    this.#rule = rule;
  }

  get isFull(): boolean {
    if (this.#isOpen) return false;
    return this.#kernel.end >= this.#base + CHUNK_BYTES || this.#rows >= this.#limits.batchRows ||
      this.#parts.length > 0 || this.#headers.length >= this.#limits.batchBytes;
  }

  scan(bytes: Uint8Array, start: number): number {
    const { input } = this.#kernel;
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

  skip(bytes: number, lines: number): void {
    this.position += bytes;
    this.line += lines;
  }

  finish(): void {
    if (this.#inHeader) this.#endHeader();
    this.#close();
  }

  take(): ScannedRows {
    const rows = this.#rows;
    const { headerOffsets, ...columns } = this.#columns;
    this.#rows = 0;
    const headers = { offsets: headerOffsets.subarray(0, rows + 1), data: this.#headers.view() };
    this.#headers.clear();
    return {
      ...columns,
      rows,
      headers,
      sequences: null,
      // Nobody asks a writer for these.
      gcLetters: columns.length,
      ambiguous: columns.length,
    };
  }

  /** Gives out what was written; a chunk stays as it is while the next is made, and no longer. */
  *takeText(): Generator<Uint8Array> {
    const parts = this.#parts;
    this.#parts = [];
    yield* parts;
    const rest = this.#kernel.output.subarray(this.#base, this.#kernel.end);
    if (rest.length === 0) return;
    this.#base = HALF_BYTES - this.#base;
    this.#kernel.end = this.#base;
    yield rest;
  }

  #scan(from: number, to: number): number {
    const { input } = this.#kernel;
    const bytes = input.subarray(0, to);
    let at = from;
    while (at < to) {
      if (this.#inHeader) at = this.#scanHeader(bytes, at);
      else if (this.#atLineStart && bytes[at] === SEMICOLON) break;
      else if (this.#atLineStart && bytes[at] === GREATER) {
        this.#close();
        if (this.isFull) break;
        this.#open();
        this.position += 1;
        at += 1;
      } else at = this.#scanSequence(bytes, at);
    }
    return at;
  }

  #scanSequence(bytes: Uint8Array, from: number): number {
    const kernel = this.#kernel;
    const at = kernel.rewrap(from, bytes.length, this.#base + LIMIT_BYTES, this.#wrap);
    const row = this.#rows;
    const { oddByte, oddLetter, oddLine, length } = this.#columns;
    if (oddByte[row] < 0 && kernel.oddPlace >= 0) {
      oddLetter[row] = bytes[kernel.oddPlace];
      oddLine[row] = this.line + kernel.oddLines;
      oddByte[row] = this.position + kernel.oddPlace - from;
    }
    this.line += kernel.lines;
    this.position += at - from;
    if (at > from) this.#atLineStart = bytes[at - 1] === LF;
    length[row] = kernel.letters;
    if (kernel.letters > this.#limits.maxRecordBytes) throw this.#tooLong();
    if (this.#isLeftOut) kernel.end = this.#mark;
    else if (kernel.end >= this.#base + LIMIT_BYTES) this.#setAside();
    return at;
  }

  #open(): void {
    const row = this.#rows;
    this.#columns.line[row] = this.line;
    this.#columns.byte[row] = this.position;
    this.#columns.length[row] = 0;
    this.#columns.oddByte[row] = -1;
    this.#isOpen = true;
    this.#inHeader = true;
    this.#atLineStart = false;
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#rows += 1;
    const kernel = this.#kernel;
    if (kernel.column > 0 && !this.#isLeftOut) kernel.output[kernel.end++] = LF;
  }

  #scanHeader(bytes: Uint8Array, start: number): number {
    const found = bytes.indexOf(LF, start);
    const end = found < 0 ? bytes.length : found;
    const row = this.#rows;
    const { line, byte, headerOffsets } = this.#columns;
    if (this.#headers.length - headerOffsets[row] + end - start > this.#limits.maxHeaderBytes) {
      throw headerTooLong(this.#limits, line[row], byte[row]);
    }
    this.#headers.append(bytes.subarray(start, end));
    this.position += end - start;
    if (found < 0) return end;
    this.position += 1;
    this.line += 1;
    this.#endHeader();
    return end + 1;
  }

  #endHeader(): void {
    const headers = this.#headers;
    const { headerOffsets, idLengths, idHashes, valueCounts, headerMarks } = this.#columns;
    const row = this.#rows;
    const start = headerOffsets[row];
    if (headers.length > start && headers.bytes[headers.length - 1] === CR) headers.length -= 1;
    const end = headers.length;
    headerOffsets[row + 1] = end;
    const { endsAtPipe, hashFactor } = this.#rule;
    const { bytes } = headers;
    let idLength = -1;
    let pipes = 0;
    let marks = 0;
    for (let at = start; at < end; at++) {
      const byte = bytes[at];
      if (byte === PIPE) {
        if (pipes < this.#pipes.length) this.#pipes[pipes] = at;
        pipes += 1;
      } else if (byte === CR) marks |= BREAK_MARK;
      else if (byte > 0x7f) marks |= FOREIGN_MARK;
      if (idLength < 0 && (endsAtPipe ? byte === PIPE : LETTER_CLASS[byte] === WHITE_SPACE)) idLength = at - start;
    }
    if (idLength < 0) idLength = end - start;
    idLengths[row] = idLength;
    idHashes[row] = hashOf(bytes, start, start + idLength, hashFactor);
    valueCounts[row] = pipes + 1;
    headerMarks[row] = marks;
    this.#inHeader = false;
    this.#atLineStart = true;
    this.#kernel.begin();
    this.#mark = this.#kernel.end;
    this.#isLeftOut = this.#values > 0 && pipes + 1 !== this.#values;
    if (this.#isLeftOut) return;
    this.#writeHeader({ bytes, start, end, idLength, pipes: this.#pipes, isSimple: marks === 0 });
  }

  #writeHeader(header: ReadHeader): void {
    const kernel = this.#kernel;
    const { output } = kernel;
    const writer = this.#writer!;
    const made = header.isSimple && writer.room(header) < CHUNK_BYTES ? undefined : writer.make(header);
    const room = made?.length ?? writer.room(header);
    if (kernel.end + room + 2 > this.#base + HALF_BYTES) this.#setAside();
    if (made !== undefined && made.length + 2 > HALF_BYTES) {
      const whole = new Uint8Array(made.length + 2);
      whole[0] = GREATER;
      whole.set(made, 1);
      whole[made.length + 1] = LF;
      this.#parts.push(whole);
      return;
    }
    let at = kernel.end;
    output[at++] = GREATER;
    if (made === undefined) at = writer.write(header, output, at);
    else {
      output.set(made, at);
      at += made.length;
    }
    output[at++] = LF;
    kernel.end = at;
  }

  /** Moves what was written out of the kernel, since a record is not at its end and there is no more room. */
  #setAside(): void {
    this.#parts.push(this.#kernel.output.slice(this.#base, this.#kernel.end));
    this.#kernel.end = this.#base;
  }

  #tooLong() {
    const { headerOffsets, line, byte } = this.#columns;
    const row = this.#rows;
    const header = this.#headers.bytes.subarray(headerOffsets[row], headerOffsets[row + 1]);
    return recordTooLong(this.#limits, header, line[row], byte[row]);
  }
}

interface Columns extends
  Pick<
    ScannedRows,
    | "idLengths"
    | "idHashes"
    | "valueCounts"
    | "headerMarks"
    | "length"
    | "line"
    | "byte"
    | "oddLetter"
    | "oddLine"
    | "oddByte"
  > {
  readonly headerOffsets: Int32Array;
}

function makeColumns(rows: number): Columns {
  return {
    headerOffsets: new Int32Array(rows + 1),
    idLengths: new Int32Array(rows),
    idHashes: new Int32Array(rows),
    valueCounts: new Int32Array(rows),
    headerMarks: new Uint8Array(rows),
    length: new Float64Array(rows),
    line: new Float64Array(rows),
    byte: new Float64Array(rows),
    oddLetter: new Uint8Array(rows),
    oddLine: new Float64Array(rows),
    oddByte: new Float64Array(rows),
  };
}
