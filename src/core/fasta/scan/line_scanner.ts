/**
 * What the scanners in TypeScript share: headers, and where records begin and end. What lies between is for those that
 * extend it.
 *
 * Lines are found with `indexOf` on bytes; nothing is decoded. State between two calls is whether a header is open and
 * whether the next byte begins a line.
 */
import { FastaError } from "../text/fasta_error.ts";
import { GrowingBytes } from "../text/growing.ts";
import { BASE_CLASS, CR, GREATER, LF, SEMICOLON, WHITE_SPACE } from "../text/bases.ts";
import { MOST_RECORD_BYTES } from "../text/read_options.ts";
import type { HeaderRule, ScanLimits, ScannedRows } from "./scanner.ts";

/** Columns of rows that every scanner fills; each has room for all rows of a batch. */
export interface RowColumns extends
  Pick<
    ScannedRows,
    | "idLengths"
    | "idHashes"
    | "valueCounts"
    | "headerMarks"
    | "length"
    | "line"
    | "byte"
    | "invalidBase"
    | "invalidLine"
    | "invalidByte"
  > {
  readonly headerOffsets: Int32Array;
}

/** Scans headers, and leaves sequences to others. */
export abstract class LineScanner {
  position = 0;
  line = 1;
  protected readonly limits: ScanLimits;
  protected readonly headers = new GrowingBytes(1 << 16);
  protected readonly columns: RowColumns;
  protected rule: HeaderRule = { endsAtPipe: false, hashFactor: 1 };
  /** Records that are complete; the open one's row is this. */
  protected rows = 0;
  protected isOpen = false;
  protected atLineStart = true;
  #inHeader = false;

  constructor(limits: ScanLimits) {
    this.limits = limits;
    const rows = limits.batchRows;
    this.columns = {
      headerOffsets: new Int32Array(rows + 1),
      idLengths: new Int32Array(rows),
      idHashes: new Int32Array(rows),
      valueCounts: new Int32Array(rows),
      headerMarks: new Uint8Array(rows),
      length: new Float64Array(rows),
      line: new Float64Array(rows),
      byte: new Float64Array(rows),
      invalidBase: new Uint8Array(rows),
      invalidLine: new Float64Array(rows),
      invalidByte: new Float64Array(rows),
    };
  }

  abstract get isFull(): boolean;
  /** Takes note of the open row's header, which lies from `start` up to `end` in `headers`. */
  protected abstract readHeader(start: number, end: number): void;
  /** Scans bases; where it stopped. It counts the bytes and lines that it passes. */
  protected abstract scanSequence(bytes: Uint8Array, start: number): number;
  /**
   * Scans as many complete records from a `>` as the subclass supports; returns where it stopped, with the last one
   * open. None here.
   */
  protected scanRecords(_bytes: Uint8Array, start: number): number {
    return start;
  }
  /** The open record is complete: `rows` counts it already. */
  protected abstract closeRow(): void;

  useHeaders(rule: HeaderRule): void {
    this.rule = rule;
  }

  skip(bytes: number, lines: number): void {
    this.position += bytes;
    this.line += lines;
  }

  finish(): void {
    if (this.#inHeader) this.#endHeader();
    this.#close();
  }

  protected scanText(bytes: Uint8Array, start: number): number {
    let at = start;
    while (at < bytes.length) {
      if (this.#inHeader) at = this.#scanHeader(bytes, at);
      else if (this.atLineStart && bytes[at] === SEMICOLON) break;
      else if (this.atLineStart && bytes[at] === GREATER) {
        this.#close();
        if (this.isFull) break;
        const behind = this.scanRecords(bytes, at);
        if (behind > at) {
          at = behind;
          continue;
        }
        this.#open();
        this.position += 1;
        at += 1;
      } else at = this.scanSequence(bytes, at);
    }
    return at;
  }

  /** Returns what every scanner knows of its rows and begins a new batch. */
  protected takeColumns(): Omit<ScannedRows, "sequences" | "gcBases" | "ambiguous"> {
    const { rows, columns } = this;
    const headers = { offsets: columns.headerOffsets.subarray(0, rows + 1), data: this.headers.view() };
    this.rows = 0;
    this.headers.clear();
    return {
      rows,
      headers,
      idLengths: columns.idLengths.subarray(0, rows),
      idHashes: columns.idHashes.subarray(0, rows),
      valueCounts: columns.valueCounts.subarray(0, rows),
      headerMarks: columns.headerMarks.subarray(0, rows),
      length: columns.length.subarray(0, rows),
      line: columns.line.subarray(0, rows),
      byte: columns.byte.subarray(0, rows),
      invalidBase: columns.invalidBase.subarray(0, rows),
      invalidLine: columns.invalidLine.subarray(0, rows),
      invalidByte: columns.invalidByte.subarray(0, rows),
    };
  }

  protected recordTooLong(): FastaError {
    const { headerOffsets, line, byte } = this.columns;
    const row = this.rows;
    const header = this.headers.bytes.subarray(headerOffsets[row], headerOffsets[row + 1]);
    return recordTooLong(this.limits, header, line[row], byte[row]);
  }

  #open(): void {
    const row = this.rows;
    this.columns.line[row] = this.line;
    this.columns.byte[row] = this.position;
    this.columns.length[row] = 0;
    this.columns.invalidByte[row] = -1;
    this.isOpen = true;
    this.#inHeader = true;
    this.atLineStart = false;
  }

  #close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.rows += 1;
    this.closeRow();
  }

  #scanHeader(bytes: Uint8Array, start: number): number {
    const found = bytes.indexOf(LF, start);
    const end = found < 0 ? bytes.length : found;
    const { line, byte, headerOffsets } = this.columns;
    if (this.headers.length - headerOffsets[this.rows] + end - start > this.limits.maxHeaderBytes) {
      throw headerTooLong(this.limits, line[this.rows], byte[this.rows]);
    }
    this.headers.appendFrom(bytes, start, end);
    this.position += end - start;
    if (found < 0) return end;
    this.position += 1;
    this.line += 1;
    this.#endHeader();
    return end + 1;
  }

  /** As samtools has it: blanks before an id play no part. */
  #dropBlanks(start: number): void {
    const { headers } = this;
    let id = start;
    while (id < headers.length && BASE_CLASS[headers.bytes[id]] === WHITE_SPACE) id += 1;
    if (id === start) return;
    headers.bytes.copyWithin(start, id, headers.length);
    headers.length -= id - start;
  }

  #endHeader(): void {
    const { headers } = this;
    const { headerOffsets } = this.columns;
    const start = headerOffsets[this.rows];
    if (headers.length > start && headers.bytes[headers.length - 1] === CR) headers.length -= 1;
    if (!this.rule.endsAtPipe) this.#dropBlanks(start);
    headerOffsets[this.rows + 1] = headers.length;
    this.#inHeader = false;
    this.atLineStart = true;
    this.readHeader(start, headers.length);
  }
}

export function headerTooLong(limits: ScanLimits, line: number, byte: number): FastaError {
  return new FastaError(
    `Cannot read ${limits.name}: a header is longer than ${limits.maxHeaderBytes} bytes; ` +
      "longer headers are read by readFasta() with maxHeaderBytes",
    { line, byte },
  );
}

export function recordTooLong(limits: ScanLimits, header: Uint8Array, line: number, byte: number): FastaError {
  const id = new TextDecoder().decode(header.subarray(0, 200)).split(/[\s|]/, 1)[0];
  const remedy = limits.maxRecordBytes < MOST_RECORD_BYTES
    ? "; if that is meant, raise maxRecordBytes (--max-record-bytes), or read without sequences"
    : ", and no more can be kept; read without sequences";
  return new FastaError(
    `Cannot read ${limits.name}: a sequence is longer than ${limits.maxRecordBytes} bytes${remedy}`,
    { line, byte, id },
  );
}
