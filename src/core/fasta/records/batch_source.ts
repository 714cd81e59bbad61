/**
 * Drives a scanner over bytes: reads the text before the first record and the lines that begin with `;`, checks the
 * rows of the scanner, and builds batches of the valid ones.
 */
import type { ByteSource } from "../../io/bytes/byte_source.ts";
import { endsFastaWithReturns, FIRST_LINE_BYTES } from "../../io/bytes/describe_bytes.ts";
import { sourceName } from "../../io/bytes/source_name.ts";
import { ByteInput } from "../scan/byte_input.ts";
import type { FastaBatch, FastaHead } from "../text/fasta_batch.ts";
import { FastaError } from "../text/fasta_error.ts";
import { describeNotFasta } from "../text/not_fasta.ts";
import { FIELDS_PREFIX, parseFieldsLine } from "../text/fields_line.ts";
import { GrowingBytes } from "../text/growing.ts";
import {
  BASE_CLASS,
  beginsInTwoBytes,
  BYTE_ORDER_MARK,
  CR,
  GREATER,
  LF,
  SEMICOLON,
  WHITE_SPACE,
} from "../text/bases.ts";
import { headerTooLong } from "../scan/line_scanner.ts";
import type { Problem } from "../../contract/ledger.ts";
import { ProblemLog } from "./_problem_log.ts";
import type { ReadFastaBatchesOptions } from "../text/read_options.ts";
import type { Ranges } from "../ranges/ranges.ts";
import { RowJudge } from "./_row_judge.ts";
import type { FastaScanner, ScanLimits, ScannedRows } from "../scan/scanner.ts";
import { makeScanner } from "../scan/wasm_scanner.ts";

/** How a source is scanned; tests choose others than the usual one. */
export interface ScanStrategy {
  readonly makeScanner: (limits: ScanLimits) => FastaScanner;
  /** BGZF files of at least this many bytes are decompressed by a worker as well. */
  readonly splitBytes: number;
  /** Approximate uncompressed bytes per range. */
  readonly rangeBytes: number;
}

/**
 * A worker takes some 30 ms to start: what it can save must be more. To a plain file it never does: its reads run in
 * threads of their own, and the counting takes no longer than they.
 */
export const USUAL_STRATEGY: ScanStrategy = {
  makeScanner,
  splitBytes: 16_000_000,
  rangeBytes: 16 << 20,
};

/** Comment lines buffered to report them in file order; beyond this, order is lost. */
const MAX_COMMENTS = 4096;

const PLAIN_HEAD: FastaHead = { kind: "plain", fields: ["id", "description"] };

export class BatchSource {
  readonly log: ProblemLog;
  readonly #limits: ScanLimits;
  readonly #input: ByteInput;
  readonly #signal: AbortSignal | undefined;
  readonly #strategy: ScanStrategy;
  #ranges: Ranges | undefined;
  #chunk: Uint8Array = new Uint8Array(0);
  #at = 0;
  #head: Promise<FastaHead> | undefined;
  #fieldsLine: string | undefined;
  #fields: readonly string[] = [];
  #scanner: FastaScanner | undefined;
  #judge: RowJudge | undefined;
  /** Comment lines since the last batch: they are noted with its rows, in file order. */
  #comments: Problem[] = [];
  #isDone = false;

  constructor(source: ByteSource, options: ReadFastaBatchesOptions, strategy: ScanStrategy = USUAL_STRATEGY) {
    const name = options.name ?? sourceName(source);
    this.#limits = {
      name,
      keepsSequences: options.sequences ?? true,
      batchRows: options.batchRows ?? 16_384,
      batchBytes: options.batchBytes ?? 8 << 20,
      maxRecordBytes: options.maxRecordBytes ?? 1 << 30,
      maxHeaderBytes: options.maxHeaderBytes ?? 1 << 20,
    };
    this.log = new ProblemLog(name, options.maxProblems ?? 1000, options.strict ?? false);
    this.#signal = options.signal;
    this.#strategy = strategy;
    this.#input = new ByteInput(source, {
      name,
      signal: options.signal,
      sha256: options.sha256 ?? false,
      inflates: true,
    });
  }

  /** Bytes read so far, as received: compressed, if the source is. */
  get bytes(): number {
    return this.#input.bytes;
  }

  /** SHA-256 of all bytes, once they are read; `null` before, or when it was not asked for. */
  get sha256(): string | null {
    return this.#isDone ? this.#input.digest() : null;
  }

  /** Reads the text before the first record. */
  head(): Promise<FastaHead> {
    return this.#head ??= this.#readHead();
  }

  /**
   * Yields the batches to the end of the source, then closes it: bytes are scanned to rows, rows are judged. Each batch
   * is valid until the next is asked for.
   */
  async *batches(): AsyncGenerator<FastaBatch> {
    try {
      await this.head();
      // A consumer that works on one batch after the other may not have waited for anything.
      await this.#input.yielder.yieldWhenDue(this.#signal);
      for await (const rows of this.#ranges === undefined ? this.#scanRows() : this.#rowsOfRanges(this.#ranges)) {
        const batch = this.#judgeRows(rows);
        if (batch !== undefined) yield batch;
        await this.#input.yielder.yieldWhenDue(this.#signal);
      }
      this.log.isRead = true;
    } finally {
      await this.close();
    }
  }

  /** Scans the source in this thread. */
  async *#scanRows(): AsyncGenerator<ScannedRows> {
    const scanner = this.#scanner!;
    while (this.#at < this.#chunk.length || this.#fetchNow() || await this.#fetch()) {
      this.#at = scanner.scan(this.#chunk, this.#at);
      if (scanner.isFull) yield scanner.take();
      else if (this.#at < this.#chunk.length) await this.#readSemicolonLine();
    }
    scanner.finish();
    this.#end();
    yield scanner.take();
  }

  /** Takes the rows of ranges, which two threads scan, with the lines between them. */
  async *#rowsOfRanges(ranges: Ranges): AsyncGenerator<ScannedRows> {
    for await (const part of ranges.parts()) {
      this.#signal?.throwIfAborted();
      this.#input.bytes = ranges.scannedBytes;
      if (part === undefined) continue;
      for (const { text, line, byte } of part.remarks) this.#noteSemicolonLine(text, line, byte);
      yield part.rows;
    }
    this.#input.bytes = ranges.scannedBytes;
    this.#signal?.throwIfAborted();
    this.#end();
  }

  #end(): void {
    this.#isDone = true;
    this.log.isCut = this.#input.isCutBgzf;
  }

  async close(): Promise<void> {
    this.#ranges?.close();
    this.#ranges = undefined;
    await this.#input.close();
  }

  /** From a size on, when no bases are kept, a worker inflates its part of a file. */
  async #splitLargeFile(): Promise<void> {
    const file = this.#input.bgzfFile;
    const scanner = this.#scanner!;
    if (this.#limits.keepsSequences || file === undefined) return;
    if (file.size < this.#strategy.splitBytes) return;
    if (navigator.hardwareConcurrency < 2) return;
    await this.#input.leaveToRanges();
    const { Ranges } = await import("../ranges/ranges.ts");
    this.#ranges = new Ranges({
      file: { ...file, begin: scanner.position, limits: this.#limits, rule: this.#judge!.rule },
      line: scanner.line,
      rangeBytes: this.#strategy.rangeBytes,
    });
  }

  #judgeRows(rows: ScannedRows): FastaBatch | undefined {
    const comments = this.#comments;
    this.#comments = [];
    return this.#judge!.judge(rows, comments);
  }

  /** Goes on to the next chunk if it is there without waiting. */
  #fetchNow(): boolean {
    const chunk = this.#input.readNow(this.#scanner!);
    if (chunk === undefined) return false;
    this.#at = 0;
    this.#chunk = chunk;
    return true;
  }

  /** Goes on to the next chunk that is not empty; false at the end. */
  async #fetch(): Promise<boolean> {
    this.#at = 0;
    this.#chunk = await this.#input.read(this.#scanner!) ?? new Uint8Array(0);
    return this.#chunk.length > 0;
  }

  async #readHead(): Promise<FastaHead> {
    const scanner = this.#scanner = this.#strategy.makeScanner(this.#limits);
    let atLineStart = true;
    while (this.#at < this.#chunk.length || await this.#fetch()) {
      const byte = this.#chunk[this.#at];
      const isMark = byte === BYTE_ORDER_MARK[scanner.position];
      const begins = byte === GREATER || byte === SEMICOLON;
      if (scanner.position === 0 && begins && await this.#isOtherText()) throw await this.#notFasta();
      if (atLineStart && byte === GREATER) break;
      if (atLineStart && byte === SEMICOLON) await this.#readSemicolonLine();
      else if (BASE_CLASS[byte] === WHITE_SPACE || isMark) {
        atLineStart = byte === LF || isMark;
        scanner.skip(1, byte === LF ? 1 : 0);
        this.#at += 1;
      } else throw await this.#notFasta();
    }
    const head: FastaHead = this.#fieldsLine === undefined ? PLAIN_HEAD : { kind: "registry", fields: this.#fields };
    this.#judge = new RowJudge(head, this.log);
    scanner.useHeaders(this.#judge.rule);
    if (this.#at < this.#chunk.length) await this.#splitLargeFile();
    return head;
  }

  /** Reads a line that begins with `;`. */
  async #readSemicolonLine(): Promise<void> {
    const { line, position } = this.#scanner!;
    const { text, bytes, lines } = await this.#readLine(line, position);
    this.#noteSemicolonLine(text, line, position);
    this.#scanner!.skip(bytes, lines);
  }

  /** Notes a line that begins with `;`: names of fields, the same once more, or a comment. */
  #noteSemicolonLine(bytes: Uint8Array, line: number, byte: number): void {
    const whole = bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes;
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(whole);
    if (text.startsWith(FIELDS_PREFIX)) return this.#noteFields(text, { name: this.#limits.name, line, byte });
    const reason = "a comment line, skipped";
    this.#comments.push({ line, byte, value: text.slice(0, 200), reason, kept: false });
    if (this.#comments.length < MAX_COMMENTS) return;
    for (const comment of this.#comments) this.log.add("comment", () => comment);
    this.#comments = [];
  }

  #noteFields(text: string, place: { name: string; line: number; byte: number }): void {
    if (text === this.#fieldsLine) return;
    if (text.length > this.#limits.maxHeaderBytes) throw headerTooLong(this.#limits, place.line, place.byte);
    const fields = parseFieldsLine(text, place);
    if (this.#fieldsLine !== undefined || this.#judge !== undefined) {
      const first = this.#fieldsLine ?? "no such line";
      throw new FastaError(
        `Cannot read ${place.name}: ${text.slice(0, 200)} is in the middle, while the file begins with ` +
          `${first.slice(0, 200)}; read the files that were joined one by one`,
        { line: place.line, byte: place.byte },
      );
    }
    this.#fieldsLine = text;
    this.#fields = fields;
  }

  /** @throws {FastaError} As soon as a line of field names is longer than a header may be. */
  async #readLine(line: number, position: number): Promise<{ text: Uint8Array; bytes: number; lines: number }> {
    const kept = new GrowingBytes(256);
    let bytes = 0;
    let lines = 0;
    do {
      const found = this.#chunk.indexOf(LF, this.#at);
      const end = found < 0 ? this.#chunk.length : found;
      const room = this.#limits.maxHeaderBytes + 1 - kept.length;
      kept.append(this.#chunk.subarray(this.#at, Math.min(end, this.#at + room)));
      bytes += end - this.#at;
      this.#at = end;
      if (kept.length > this.#limits.maxHeaderBytes && startsWithFields(kept.view())) {
        throw headerTooLong(this.#limits, line, position);
      }
      if (found < 0) continue;
      this.#at += 1;
      bytes += 1;
      lines = 1;
      break;
    } while (await this.#fetch());
    return { text: kept.view(), bytes, lines };
  }

  async #notFasta(): Promise<FastaError> {
    const head = new GrowingBytes(512);
    const { line, position } = this.#scanner!;
    const most = this.#chunk[this.#at] === SEMICOLON ? FIRST_LINE_BYTES : 512;
    do head.append(this.#chunk.subarray(this.#at, this.#at + most)); while (head.length < most && await this.#fetch());
    return new FastaError(
      `Cannot read ${this.#limits.name} as FASTA: ${describeNotFasta(head.view().subarray(0, most))}`,
      { line, byte: position },
    );
  }

  /** Whether the `>` or `;` at hand begins text of two bytes a character, or of one line for want of line feeds. */
  async #isOtherText(): Promise<boolean> {
    for (let isThere = true; isThere && !this.#holdsFirstLine();) {
      // What a scanner reads into is overwritten by the next bytes.
      const held = this.#chunk.slice(this.#at);
      isThere = await this.#fetch();
      const whole = new Uint8Array(held.length + this.#chunk.length);
      whole.set(held);
      whole.set(this.#chunk, held.length);
      this.#chunk = whole;
    }
    return beginsInTwoBytes(this.#chunk, this.#at) || endsFastaWithReturns(this.#chunk.subarray(this.#at));
  }

  /** Whether the bytes at hand are those of the first line, or enough of it to tell what it is. */
  #holdsFirstLine(): boolean {
    const length = this.#chunk.length - this.#at;
    const most = this.#chunk[this.#at] === SEMICOLON ? FIRST_LINE_BYTES : 512;
    return length >= 4 && (length >= most || this.#chunk.includes(LF, this.#at));
  }
}

function startsWithFields(line: Uint8Array): boolean {
  return new TextDecoder().decode(line.subarray(0, FIELDS_PREFIX.length)) === FIELDS_PREFIX;
}
