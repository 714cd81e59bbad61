/** The scanner in plain TypeScript: the reference of the compiled one. */
import { LineScanner } from "../../../../src/core/fasta/scan/line_scanner.ts";
import {
  BREAK_MARK,
  type FastaScanner,
  hashOf,
  NON_ASCII_MARK,
  type ScanLimits,
  type ScannedRows,
} from "../../../../src/core/fasta/scan/scanner.ts";
import {
  BASE_CLASS,
  CR,
  GC_BASE,
  INVALID_BASE,
  LF,
  OTHER_BASE,
  PIPE,
  WHITE_SPACE,
} from "../../../../src/core/fasta/text/bases.ts";
import { GrowingBytes } from "../../../../src/core/fasta/text/growing.ts";

/** Scans FASTA in plain TypeScript. */
export class PlainScanner extends LineScanner implements FastaScanner {
  readonly input = new Uint8Array(1 << 18);
  readonly #sequences: GrowingBytes;
  readonly #sequenceOffsets: Int32Array;
  readonly #gcBases: Float64Array;
  readonly #ambiguous: Float64Array;

  constructor(limits: ScanLimits) {
    super(limits);
    const rows = limits.batchRows;
    this.#sequences = new GrowingBytes(limits.keepsSequences ? Math.min(limits.batchBytes, 1 << 20) : 0);
    this.#sequenceOffsets = new Int32Array(rows + 1);
    this.#gcBases = new Float64Array(rows);
    this.#ambiguous = new Float64Array(rows);
  }

  get isFull(): boolean {
    const { batchRows, batchBytes } = this.limits;
    if (this.isOpen) return false;
    return this.rows >= batchRows || this.#sequences.length >= batchBytes || this.headers.length >= batchBytes;
  }

  scan(bytes: Uint8Array, start: number): number {
    return this.scanText(bytes, start);
  }

  take(): ScannedRows {
    const taken = this.takeColumns();
    const { rows } = taken;
    const bases = { offsets: this.#sequenceOffsets.subarray(0, rows + 1), data: this.#sequences.view() };
    this.#sequences.clear();
    return {
      ...taken,
      sequences: this.limits.keepsSequences ? bases : null,
      gcBases: this.#gcBases.subarray(0, rows),
      ambiguous: this.#ambiguous.subarray(0, rows),
    };
  }

  protected override closeRow(): void {
    this.#sequenceOffsets[this.rows] = this.#sequences.length;
  }

  protected override readHeader(start: number, end: number): void {
    const header = this.headers.bytes.subarray(start, end);
    const { endsAtPipe, hashFactor } = this.rule;
    const found = header.findIndex((byte) => endsAtPipe ? byte === PIPE : BASE_CLASS[byte] === WHITE_SPACE);
    const idLength = found < 0 ? header.length : found;
    const row = this.rows;
    this.columns.idLengths[row] = idLength;
    this.columns.idHashes[row] = hashOf(header, 0, idLength, hashFactor);
    this.columns.valueCounts[row] = header.filter((byte) => byte === PIPE).length + 1;
    this.columns.headerMarks[row] = (header.includes(CR) ? BREAK_MARK : 0) |
      (header.some((byte) => byte > 0x7f) ? NON_ASCII_MARK : 0);
    this.#gcBases[row] = 0;
    this.#ambiguous[row] = 0;
  }

  /** Scans to the end of a line, or of the bytes. */
  protected override scanSequence(bytes: Uint8Array, start: number): number {
    const found = bytes.indexOf(LF, start);
    const end = found < 0 ? bytes.length : found;
    const keeps = this.limits.keepsSequences;
    if (keeps) this.#sequences.reserve(end - start);
    const kept = this.#sequences.bytes;
    const { invalidByte, invalidBase, invalidLine, length: lengths } = this.columns;
    const row = this.rows;
    let out = this.#sequences.length;
    let length = 0;
    let gcBases = 0;
    let ambiguous = 0;
    for (let at = start; at < end; at++) {
      const base = bytes[at];
      const kind = BASE_CLASS[base];
      if (kind === WHITE_SPACE) continue;
      length += 1;
      if (keeps) kept[out++] = base;
      if (kind === GC_BASE) gcBases += 1;
      else if (kind >= OTHER_BASE) {
        ambiguous += 1;
        if (kind === INVALID_BASE && invalidByte[row] < 0) {
          invalidBase[row] = base;
          invalidLine[row] = this.line;
          invalidByte[row] = this.position + at - start;
        }
      }
    }
    this.#sequences.length = out;
    if (keeps && lengths[row] + length > this.limits.maxRecordBytes) throw this.recordTooLong();
    lengths[row] += length;
    this.#gcBases[row] += gcBases;
    this.#ambiguous[row] += ambiguous;
    this.position += end - start;
    this.atLineStart = found >= 0;
    if (found < 0) return end;
    this.position += 1;
    this.line += 1;
    return end + 1;
  }
}
