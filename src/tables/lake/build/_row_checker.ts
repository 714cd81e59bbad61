/**
 * Checks the rows of a large CSV byte by byte and passes them on as they are.
 *
 * The encoder of parts takes rows as they come and asks nothing of them. So whole rows go through here first: good ones
 * pass untouched, odd but readable ones are written anew, unreadable ones are left out and named. The look at each byte
 * is WebAssembly's (`kernel/rows.as.ts`).
 */
import { isUtf8 } from "node:buffer";
import { ParseError } from "../../../errors.ts";
import { MarkFilter } from "../../../io/bytes/byte_order_mark.ts";
import {
  countFeeds,
  firstInvalid,
  longCell,
  MAX_QUOTED_LINES_BYTES,
  NOT_UTF8,
  OPEN_CELL,
  strayText,
} from "../../../io/csv/csv_faults.ts";
import { CsvSplitter } from "../../../io/csv/csv_splitter.ts";
import { csvRow } from "../../../io/csv/csv_text.ts";
import { type KernelNumber, startKernel } from "../../../io/tasks/wasm_kernel.ts";
import { isAccession } from "../../../contract/accession.ts";
import type { Problem } from "../../../contract/ledger.ts";
import { quoteValue } from "../../types/columns.ts";
import { checkHeader } from "../../from/from_csv.ts";
import { WASM_BASE64 } from "../../kernel/rows_wasm.ts";

/** What a checker tells while it reads. */
export interface RowSink {
  /** Takes the names of the columns, before any row; may say of what kind each is. */
  onHeader(names: readonly string[]): readonly number[] | void;
  /**
   * Takes bytes of whole rows, or bytes up to a place in a row, which complete no row; they are valid until it returns.
   */
  onRows(bytes: Uint8Array, rows: number): void;
  /** Takes a cell that is not written plainly as the kind of its column is, and says what stands there instead. */
  onOddCell?(column: number, row: number, text: string): string;
  /** Takes an odd cell of more than 4,096 bytes in place of its text, which is not made then. */
  onLongCell?(column: number): void;
  /** Takes a fault: a row that was left out, or a NUL that was kept. */
  onProblem(problem: Problem): void;
}

const LF = 10;
const CR = 13;

/** What the kernel exports; see `kernel/rows.as.ts`. */
interface RowsKernel {
  readonly memory: WebAssembly.Memory;
  readonly at: KernelNumber;
  readonly rowStart: KernelNumber;
  readonly line: KernelNumber;
  readonly feeds: KernelNumber;
  readonly openedFeeds: KernelNumber;
  readonly maxQuoted: { value: number };
  readonly quoted: KernelNumber;
  readonly nul: KernelNumber;
  readonly odds: KernelNumber;
  readonly oddCells: KernelNumber;
  readonly space: KernelNumber;
  readonly MAX_KINDS: KernelNumber;
  setKind(column: number, kind: number): void;
  setKinds(columns: number): void;
  begin(place: number): void;
  resume(line: number, cells: number): void;
  setWidth(cells: number): void;
  takeRows(): number;
  moveBack(bytes: number): void;
  nextRow(): void;
  scan(end: number, isLast: number): number;
}

/** What the kernel's `scan` answers. */
const UNUSUAL = 1;
const STRAY = 2;
const FULL = 3;
const LONG = 4;

/** Numbers that stand for one odd cell. */
const ODD_NUMBERS = 4;
const QUOTE = 34;
/** Bytes of a text that is put together character by character. */
const SHORT_BYTES = 24;

/** Bytes from which a cell is long. */
const LONG_BYTES = 4096;

const PAGE_BYTES = 65536;
/** The kernel reads up to 15 bytes beyond the end. */
const SLACK_BYTES = 64;
/** Places in memory are numbers of 31 bits. */
const MAX_ROW_BYTES = 2_000_000_000;

function startRows(): RowsKernel {
  const exports = startKernel(WASM_BASE64)?.exports;
  if (!isRowsKernel(exports)) throw new TypeError("Cannot use the compiled row checker: build it anew");
  const { memory, space } = exports;
  memory.grow(Math.max(0, Math.ceil((space.value + SLACK_BYTES - memory.buffer.byteLength) / PAGE_BYTES)));
  exports.maxQuoted.value = MAX_QUOTED_LINES_BYTES;
  exports.begin(space.value);
  return exports;
}

function isRowsKernel(exports: unknown): exports is RowsKernel {
  return typeof exports === "object" && exports !== null && "memory" in exports && "scan" in exports &&
    "setKind" in exports && exports.memory instanceof WebAssembly.Memory;
}

/** One CSV on its way through. */
export class RowChecker {
  readonly #sink: RowSink;
  readonly #name: string;
  readonly #mark = new MarkFilter();
  /** Splits the rows that the kernel does not know as usual. */
  readonly #unusualRows = new CsvSplitter();
  #kernel = startRows();
  #memory: Uint8Array;
  #end: number;
  #kinds: readonly number[] = [];
  #width = 0;
  #rows = 0;
  #unparsed = 0;

  constructor(sink: RowSink, name: string) {
    this.#sink = sink;
    this.#name = name;
    this.#memory = new Uint8Array(this.#kernel.memory.buffer);
    this.#end = this.#base;
  }

  /** Where rows begin in the kernel's memory. */
  get #base(): number {
    return this.#kernel.space.value;
  }

  /** Rows passed on. */
  get rows(): number {
    return this.#rows;
  }

  /** Rows left out. */
  get unparsed(): number {
    return this.#unparsed;
  }

  /** Line of the row under way, counted from 1. */
  get line(): number {
    return this.#kernel.line.value;
  }

  /** Takes the next bytes, which it copies. */
  push(chunk: Uint8Array): void {
    this.#push(this.#mark.push(chunk));
  }

  #push(chunk: Uint8Array): void {
    if (this.#end + chunk.length + SLACK_BYTES > this.#memory.length) this.#makeRoom(chunk.length);
    this.#memory.set(chunk, this.#end);
    this.#end += chunk.length;
    this.#scan(0);
  }

  /** Ends: what is left is the last row. @throws {ParseError} If the file is empty or a quoted cell never ends. */
  finish(): void {
    this.#push(this.#mark.finish());
    const { rowStart, quoted } = this.#kernel;
    if (this.#end > rowStart.value && this.#memory[this.#end - 1] !== LF || quoted.value !== 0) {
      this.#push(Uint8Array.of(LF));
    }
    this.#scan(1);
    if (quoted.value !== 0 || rowStart.value < this.#end) throw this.#fault(OPEN_CELL, this.#openLine);
    if (this.#width === 0) throw this.#fault("it is empty, expected a header line", 1);
  }

  /** Bytes of memory that are held. */
  get heldBytes(): number {
    return this.#memory.length;
  }

  /** Gives memory back that a long row took. A kernel's memory never shrinks: a new one begins at the row under way. */
  shrink(): void {
    const { rowStart, line } = this.#kernel;
    // The row under way needs it: a new kernel for each chunk of a long row would leave as much memory behind each
    // time.
    if (2 * (this.#end - rowStart.value) > this.#memory.length) return;
    const rest = this.#memory.slice(rowStart.value, this.#end);
    const atLine = line.value;
    this.#kernel = startRows();
    this.#kernel.resume(atLine, this.#width);
    this.#setKinds();
    this.#memory = new Uint8Array(this.#kernel.memory.buffer);
    this.#end = this.#base;
    this.#push(rest);
  }

  /** Line on which the quoted cell under way, or the last one, opened. */
  get #openLine(): number {
    return this.line + this.#kernel.openedFeeds.value;
  }

  /** Says anew of what kind each column is; what was read before is not looked at again. */
  changeKinds(kinds: readonly number[]): void {
    this.#kinds = kinds;
    this.#setKinds();
  }

  #setKinds(): void {
    this.#kinds.forEach((kind, column) => this.#kernel.setKind(column, kind));
    this.#kernel.setKinds(this.#kinds.length);
  }

  /** Moves the row that is under way to the front, and makes the memory larger if need be. */
  #makeRoom(bytes: number): void {
    const start = this.#kernel.rowStart.value;
    const back = start - this.#base;
    this.#memory.copyWithin(this.#base, start, this.#end);
    this.#end -= back;
    this.#kernel.moveBack(back);
    const wanted = this.#end + bytes + SLACK_BYTES;
    if (wanted > MAX_ROW_BYTES) throw this.#fault(`a row of more than ${MAX_ROW_BYTES} bytes`, this.line);
    if (wanted <= this.#memory.length) return;
    // Half as much again, so that a cell of hundreds of megabytes is not moved for every chunk.
    const more = Math.max(wanted - this.#memory.length, Math.min(this.#memory.length >> 1, 1 << 26));
    this.#kernel.memory.grow(Math.ceil(more / PAGE_BYTES));
    this.#memory = new Uint8Array(this.#kernel.memory.buffer);
  }

  #scan(isLast: 0 | 1): void {
    const kernel = this.#kernel;
    for (;;) {
      const start = kernel.rowStart.value;
      const line = kernel.line.value;
      const status = kernel.scan(this.#end, isLast);
      const rowStart = kernel.rowStart.value;
      const odds = kernel.odds.value;
      this.#pass(start, rowStart, { rows: kernel.takeRows(), odds, line });
      if (status === FULL) continue;
      if (status === STRAY) {
        throw this.#fault(strayText(this.#openLine, this.line + kernel.feeds.value), this.#openLine);
      }
      if (status === LONG) throw this.#fault(longCell(), this.#openLine);
      if (status !== UNUSUAL) return;
      const row = this.#memory.subarray(rowStart, kernel.at.value);
      const isEmpty = row.length === 1 || row.length === 2 && row[0] === CR;
      if (!isEmpty) this.#unusual(row);
      kernel.nextRow();
    }
  }

  /** Passes usual rows, which begin on a line. */
  #pass(
    start: number,
    end: number,
    { rows, odds, line }: { readonly rows: number; readonly odds: number; readonly line: number },
  ): void {
    if (rows === 0) return;
    this.#checkText(this.#memory.subarray(start, end), line);
    const rowsBefore = this.#rows;
    this.#rows += rows;
    const from = odds === 0 ? start : this.#passOddCells(start, { rowsBefore, odds });
    this.#sink.onRows(this.#memory.subarray(from, end), rows);
  }

  /**
   * Passes what stands before and in the odd cells, and gives the place behind the last that stands differently now.
   */
  #passOddCells(start: number, { rowsBefore, odds }: { readonly rowsBefore: number; readonly odds: number }): number {
    const numbers = new Int32Array(this.#kernel.memory.buffer, this.#kernel.oddCells.value, odds * ODD_NUMBERS);
    let from = start;
    for (let at = 0; at < numbers.length; at += ODD_NUMBERS) {
      if (this.#kinds[numbers[at]] === 0) continue;
      const [cellStart, cellEnd] = [numbers[at + 2], numbers[at + 3]];
      if (this.#sink.onLongCell !== undefined && cellEnd - cellStart > LONG_BYTES) {
        this.#sink.onLongCell(numbers[at]);
        continue;
      }
      const text = this.#cellText(cellStart, cellEnd);
      const settled = this.#settle(numbers[at], rowsBefore + numbers[at + 1] + 1, text);
      if (settled === text) continue;
      this.#sink.onRows(this.#memory.subarray(from, cellStart), 0);
      const written = this.#width === 1 ? csvRow([settled]) : csvRow([settled, ""]).slice(0, -1);
      if (written !== "") this.#sink.onRows(new TextEncoder().encode(written), 0);
      from = cellEnd;
    }
    return from;
  }

  /** A cell as text, without its quotes. */
  #cellText(start: number, end: number): string {
    const isQuoted = this.#memory[start] === QUOTE;
    if (!isQuoted && end - start <= SHORT_BYTES) {
      // A decoder takes longer for its call than for such a text.
      let text = "";
      let at = start;
      for (; at < end && this.#memory[at] < 128; at++) text += String.fromCharCode(this.#memory[at]);
      if (at === end) return text;
    }
    const text = decoder.decode(this.#memory.subarray(start, end));
    return isQuoted ? text.slice(1, -1).replaceAll('""', '"') : text;
  }

  #settle(column: number, row: number, text: string): string {
    return this.#sink.onOddCell?.(column, row, text) ?? text;
  }

  /** A row that is the header, has an odd form or the wrong width, or holds a NUL. */
  #unusual(bytes: Uint8Array): void {
    this.#checkText(bytes, this.line);
    const [{ cells }] = this.#unusualRows.push(bytes).texts();
    if (this.#width === 0) {
      checkHeader(cells, this.#name);
      this.#width = cells.length;
      this.#kernel.setWidth(cells.length);
      const most = this.#kernel.MAX_KINDS.value;
      if (cells.length > most) throw this.#fault(`it has ${cells.length} columns, expected at most ${most}`, 1);
      this.#kinds = this.#sink.onHeader(cells) ?? [];
      this.#setKinds();
      return;
    }
    if (cells.length !== this.#width) {
      this.#unparsed++;
      const id = cells.find(isAccession);
      this.#sink.onProblem({
        line: this.line,
        ...id !== undefined && { id },
        value: quoteValue(cells.join(",").slice(0, 1000)),
        reason: `the row has ${cells.length} cells, the header has ${this.#width}`,
        kept: false,
      });
      return;
    }
    this.#rows++;
    const settled = cells.map((cell, column) => this.#kinds[column] ? this.#settle(column, this.#rows, cell) : cell);
    this.#sink.onRows(new TextEncoder().encode(`${csvRow(settled)}\n`), 1);
    for (const text of this.#kernel.nul.value !== 0 ? cells.filter((cell) => cell.includes("\0")) : []) {
      const id = cells.find(isAccession);
      this.#sink.onProblem({
        row: this.#rows,
        line: this.line,
        ...id !== undefined && { id },
        value: quoteValue(text),
        reason: "holds a NUL character",
        kept: true,
      });
    }
  }

  #checkText(bytes: Uint8Array, line: number): void {
    if (isUtf8(bytes)) return;
    throw this.#fault(NOT_UTF8, line + countFeeds(bytes.subarray(0, firstInvalid(bytes))));
  }

  #fault(message: string, line: number): ParseError {
    return new ParseError(`Cannot read ${this.#name}: ${message}`, { line });
  }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
