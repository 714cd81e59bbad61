/**
 * The one rule by which text becomes rows and cells: RFC 4180, read strictly where it matters and leniently elsewhere.
 *
 * Own code instead of `@std/csv`: `deno task bench own_code`, row "CSV to rows".
 *
 * - A quote opens a quoted cell only as the first byte of a cell. Elsewhere it is a character: `5" pipe` is one value.
 * - In a quoted cell two quotes are one, and one is its end: a separator or the end of the row has to follow.
 * - Rows end with LF or CRLF, the last with neither; an empty line is not a row; a carriage return elsewhere is a
 *   character; a byte order mark before everything is dropped.
 *
 * Each byte is examined once, in chunks of any size: the current row is buffered in unquoted form. The row checker of
 * lakes implements the same rules sixteen bytes at a time (`tables/wasm/rows.as.ts`); a test compares the two.
 */
import { isUtf8 } from "node:buffer";
import { ParseError } from "../../errors.ts";
import { TextFormError } from "../bytes/text_form_error.ts";
import { BYTE_ORDER_MARK, MarkFilter } from "../bytes/byte_order_mark.ts";
import {
  countFeeds,
  firstInvalid,
  longCell,
  MAX_QUOTED_LINES_BYTES,
  NOT_UTF8,
  OPEN_CELL,
  strayText,
} from "./csv_faults.ts";
import type { CsvCells, CsvRow, CsvRows } from "./split_rows.ts";

export interface CsvSplitterOptions {
  /** One ASCII character between cells (default: a comma). */
  readonly separator?: string;
  /**
   * Whether a quote at the start of a cell opens a quoted one (default: true); in tables with tabs it often does not.
   */
  readonly quotes?: boolean;
  /** Named in errors. */
  readonly name?: string;
}

const LF = 10;
const CR = 13;
const QUOTE = 34;
const ESCAPE = 0x1b;
const RECORD = 0x1e;
const UNIT = 0x1f;

/** Where in a row the next byte stands. */
const CELL_START = 0;
const UNQUOTED = 1;
const QUOTED = 2;
/** After a quote in a quoted cell. */
const CLOSING = 3;
/** After a carriage return behind a quoted cell. */
const CLOSED_BY_CR = 4;

/** Bytes of memory that are kept for the next chunk: more than a usual one needs. */
const KEPT_BYTES = 8 << 20;
/** Bytes of a cell that are copied one by one: a longer cell is searched and copied by the engine. */
const SHORT_BYTES = 64;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Splits one CSV, chunk by chunk. */
export class CsvSplitter {
  readonly #separator: number;
  readonly #quotes: boolean;
  readonly #name: string;
  #state = CELL_START;
  readonly #mark = new MarkFilter();
  /** Unquoted cells: of the rows that ended, then of the row under way. */
  #bytes = new Uint8Array(0);
  #length = 0;
  #ends = new Uint32Array(1 << 10);
  #cells = 0;
  /** For each row that ended: its cells and those before it, and its line. */
  #rowCells = new Uint32Array(1 << 8);
  #rowLines = new Float64Array(1 << 8);
  #rows = 0;
  /** Where the row under way begins among bytes and cells. */
  #rowStart = 0;
  #rowCell = 0;
  #rowLine = 1;
  #line = 1;
  /** Bytes pushed before this chunk. */
  #offset = 0;
  /** Where the quoted cell under way, or the last one, opened, and where its last quote stands. */
  #openLine = 1;
  #openOffset = 0;
  #closeOffset = 0;
  /** Offset behind the first row that ended. */
  #firstRowEnd = -1;
  /** Whether the chunk of the row under way held a byte that stands between cells. */
  #mixed = false;
  /** Where the next line feed and the next separator of this chunk stand, as far as they were searched for. */
  #nextFeed = -1;
  #nextSeparator = -1;
  #fault: ParseError | undefined;

  constructor({ separator = ",", quotes = true, name = "the CSV" }: CsvSplitterOptions = {}) {
    this.#separator = separator.charCodeAt(0);
    if (separator.length !== 1 || this.#separator > 127 || [LF, CR, QUOTE].includes(this.#separator)) {
      throw new RangeError(`Cannot split cells at ${JSON.stringify(separator)}: expected one ASCII character`);
    }
    this.#quotes = quotes;
    this.#name = name;
  }

  /** Bytes up to and with the end of the first row; -1 while it has not ended. */
  get firstRowEnd(): number {
    return this.#firstRowEnd === -1 ? -1 : this.#firstRowEnd + (this.#mark.found ? BYTE_ORDER_MARK.length : 0);
  }

  /**
   * Takes the next bytes, which it does not keep.
   *
   * @returns Rows that end in them; rows before a fault come first.
   * @throws {ParseError} If text follows a closing quote, a quoted cell is too long, or the bytes are not UTF-8.
   */
  push(chunk: Uint8Array): CsvRows {
    this.#throwFault();
    const text = this.#mark.push(chunk);
    this.#begin(text);
    this.#split(text);
    return this.#take();
  }

  /** Ends: the row under way is the last. @throws {ParseError} If a quoted cell is still open, and as `push()` does. */
  finish(): CsvRows {
    this.#throwFault();
    const held = this.#mark.finish();
    this.#begin(held);
    this.#split(held);
    if (this.#state === QUOTED) this.#fault = this.#error(OPEN_CELL, this.#openLine);
    else if (this.#state !== CELL_START || this.#cells > this.#rowCell) {
      this.#endRow(this.#offset, this.#state !== UNQUOTED && this.#state !== CELL_START);
    }
    return this.#take();
  }

  #throwFault(): void {
    if (this.#fault !== undefined) throw this.#fault;
  }

  /** Drops the rows that were taken and makes room for a chunk. */
  #begin(chunk: Uint8Array): void {
    const [start, cell] = [this.#rowStart, this.#rowCell];
    const wanted = this.#length - start + chunk.length + 4;
    const isTooLarge = this.#bytes.length > KEPT_BYTES && wanted < KEPT_BYTES;
    if (wanted > this.#bytes.length || isTooLarge) {
      const bytes = new Uint8Array(wanted > KEPT_BYTES ? Math.ceil(wanted * 1.5) : wanted);
      bytes.set(this.#bytes.subarray(start, this.#length));
      this.#bytes = bytes;
    } else this.#bytes.copyWithin(0, start, this.#length);
    this.#length -= start;
    this.#ends.copyWithin(0, cell, this.#cells);
    this.#cells -= cell;
    for (let index = 0; start > 0 && index < this.#cells; index++) this.#ends[index] -= start;
    this.#rowStart = this.#rowCell = this.#rows = 0;
    const holds = (byte: number) => chunk.includes(byte);
    this.#mixed = this.#mixed && this.#length > 0 || holds(ESCAPE) || holds(RECORD) || holds(UNIT);
  }

  #split(chunk: Uint8Array): void {
    this.#nextFeed = this.#nextSeparator = -1;
    const separator = this.#separator;
    const end = chunk.length;
    const bytes = this.#bytes;
    let state = this.#state;
    let length = this.#length;
    let at = 0;
    while (at < end) {
      if (state === CELL_START) {
        if (this.#quotes && chunk[at] === QUOTE) {
          this.#openLine = this.#line;
          this.#openOffset = this.#offset + at;
          state = QUOTED;
          at++;
          continue;
        }
        state = UNQUOTED;
      }
      if (state === UNQUOTED) {
        let byte = 0;
        let short = Math.min(end, at + SHORT_BYTES);
        for (;;) {
          for (; at < short; at++) {
            byte = chunk[at];
            if (byte === separator || byte === LF) break;
            bytes[length++] = byte;
          }
          if (at < short || at === end) break;
          const stop = this.#nextEnd(chunk, at);
          bytes.set(chunk.subarray(at, stop), length);
          length += stop - at;
          at = stop;
          short = Math.min(end, at + 1);
        }
        if (at === end) break;
        at++;
        this.#length = length;
        if (byte === LF) this.#endRow(this.#offset + at, false);
        else this.#endCell(UNIT);
        length = this.#length;
        state = CELL_START;
        continue;
      }
      if (state === QUOTED) {
        let short = Math.min(end, at + SHORT_BYTES);
        for (;;) {
          let byte = 0;
          for (; at < short; at++) {
            byte = chunk[at];
            if (byte === QUOTE) break;
            if (byte === LF) this.#line++;
            bytes[length++] = byte;
          }
          if (at < short || at === end) break;
          const quote = chunk.indexOf(QUOTE, at);
          const stop = quote === -1 ? end : quote;
          const text = chunk.subarray(at, stop);
          bytes.set(text, length);
          for (let feed = text.indexOf(LF); feed !== -1; feed = text.indexOf(LF, feed + 1)) this.#line++;
          length += stop - at;
          at = stop;
          short = Math.min(end, at + 1);
        }
        if (at === end) break;
        this.#closeOffset = this.#offset + at++;
        state = CLOSING;
        continue;
      }
      const byte = chunk[at++];
      if (state === CLOSING && byte === QUOTE) {
        bytes[length++] = QUOTE;
        state = QUOTED;
      } else if (state === CLOSING && byte === CR) state = CLOSED_BY_CR;
      else if (byte === LF || state === CLOSING && byte === separator) {
        this.#length = length;
        if (!this.#checkQuoted(this.#closeOffset)) break;
        if (byte === LF) this.#endRow(this.#offset + at, true);
        else this.#endCell(UNIT);
        length = this.#length;
        state = CELL_START;
      } else {
        this.#fault = this.#error(strayText(this.#openLine, this.#line), this.#openLine);
        break;
      }
    }
    this.#state = state;
    this.#length = length;
    this.#offset += end;
    if (state === QUOTED && this.#fault === undefined) this.#checkQuoted(this.#offset);
  }

  /** Finds what ends a long unquoted cell; each byte of a chunk is searched once for each of the two. */
  #nextEnd(chunk: Uint8Array, at: number): number {
    const find = (byte: number) => {
      const found = chunk.indexOf(byte, at);
      return found === -1 ? chunk.length : found;
    };
    if (this.#nextFeed < at) this.#nextFeed = find(LF);
    if (this.#nextSeparator < at) this.#nextSeparator = find(this.#separator);
    return Math.min(this.#nextFeed, this.#nextSeparator);
  }

  #endCell(byte: number): void {
    if (this.#cells === this.#ends.length) {
      const ends = new Uint32Array(this.#ends.length * 2);
      ends.set(this.#ends);
      this.#ends = ends;
    }
    this.#ends[this.#cells++] = this.#length;
    this.#bytes[this.#length++] = byte;
  }

  /** Ends the row under way, whose last cell has ended; an empty line is not one. */
  #endRow(offset: number, isQuoted: boolean): void {
    const cellStart = this.#cells === 0 ? 0 : this.#ends[this.#cells - 1] + 1;
    if (!isQuoted && this.#length > cellStart && this.#bytes[this.#length - 1] === CR) this.#length--;
    const line = this.#rowLine;
    this.#line++;
    this.#rowLine = this.#line;
    if (!isQuoted && this.#cells === this.#rowCell && this.#length === cellStart) return;
    this.#endCell(RECORD);
    if (this.#rows === this.#rowCells.length) {
      const [rowCells, rowLines] = [new Uint32Array(this.#rows * 2), new Float64Array(this.#rows * 2)];
      rowCells.set(this.#rowCells);
      rowLines.set(this.#rowLines);
      this.#rowCells = rowCells;
      this.#rowLines = rowLines;
    }
    this.#rowCells[this.#rows] = this.#cells;
    this.#rowLines[this.#rows++] = line;
    this.#rowStart = this.#length;
    this.#rowCell = this.#cells;
    if (this.#firstRowEnd === -1) this.#firstRowEnd = offset;
  }

  /** Refuses a quoted cell that is too long up to an offset. */
  #checkQuoted(offset: number): boolean {
    const isTooLong = offset - this.#openOffset > MAX_QUOTED_LINES_BYTES && this.#line > this.#openLine;
    if (isTooLong) this.#fault = this.#error(longCell(), this.#openLine);
    return !isTooLong;
  }

  #error(message: string, line: number): ParseError {
    return new ParseError(`Cannot read ${this.#name}: ${message}`, { line });
  }

  /** The rows that ended, up to the first that is not UTF-8. */
  #take(): CsvRows {
    if (!isUtf8(this.#bytes.subarray(0, this.#rowStart))) this.#cutAtInvalid();
    const count = this.#rows;
    if (count === 0) this.#throwFault();
    return {
      count,
      ofWidth: (width) => this.#ofWidth(width),
      texts: () => this.#texts(count),
    };
  }

  #cutAtInvalid(): void {
    let row = 0;
    let start = 0;
    for (;; row++) {
      const end = this.#ends[this.#rowCells[row] - 1] + 1;
      const bytes = this.#bytes.subarray(start, end);
      if (!isUtf8(bytes)) {
        const feeds = countFeeds(bytes.subarray(0, firstInvalid(bytes)));
        this.#fault = new TextFormError(`Cannot read ${this.#name}: ${NOT_UTF8}`, {
          line: this.#rowLines[row] + feeds,
        });
        break;
      }
      start = end;
    }
    this.#rows = row;
  }

  #ofWidth(width: number): CsvCells | undefined {
    const rowCells = this.#rowCells;
    const count = this.#rows;
    for (let row = 0; row < count; row++) if (rowCells[row] !== (row + 1) * width) return undefined;
    const ends = this.#ends.subarray(0, count * width);
    const bytes = this.#bytes.subarray(0, count === 0 ? 0 : ends[ends.length - 1] + 1);
    return { bytes, ends, width, count, plain: this.#isPlain(bytes, ends.length, count) };
  }

  #isPlain(bytes: Uint8Array, cells: number, rows: number): boolean {
    if (!this.#mixed) return true;
    let [units, records] = [0, 0];
    for (const byte of bytes) {
      if (byte === ESCAPE) return false;
      if (byte === UNIT) units++;
      else if (byte === RECORD) records++;
    }
    return records === rows && units === cells - rows;
  }

  #texts(count: number): CsvRow[] {
    const rows: CsvRow[] = [];
    if (count === 0) return rows;
    const [ends, rowCells, rowLines] = [this.#ends, this.#rowCells, this.#rowLines];
    const cells = rowCells[count - 1];
    const bytes = this.#bytes.subarray(0, ends[cells - 1] + 1);
    if (this.#isPlain(bytes, cells, count)) {
      const texts = decoder.decode(bytes.subarray(0, -1)).split("\x1e");
      for (let row = 0; row < count; row++) rows.push({ cells: texts[row].split("\x1f"), line: rowLines[row] });
      return rows;
    }
    let [cell, start] = [0, 0];
    for (let row = 0; row < count; row++) {
      const texts: string[] = [];
      for (; cell < rowCells[row]; cell++) {
        texts.push(decoder.decode(bytes.subarray(start, ends[cell])));
        start = ends[cell] + 1;
      }
      rows.push({ cells: texts, line: rowLines[row] });
    }
    return rows;
  }
}
