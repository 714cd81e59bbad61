/**
 * Scans a part of a file of BGZF: the records whose `>` lies in a range of bytes.
 *
 * Every line that begins with `>` is a header, so a file can be cut at any byte: a range extends from its first header
 * to the first header after it.
 */
import { YIELD_MS } from "../../io/tasks/yield_to_event_loop.ts";
import { GrowingBytes } from "../text/growing.ts";
import { GREATER, LF, SEMICOLON } from "../text/bases.ts";
import type { FastaScanner, HeaderRule, ScanLimits, ScannedRows } from "../scan/scanner.ts";
import { BgzfText } from "../bgzf/bgzf_text.ts";
import { makeScanner } from "../scan/wasm_scanner.ts";
import type { BgzfBlock } from "../bgzf/bgzf_block.ts";

/** Records of a range, as many as fit a batch, and the lines between them that begin with `;`. */
export interface RangePart {
  readonly rows: ScannedRows;
  readonly remarks: readonly Remark[];
}

/** A line that begins with `;`. */
export interface Remark {
  readonly text: Uint8Array;
  readonly line: number;
  readonly byte: number;
}

export interface TextRange {
  /** Its first offset in the text, and the offset after it; infinite up to the end of the file. */
  readonly from: number;
  readonly to: number;
  /** Bytes of the file up to its end. */
  readonly fileBytes: number;
  /** The first block to inflate: the one that holds the byte before the range. */
  readonly block: BgzfBlock;
}

export interface RangeFile {
  /** A path, or the address of a file. */
  readonly path: string;
  /** Offset of the first record; ranges lie behind it. */
  readonly begin: number;
  /** Bytes of the file when it was opened. */
  readonly size: number;
  readonly limits: ScanLimits;
  readonly rule: HeaderRule;
}

/** Scans ranges of one file, each behind the one before. */
export class RangeScan {
  readonly #source: RangeFile;
  readonly #text: BgzfText;
  readonly #scanner: FastaScanner;

  private constructor(source: RangeFile, text: BgzfText) {
    this.#source = source;
    this.#text = text;
    this.#scanner = makeScanner(source.limits);
    this.#scanner.useHeaders(source.rule);
  }

  static open(source: RangeFile): RangeScan {
    const file = Deno.openSync(source.path.startsWith("file:") ? new URL(source.path) : source.path, { read: true });
    return new RangeScan(source, new BgzfText(file, source.limits.name));
  }

  close(): void {
    this.#text.close();
  }

  /**
   * Scans the records whose `>` lies in a range; `line` is the line of the first.
   *
   * @returns The line behind the last record. Parts are valid until the next is asked for; now and then comes none, so
   * that others get a turn while a giant record is scanned.
   * @throws {FastaError} If a header is too long.
   * @throws {GzipError} If a block is damaged.
   */
  *scan(range: TextRange, line: number): Generator<RangePart | undefined, number> {
    const scanner = this.#scanner;
    const { from, to } = range;
    // The byte before a range tells whether its first byte begins a line.
    let position = from === this.#source.begin ? from : from - 1;
    let before = LF;
    let isBegun = false;
    let isDone = false;
    const remarks = new Remarks(this.#source.limits.maxHeaderBytes);
    this.#text.seek(position, range.block);
    let turn = performance.now();
    while (!isDone) {
      if (performance.now() - turn > YIELD_MS) {
        yield undefined;
        turn = performance.now();
      }
      const input = scanner.input;
      const count = this.#text.read(input);
      if (count === 0) break;
      const last = input[count - 1];
      let at = 0;
      let behind = 0;
      if (!isBegun) {
        at = findHeader(input, Math.max(0, from - position), count, before);
        if (at < 0 ? position + count >= to : position + at >= to) return line;
        behind = at + 1;
      }
      if (at >= 0) {
        if (!isBegun) scanner.skip(position + at - scanner.position, line - scanner.line);
        isBegun = true;
        let end = count;
        if (position + count > to) {
          const stop = findHeader(input, Math.max(behind, to - position), count, before);
          if (stop >= 0) [end, isDone] = [stop, true];
        }
        const bytes = input.subarray(0, end);
        while (at < end) {
          if (remarks.isOpen) at = remarks.read(bytes, at, scanner);
          else at = scanner.scan(bytes, at);
          if (scanner.isFull) yield { rows: scanner.take(), remarks: remarks.take() };
          else if (at < end && !remarks.isOpen && bytes[at] === SEMICOLON) remarks.open(scanner);
        }
      }
      before = last;
      position += count;
    }
    scanner.finish();
    yield { rows: scanner.take(), remarks: remarks.take() };
    return scanner.line;
  }
}

/** Reads lines that begin with `;`, which may extend over several chunks of the file. */
class Remarks {
  readonly #maxBytes: number;
  #read: { text: GrowingBytes; line: number; byte: number }[] = [];
  /** Whether the last one has not met its line end. */
  isOpen = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  open({ line, position }: FastaScanner): void {
    this.#read.push({ text: new GrowingBytes(256), line, byte: position });
    this.isOpen = true;
  }

  read(bytes: Uint8Array, at: number, scanner: FastaScanner): number {
    const { text } = this.#read[this.#read.length - 1];
    const found = bytes.indexOf(LF, at);
    const end = found < 0 ? bytes.length : found;
    // One byte more than the limit shows the reader that it is too long.
    text.append(bytes.subarray(at, Math.min(end, at + this.#maxBytes + 1 - text.length)));
    this.isOpen = found < 0;
    const next = this.isOpen ? end : end + 1;
    scanner.skip(next - at, this.isOpen ? 0 : 1);
    return next;
  }

  take(): Remark[] {
    const read = this.#read.map(({ text, line, byte }) => ({ text: text.view().slice(), line, byte }));
    this.#read = [];
    return read;
  }
}

/**
 * Finds a `>` at the beginning of a line, from an offset on; -1 if not found. `before` is the byte before the first.
 */
function findHeader(bytes: Uint8Array, from: number, end: number, before: number): number {
  for (let at = from;; at++) {
    at = bytes.indexOf(GREATER, at);
    if (at < 0 || at >= end) return -1;
    if ((at === 0 ? before : bytes[at - 1]) === LF) return at;
  }
}
