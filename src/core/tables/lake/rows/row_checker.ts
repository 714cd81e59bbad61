/**
 * Checks the rows of a large CSV byte by byte.
 *
 * The encoder of parts relies on well-formed rows: valid UTF-8, and as many cells as the header. Rows of the usual form
 * come out as they are in the file; a readable row of another form is written anew; a row of another width is left out
 * and named. The look at each byte is WebAssembly's (`wasm/rows.as.ts`).
 */
import { isUtf8 } from "node:buffer";
import { ParseError } from "../../../errors.ts";
import { MarkFilter } from "../../../io/bytes/byte_order_mark.ts";
import { countFeeds, firstInvalid, longCell, NOT_UTF8, OPEN_CELL, strayText } from "../../../io/csv/csv_faults.ts";
import { CsvSplitter } from "../../../io/csv/csv_splitter.ts";
import { isAccession } from "../../../contract/accession.ts";
import { type Problem, quoteValue } from "../../../contract/ledger.ts";
import { checkHeader } from "../../../io/csv/check_header.ts";
import { cellsOfWidth, hasNoValue, raggedRow } from "../../../io/csv/row_values.ts";
import { PAGE_BYTES, SLACK_BYTES, startRowsRoutines, STATUS } from "./_rows_routines.ts";
import { CELL_NUMBERS, type CheckedRows, writeRow } from "./checked_rows.ts";

const LF = 10;
const CR = 13;

/** Offsets in memory are numbers of 31 bits. */
const MAX_ROW_BYTES = 2_000_000_000;
/** Problems that are described; all unreadable rows are counted. */
const MAX_PROBLEMS = 1000;
const NO_CELLS = new Int32Array(0);

/**
 * One CSV on its way through: bytes are pushed, the header is read, then rows are taken until more bytes are needed.
 */
export class RowChecker {
  readonly #name: string;
  readonly #mark = new MarkFilter();
  /** Splits the rows that the module does not know as usual. */
  readonly #unusualRows = new CsvSplitter();
  readonly #problems: Problem[] = [];
  #routines = startRowsRoutines();
  #memory: Uint8Array;
  #end: number;
  #isEnded = false;
  #kinds: readonly number[] = [];
  #header: readonly string[] | undefined;
  #rows = 0;
  #unparsed = 0;
  #isVerbatim = true;

  constructor(name: string) {
    this.#name = name;
    this.#memory = new Uint8Array(this.#routines.memory.buffer);
    this.#end = this.#base;
  }

  /** Where rows begin in the module's memory. */
  get #base(): number {
    return this.#routines.space.value;
  }

  get rows(): number {
    return this.#rows;
  }

  get unparsed(): number {
    return this.#unparsed;
  }

  /** Whether the rows so far stand in the file as they came out, one after the other. */
  get isVerbatim(): boolean {
    return this.#isVerbatim;
  }

  /** The first 1,000 faults: rows that were left out, and NUL characters that were kept. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** Line of the row under way, counted from 1. */
  get #line(): number {
    return this.#routines.line.value;
  }

  /** Line on which the quoted cell under way, or the last one, opened. */
  get #openLine(): number {
    return this.#line + this.#routines.openedFeeds.value;
  }

  /** Copies the next bytes. All rows that ended before them have been taken. */
  push(chunk: Uint8Array): void {
    this.#copy(this.#mark.push(chunk));
  }

  /** No bytes follow: what is left is the last row. All rows that ended before it have been taken. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#copy(this.#mark.finish());
    const { rowStart, quoted } = this.#routines;
    if (this.#end > rowStart.value && this.#memory[this.#end - 1] !== LF || quoted.value !== 0) {
      this.#copy(Uint8Array.of(LF));
    }
  }

  #copy(chunk: Uint8Array): void {
    if (this.#end + chunk.length + SLACK_BYTES > this.#memory.length) this.#makeRoom(chunk.length);
    this.#memory.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /**
   * Reads the names of the columns, before any row is taken; `undefined` until the first row is complete.
   *
   * @throws {ParseError} If the file is empty, a name is empty or stands twice, or a quoted cell never ends.
   */
  readHeader(): readonly string[] | undefined {
    // While the width is unknown, the module stops after every row.
    while (this.#header === undefined) {
      const status = this.#scan();
      this.#throwFault(status);
      if (status !== STATUS.unusual) {
        if (!this.#isEnded) return undefined;
        this.#checkEnd();
        throw this.#fault("it is empty, expected a header line", 1);
      }
      const cells = this.#unusualCells();
      if (cells !== undefined) this.#useHeader(cells);
      this.#routines.nextRow();
    }
    return this.#header;
  }

  #useHeader(cells: readonly string[]): void {
    checkHeader(cells, this.#name);
    const most = this.#routines.MAX_KINDS.value;
    if (cells.length > most) throw this.#fault(`it has ${cells.length} columns, expected at most ${most}`, 1);
    this.#header = cells;
    this.#routines.setWidth(cells.length);
  }

  /** Sets the kind of each column, by which cells are listed: those that are not canonical for it; 0 lists none. */
  setKinds(kinds: readonly number[]): void {
    this.#kinds = kinds;
    kinds.forEach((kind, column) => this.#routines.setKind(column, kind));
    this.#routines.setKinds(kinds.length);
  }

  /**
   * Takes the rows that are complete, after the header.
   *
   * @throws {ParseError} If text follows a closing quote, a quoted cell is too long or never ends, or bytes are not
   * UTF-8; rows before the fault come first.
   */
  *take(): Generator<CheckedRows> {
    for (;;) {
      const start = this.#routines.rowStart.value;
      const line = this.#line;
      const status = this.#scan();
      const cells = this.#routines.listed.value;
      const rows = this.#routines.takeRows();
      if (rows > 0) yield this.#usualRows(start, line, rows, cells);
      this.#throwFault(status);
      if (status === STATUS.full) continue;
      if (status !== STATUS.unusual) break;
      this.#isVerbatim = false;
      const texts = this.#unusualCells();
      const row = texts && this.#unusualRow(texts);
      if (row !== undefined) yield row;
      this.#routines.nextRow();
    }
    if (this.#isEnded) this.#checkEnd();
  }

  #scan(): number {
    return this.#routines.scan(this.#end, Number(this.#isEnded));
  }

  #throwFault(status: number): void {
    if (status === STATUS.long) throw this.#fault(longCell(), this.#openLine);
    if (status !== STATUS.stray) return;
    throw this.#fault(strayText(this.#openLine, this.#line + this.#routines.feeds.value), this.#openLine);
  }

  #checkEnd(): void {
    const { quoted, rowStart } = this.#routines;
    if (quoted.value !== 0 || rowStart.value < this.#end) throw this.#fault(OPEN_CELL, this.#openLine);
  }

  /** Rows of the usual form from `start` on, which begin on a line. */
  #usualRows(start: number, line: number, rows: number, cells: number): CheckedRows {
    const bytes = this.#memory.subarray(start, this.#routines.rowStart.value);
    this.#checkText(bytes, line);
    const firstRow = this.#rows + 1;
    this.#rows += rows;
    return { bytes, rows, firstRow, nextLine: this.#line, cells: this.#listedCells(start, cells) };
  }

  /** The cells that the module has listed, by their offsets from `start`. */
  #listedCells(start: number, count: number): Int32Array {
    if (count === 0) return NO_CELLS;
    const listed = new Int32Array(this.#routines.memory.buffer, this.#routines.listedCells.value, count * CELL_NUMBERS);
    const cells = new Int32Array(listed.length);
    let to = 0;
    for (let at = 0; at < listed.length; at += CELL_NUMBERS) {
      if (this.#kinds[listed[at]] === 0) continue;
      cells[to] = listed[at];
      cells[to + 1] = listed[at + 1];
      cells[to + 2] = listed[at + 2] - start;
      cells[to + 3] = listed[at + 3] - start;
      to += CELL_NUMBERS;
    }
    return cells.subarray(0, to);
  }

  /** Cells of the row on which the module stopped; `undefined` for an empty line. */
  #unusualCells(): readonly string[] | undefined {
    const { rowStart, at } = this.#routines;
    const bytes = this.#memory.subarray(rowStart.value, at.value);
    if (bytes.length === 1 || bytes.length === 2 && bytes[0] === CR) return undefined;
    this.#checkText(bytes, this.#line);
    return this.#unusualRows.push(bytes).texts()[0].cells;
  }

  /** A row of an unusual form, written anew; `undefined` for one without a value, or of the wrong width. */
  #unusualRow(texts: readonly string[]): CheckedRows | undefined {
    const width = this.#header!.length;
    if (hasNoValue(texts)) return undefined;
    const cells = cellsOfWidth(texts, width);
    if (cells === undefined) {
      this.#unparsed++;
      this.#note(texts, {
        value: quoteValue(texts.join(",").slice(0, 1000)),
        reason: raggedRow(texts.length, width),
        kept: false,
      });
      return undefined;
    }
    this.#rows++;
    for (const text of this.#routines.nul.value !== 0 ? cells.filter((text) => text.includes("\0")) : []) {
      this.#note(cells, { row: this.#rows, value: quoteValue(text), reason: "holds a NUL character", kept: true });
    }
    return { ...writeRow(cells, this.#kinds), rows: 1, firstRow: this.#rows, nextLine: this.#line };
  }

  #note(texts: readonly string[], problem: Problem): void {
    if (this.#problems.length === MAX_PROBLEMS) return;
    const id = texts.find(isAccession);
    this.#problems.push({ line: this.#line, ...id !== undefined && { id }, ...problem });
  }

  get heldBytes(): number {
    return this.#memory.length;
  }

  /**
   * Releases memory that a long row took, when all complete rows have been taken. A module's memory never shrinks: a
   * new one begins at the row under way.
   *
   * @returns Whether it did: not while the row under way needs the memory, or each chunk of that row would leave as
   * much behind.
   */
  shrink(): boolean {
    const { rowStart, line } = this.#routines;
    if (2 * (this.#end - rowStart.value) > this.#memory.length) return false;
    const rest = this.#memory.slice(rowStart.value, this.#end);
    const atLine = line.value;
    this.#routines = startRowsRoutines();
    this.#routines.resume(atLine, this.#header?.length ?? 0);
    this.setKinds(this.#kinds);
    this.#memory = new Uint8Array(this.#routines.memory.buffer);
    this.#end = this.#base;
    this.#copy(rest);
    this.#scan();
    return true;
  }

  /** Moves the row that is under way to the front, and makes the memory larger if need be. */
  #makeRoom(bytes: number): void {
    const start = this.#routines.rowStart.value;
    const back = start - this.#base;
    this.#memory.copyWithin(this.#base, start, this.#end);
    this.#end -= back;
    this.#routines.moveBack(back);
    const wanted = this.#end + bytes + SLACK_BYTES;
    if (wanted > MAX_ROW_BYTES) throw this.#fault(`a row of more than ${MAX_ROW_BYTES} bytes`, this.#line);
    if (wanted <= this.#memory.length) return;
    // Half as much again, so that a cell of hundreds of megabytes is not moved for every chunk.
    const more = Math.max(wanted - this.#memory.length, Math.min(this.#memory.length >> 1, 1 << 26));
    this.#routines.memory.grow(Math.ceil(more / PAGE_BYTES));
    this.#memory = new Uint8Array(this.#routines.memory.buffer);
  }

  #checkText(bytes: Uint8Array, line: number): void {
    if (isUtf8(bytes)) return;
    throw this.#fault(NOT_UTF8, line + countFeeds(bytes.subarray(0, firstInvalid(bytes))));
  }

  #fault(message: string, line: number): ParseError {
    return new ParseError(`Cannot read ${this.#name}: ${message}`, { line });
  }
}
