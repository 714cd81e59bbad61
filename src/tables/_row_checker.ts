/**
 * Checks the rows of a large CSV byte by byte and passes them on as they are.
 *
 * polars parses CSV many times as fast as JavaScript can, but fills short rows up without a word and stumbles over quotes
 * in the middle of a cell. So whole rows go through here first: good ones pass untouched, odd but readable ones are
 * written anew, unreadable ones are left out and named. One look at each byte, in bounded memory.
 */
import { isUtf8 } from "node:buffer";
import { ParseError } from "../errors.ts";
import { csvRow } from "../io/csv_text.ts";
import { isAccession } from "../spec/accession.ts";
import type { Problem } from "../spec/ledger.ts";
import { quoteValue } from "./_columns.ts";
import { checkHeader } from "./from_csv.ts";

/** What a checker tells while it reads. */
export interface RowSink {
  /** Takes the names of the columns, before any row. */
  onHeader(names: readonly string[]): void;
  /** Takes bytes of whole rows; they are valid until it returns. */
  onRows(bytes: Uint8Array, rows: number): void;
  /** Takes a fault: a row that was left out, or a NUL that was kept. */
  onProblem(problem: Problem): void;
}

const COMMA = 44;
const CR = 13;
const LF = 10;
const QUOTE = 34;

/** One CSV on its way through. */
export class RowChecker {
  readonly #sink: RowSink;
  readonly #name: string;
  #buffer = new Uint8Array(1 << 16);
  #end = 0;
  #at = 0;
  #rowStart = 0;
  #commas = 0;
  #quoted = false;
  #odd = false;
  #nul = false;
  #width = 0;
  #line = 1;
  #linesInRow = 0;
  #rows = 0;
  #unparsed = 0;

  constructor(sink: RowSink, name: string) {
    this.#sink = sink;
    this.#name = name;
  }

  /** Rows passed on. */
  get rows(): number {
    return this.#rows;
  }

  /** Rows left out. */
  get unparsed(): number {
    return this.#unparsed;
  }

  /** Takes the next bytes, which it copies. */
  push(chunk: Uint8Array): void {
    if (this.#end + chunk.length > this.#buffer.length) this.#makeRoom(chunk.length);
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
    this.#scan(false);
  }

  /** Ends: what is left is the last row. @throws {ParseError} If the file is empty or a quoted cell never ends. */
  finish(): void {
    if (this.#end > this.#rowStart && this.#buffer[this.#end - 1] !== LF || this.#quoted) {
      this.push(Uint8Array.of(LF));
    }
    this.#scan(true);
    if (this.#quoted || this.#rowStart < this.#end) throw this.#fault("a quoted cell never ends", this.#line);
    if (this.#width === 0) throw this.#fault("it is empty, expected a header line", 1);
  }

  /** Moves the row that is under way to the front, into a larger buffer if need be. */
  #makeRoom(bytes: number): void {
    const rest = this.#end - this.#rowStart;
    if (rest + bytes > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(this.#buffer.length * 2, rest + bytes));
      larger.set(this.#buffer.subarray(this.#rowStart, this.#end));
      this.#buffer = larger;
    } else this.#buffer.copyWithin(0, this.#rowStart, this.#end);
    this.#at -= this.#rowStart;
    this.#end = rest;
    this.#rowStart = 0;
  }

  #scan(isLast: boolean): void {
    const bytes = this.#buffer;
    const end = this.#end;
    let at = this.#at;
    let commas = this.#commas;
    let goodStart = this.#rowStart;
    let goodRows = 0;
    const pass = (stop: number) => {
      this.#pass(bytes.subarray(goodStart, stop), goodRows);
      goodRows = 0;
    };
    while (at < end) {
      if (this.#quoted) {
        const found = bytes.indexOf(QUOTE, at);
        const close = found >= end ? -1 : found;
        const stop = close === -1 ? end : close;
        for (let feed = bytes.indexOf(LF, at); feed !== -1 && feed < stop; feed = bytes.indexOf(LF, feed + 1)) {
          this.#linesInRow++;
        }
        at = stop;
        if (close === -1) break;
        if (close + 1 === end && !isLast) break;
        const next = close + 1 < end ? bytes[close + 1] : LF;
        if (next === QUOTE) {
          at = close + 2;
          continue;
        }
        if (next === CR && close + 2 === end && !isLast) break;
        if (next !== COMMA && next !== LF && !(next === CR && bytes[close + 2] === LF)) {
          throw this.#fault("text follows a closing quote", this.#line);
        }
        // An empty cell in quotes is no value, which polars would not know.
        if (bytes[close - 1] === QUOTE && this.#cellStart(bytes, close - 1)) this.#odd = true;
        this.#quoted = false;
        at = close + 1;
        continue;
      }
      const byte = bytes[at++];
      if (byte > COMMA) continue;
      if (byte === COMMA) commas++;
      else if (byte === LF) {
        const rowStart = this.#rowStart;
        const isEmpty = at - rowStart === 1 || at - rowStart === 2 && bytes[rowStart] === CR;
        if (this.#width !== 0 && !isEmpty && commas === this.#width - 1 && !this.#odd && !this.#nul) goodRows++;
        else {
          pass(rowStart);
          if (!isEmpty) this.#unusual(bytes.subarray(rowStart, at));
          goodStart = at;
        }
        this.#line += this.#linesInRow + 1;
        this.#linesInRow = 0;
        this.#odd = false;
        this.#nul = false;
        commas = 0;
        this.#rowStart = at;
      } else if (byte === QUOTE) {
        if (this.#cellStart(bytes, at - 1)) this.#quoted = true;
        else this.#odd = true;
      } else if (byte === CR) {
        if (at === end && !isLast) {
          at--;
          break;
        }
        if (bytes[at] !== LF) this.#odd = true;
      } else if (byte === 0) this.#nul = true;
    }
    this.#at = at;
    this.#commas = commas;
    pass(this.#rowStart);
  }

  #cellStart(bytes: Uint8Array, at: number): boolean {
    return at === this.#rowStart || bytes[at - 1] === COMMA;
  }

  #pass(bytes: Uint8Array, rows: number): void {
    if (rows === 0) return;
    if (!isUtf8(bytes)) throw this.#fault("it is not UTF-8 text, on this line or one before it", this.#line);
    this.#rows += rows;
    this.#sink.onRows(bytes, rows);
  }

  /** A row that is the header, has an odd form or the wrong width, or holds a NUL. */
  #unusual(bytes: Uint8Array): void {
    if (!isUtf8(bytes)) throw this.#fault("it is not UTF-8 text", this.#line);
    const cells = parseRow(new TextDecoder("utf-8", { ignoreBOM: this.#width !== 0 }).decode(bytes));
    if (this.#width === 0) {
      checkHeader(cells, this.#name);
      this.#width = cells.length;
      this.#sink.onHeader(cells);
      return;
    }
    if (cells.length !== this.#width) {
      this.#unparsed++;
      const id = cells.find(isAccession);
      this.#sink.onProblem({
        line: this.#line,
        ...id !== undefined && { id },
        value: quoteValue(cells.join(",").slice(0, 1000)),
        reason: `the row has ${cells.length} cells, the header has ${this.#width}`,
        kept: false,
      });
      return;
    }
    this.#rows++;
    this.#sink.onRows(new TextEncoder().encode(`${csvRow(cells)}\n`), 1);
    for (const text of this.#nul ? cells.filter((cell) => cell.includes("\0")) : []) {
      const id = cells.find(isAccession);
      this.#sink.onProblem({
        row: this.#rows,
        line: this.#line,
        ...id !== undefined && { id },
        value: quoteValue(text),
        reason: "holds a NUL character",
        kept: true,
      });
    }
  }

  #fault(message: string, line: number): ParseError {
    return new ParseError(`Cannot read ${this.#name}: ${message}`, { line });
  }
}

/** Splits one row that ends with a line feed. A quote in the middle of a cell is a letter of it. */
export function parseRow(row: string): string[] {
  const text = row.replace(/\r?\n$/, "");
  const cells: string[] = [];
  for (let at = 0;;) {
    if (text[at] === '"') {
      let close = text.indexOf('"', at + 1);
      while (text[close + 1] === '"') close = text.indexOf('"', close + 2);
      cells.push(text.slice(at + 1, close).replaceAll('""', '"'));
      at = close + 1;
    } else {
      const comma = text.indexOf(",", at);
      const stop = comma === -1 ? text.length : comma;
      cells.push(text.slice(at, stop));
      at = stop;
    }
    if (at >= text.length) return cells;
    at++;
  }
}
