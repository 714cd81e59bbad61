/**
 * The scanner in plain TypeScript: the reference that the fast one is compared with, and what runs where that cannot.
 *
 * Lines are found with `indexOf` on bytes; nothing is decoded. State between two calls is whether a header is open and
 * whether the next byte begins a line.
 */
import { FastaError } from "./fasta_error.ts";
import { GrowingBytes } from "./_growing.ts";
import {
  CR,
  GC_LETTER,
  GREATER,
  LETTER_CLASS,
  LF,
  ODD_LETTER,
  OTHER_LETTER,
  PIPE,
  SEMICOLON,
  WHITE_SPACE,
} from "./_letters.ts";
import {
  BREAK_MARK,
  type FastaScanner,
  FOREIGN_MARK,
  hashOf,
  type HeaderRule,
  type ScanLimits,
  type ScannedRows,
} from "./_scanner.ts";

/** Scans FASTA in plain TypeScript. */
export class PlainScanner implements FastaScanner {
  position = 0;
  line = 1;
  readonly input = new Uint8Array(1 << 18);
  readonly #limits: ScanLimits;
  readonly #headers = new GrowingBytes(1 << 16);
  readonly #sequences: GrowingBytes;
  readonly #headerOffsets: Int32Array;
  readonly #idLengths: Int32Array;
  readonly #idHashes: Int32Array;
  readonly #valueCounts: Int32Array;
  readonly #headerMarks: Uint8Array;
  readonly #sequenceOffsets: Int32Array;
  readonly #length: Float64Array;
  readonly #gcLetters: Float64Array;
  readonly #ambiguous: Float64Array;
  readonly #line: Float64Array;
  readonly #byte: Float64Array;
  readonly #oddLetter: Uint8Array;
  readonly #oddLine: Float64Array;
  readonly #oddByte: Float64Array;
  #rule: HeaderRule = { endsAtPipe: false, hashFactor: 1 };
  #rows = 0;
  #isOpen = false;
  #inHeader = false;
  #atLineStart = true;

  constructor(limits: ScanLimits) {
    this.#limits = limits;
    const rows = limits.batchRows;
    this.#sequences = new GrowingBytes(limits.keepsSequences ? Math.min(limits.batchBytes, 1 << 20) : 0);
    this.#headerOffsets = new Int32Array(rows + 1);
    this.#idLengths = new Int32Array(rows);
    this.#idHashes = new Int32Array(rows);
    this.#valueCounts = new Int32Array(rows);
    this.#headerMarks = new Uint8Array(rows);
    this.#sequenceOffsets = new Int32Array(rows + 1);
    this.#length = new Float64Array(rows);
    this.#gcLetters = new Float64Array(rows);
    this.#ambiguous = new Float64Array(rows);
    this.#line = new Float64Array(rows);
    this.#byte = new Float64Array(rows);
    this.#oddLetter = new Uint8Array(rows);
    this.#oddLine = new Float64Array(rows);
    this.#oddByte = new Float64Array(rows);
  }

  get isFull(): boolean {
    const { batchRows, batchBytes } = this.#limits;
    if (this.#isOpen) return false;
    return this.#rows >= batchRows || this.#sequences.length >= batchBytes || this.#headers.length >= batchBytes;
  }

  scan(bytes: Uint8Array, start: number): number {
    let at = start;
    while (at < bytes.length) {
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

  useHeaders(rule: HeaderRule): void {
    this.#rule = rule;
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
    const taken: ScannedRows = {
      rows,
      headers: { offsets: this.#headerOffsets.subarray(0, rows + 1), data: this.#headers.view() },
      idLengths: this.#idLengths.subarray(0, rows),
      idHashes: this.#idHashes.subarray(0, rows),
      valueCounts: this.#valueCounts.subarray(0, rows),
      headerMarks: this.#headerMarks.subarray(0, rows),
      sequences: this.#limits.keepsSequences
        ? { offsets: this.#sequenceOffsets.subarray(0, rows + 1), data: this.#sequences.view() }
        : null,
      length: this.#length.subarray(0, rows),
      gcLetters: this.#gcLetters.subarray(0, rows),
      ambiguous: this.#ambiguous.subarray(0, rows),
      line: this.#line.subarray(0, rows),
      byte: this.#byte.subarray(0, rows),
      oddLetter: this.#oddLetter.subarray(0, rows),
      oddLine: this.#oddLine.subarray(0, rows),
      oddByte: this.#oddByte.subarray(0, rows),
    };
    this.#rows = 0;
    this.#headers.clear();
    this.#sequences.clear();
    return taken;
  }

  #open(): void {
    const row = this.#rows;
    this.#line[row] = this.line;
    this.#byte[row] = this.position;
    this.#length[row] = 0;
    this.#gcLetters[row] = 0;
    this.#ambiguous[row] = 0;
    this.#oddByte[row] = -1;
    this.#isOpen = true;
    this.#inHeader = true;
    this.#atLineStart = false;
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#rows += 1;
    this.#sequenceOffsets[this.#rows] = this.#sequences.length;
  }

  #scanHeader(bytes: Uint8Array, start: number): number {
    const found = bytes.indexOf(LF, start);
    const end = found < 0 ? bytes.length : found;
    if (this.#headers.length - this.#headerOffsets[this.#rows] + end - start > this.#limits.maxHeaderBytes) {
      throw headerTooLong(this.#limits, this.#line[this.#rows], this.#byte[this.#rows]);
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
    const isNotEmpty = headers.length > this.#headerOffsets[this.#rows];
    if (isNotEmpty && headers.bytes[headers.length - 1] === CR) headers.length -= 1;
    this.#headerOffsets[this.#rows + 1] = headers.length;
    this.#describe(headers.bytes.subarray(this.#headerOffsets[this.#rows], headers.length));
    this.#inHeader = false;
    this.#atLineStart = true;
  }

  #describe(header: Uint8Array): void {
    const { endsAtPipe, hashFactor } = this.#rule;
    const found = header.findIndex((byte) => endsAtPipe ? byte === PIPE : LETTER_CLASS[byte] === WHITE_SPACE);
    const idLength = found < 0 ? header.length : found;
    this.#idLengths[this.#rows] = idLength;
    this.#idHashes[this.#rows] = hashOf(header, 0, idLength, hashFactor);
    this.#valueCounts[this.#rows] = header.filter((byte) => byte === PIPE).length + 1;
    this.#headerMarks[this.#rows] = (header.includes(CR) ? BREAK_MARK : 0) |
      (header.some((byte) => byte > 0x7f) ? FOREIGN_MARK : 0);
  }

  /** Scans to the end of a line, or of the bytes. */
  #scanSequence(bytes: Uint8Array, start: number): number {
    const found = bytes.indexOf(LF, start);
    const end = found < 0 ? bytes.length : found;
    const keeps = this.#limits.keepsSequences;
    if (keeps) this.#sequences.reserve(end - start);
    const kept = this.#sequences.bytes;
    const row = this.#rows;
    let out = this.#sequences.length;
    let length = 0;
    let gcLetters = 0;
    let ambiguous = 0;
    for (let at = start; at < end; at++) {
      const letter = bytes[at];
      const kind = LETTER_CLASS[letter];
      if (kind === WHITE_SPACE) continue;
      length += 1;
      if (keeps) kept[out++] = letter;
      if (kind === GC_LETTER) gcLetters += 1;
      else if (kind >= OTHER_LETTER) {
        ambiguous += 1;
        if (kind === ODD_LETTER && this.#oddByte[row] < 0) {
          this.#oddLetter[row] = letter;
          this.#oddLine[row] = this.line;
          this.#oddByte[row] = this.position + at - start;
        }
      }
    }
    this.#sequences.length = out;
    if (keeps && this.#length[row] + length > this.#limits.maxRecordBytes) throw this.#recordTooLong();
    this.#length[row] += length;
    this.#gcLetters[row] += gcLetters;
    this.#ambiguous[row] += ambiguous;
    this.position += end - start;
    this.#atLineStart = found >= 0;
    if (found < 0) return end;
    this.position += 1;
    this.line += 1;
    return end + 1;
  }

  #recordTooLong(): FastaError {
    const row = this.#rows;
    const header = this.#headers.bytes.subarray(this.#headerOffsets[row], this.#headerOffsets[row + 1]);
    return recordTooLong(this.#limits, header, this.#line[row], this.#byte[row]);
  }
}

/** The error of a header that is too long. */
export function headerTooLong(limits: ScanLimits, line: number, byte: number): FastaError {
  return new FastaError(
    `Cannot read ${limits.name}: a header is longer than ${limits.maxHeaderBytes} bytes; ` +
      "if that is meant, raise maxHeaderBytes",
    { line, byte },
  );
}

/** The error of a sequence that is too long to keep. */
export function recordTooLong(limits: ScanLimits, header: Uint8Array, line: number, byte: number): FastaError {
  const id = new TextDecoder().decode(header.subarray(0, 200)).split(/[\s|]/, 1)[0];
  return new FastaError(
    `Cannot read ${limits.name}: a sequence is longer than ${limits.maxRecordBytes} bytes; ` +
      "if that is meant, raise maxRecordBytes (--max-record-bytes), or read without sequences",
    { line, byte, id },
  );
}
