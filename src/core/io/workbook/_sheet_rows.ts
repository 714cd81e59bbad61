/** Rows of a sheet out of its XML: ECMA-376, part 1, 18.3.1.4 (`c`), 18.3.1.73 (`row`). */
import { ParseError } from "../../errors.ts";
import type { XmlAttributes, XmlName, XmlSink } from "../xml/xml_tokens.ts";
import { type CellRange, columnName, MAX_COLUMNS, MAX_ROWS, readCellName, readCellRange } from "./_cell_names.ts";
import type { CellNotes } from "./_cell_notes.ts";
import type { DateFormat } from "./_date_formats.ts";
import { labelText, type NumberFormat, percentText } from "./_number_formats.ts";
import { MIDNIGHT, serialText } from "./_serial_dates.ts";
import { MAX_CELL_CHARACTERS, unescapeText } from "./_shared_texts.ts";

/** Cells of a row that are not empty. */
export interface SheetRow {
  /** Number of the row in its sheet, from 1. */
  readonly number: number;
  /** Columns of the cells, from 0. */
  readonly columns: readonly number[];
  readonly texts: readonly string[];
  /** Which of these are date-times at midnight, by their index, in a column without another time so far. */
  readonly midnights?: readonly number[];
  /** Which of these are in percent, such as `48.12%`, by their index. */
  readonly percents?: readonly number[];
  /** Which of these are dates, by their index. */
  readonly dates?: readonly number[];
}

/** What a sheet's cells refer to. */
export interface SheetContext {
  /** Name in errors. */
  readonly name: string;
  readonly sharedTexts: readonly string[];
  readonly styles: readonly (NumberFormat | undefined)[];
  readonly is1904: boolean;
  readonly isComputedOnOpening: boolean;
}

/** Ranges of merged cells at most. */
const MAX_MERGED = 1 << 20;

export class SheetRows implements XmlSink {
  wantsText = false;
  readonly tagsRepeat = false;
  /** Rows that are complete; the reader of the part takes them. */
  rows: SheetRow[] = [];
  readonly #context: SheetContext;
  readonly #notes: CellNotes;
  /** Columns with a time of day other than midnight. */
  readonly #timed: Set<number>;
  readonly #merged: CellRange[];
  #isInData = false;
  #isInCell = false;
  #phonetic = 0;
  #row = 0;
  #column = -1;
  /** Whether the row has stated its number, itself or by its first cell. */
  #isNumbered = false;
  #columns: number[] = [];
  #texts: string[] = [];
  #midnights: number[] | undefined;
  #percents: number[] | undefined;
  #dates: number[] | undefined;
  #type = "n";
  #style = 0;
  #hasFormula = false;
  #hasValue = false;
  #hasInlineText = false;
  #text = "";

  /** Takes what cells refer to, and where to collect what is found. */
  constructor(
    context: SheetContext,
    found: { readonly notes: CellNotes; readonly timed: Set<number>; readonly merged: CellRange[] },
  ) {
    this.#context = context;
    this.#notes = found.notes;
    this.#timed = found.timed;
    this.#merged = found.merged;
  }

  onOpen({ own: name }: XmlName, attributes: XmlAttributes): void {
    if (!this.#isInData) {
      if (name === "sheetData") this.#isInData = true;
      // They come after the data.
      else if (name === "mergeCell") this.#addMerged(attributes.get("ref") ?? "");
      return;
    }
    switch (name) {
      case "v":
        this.#hasValue = true;
        this.wantsText = this.#isInCell && !this.#hasInlineText;
        break;
      case "c":
        this.#openCell(attributes);
        break;
      case "t":
        if (this.#type === "inlineStr") this.#openInlineText();
        break;
      case "f":
        this.#hasFormula = true;
        break;
      case "rPh":
        this.#phonetic++;
        break;
      case "row":
        this.#openRow(attributes.get("r"));
    }
  }

  onText(text: string): void {
    if (!this.wantsText) return;
    this.#text += text;
    if (this.#text.length > MAX_CELL_CHARACTERS) {
      throw this.#error(`cell ${this.#cell} has more than a million characters`);
    }
  }

  onClose({ own }: XmlName): void {
    if (!this.#isInData) return;
    switch (own) {
      case "v":
      case "t":
        this.wantsText = false;
        break;
      case "c":
        this.#closeCell();
        break;
      case "row":
        this.#closeRow();
        break;
      case "rPh":
        this.#phonetic--;
        break;
      case "sheetData":
        this.#isInData = false;
    }
  }

  get #cell(): string {
    return columnName(this.#column) + this.#row;
  }

  #addMerged(written: string): void {
    const range = readCellRange(written);
    if (range === undefined) throw this.#error(`${JSON.stringify(written)} is not a range of cells`);
    if (this.#merged.length === MAX_MERGED) throw this.#error(`it has more than ${MAX_MERGED} ranges of merged cells`);
    this.#merged.push(range);
  }

  #openRow(number: string | undefined): void {
    this.#isNumbered = number !== undefined;
    this.#column = -1;
    this.#goToRow(number === undefined ? this.#row + 1 : Number(number), number);
  }

  #goToRow(row: number, written = String(row)): void {
    if (!Number.isInteger(row) || row < 1) throw this.#error(`${JSON.stringify(written)} is not the number of a row`);
    if (row > MAX_ROWS) {
      throw this.#error(`row ${written} is beyond the last row of a sheet, ${MAX_ROWS}; delete it, or save as CSV`);
    }
    if (row <= this.#row) throw this.#error(`row ${row} comes after row ${this.#row}; save the workbook again`);
    this.#row = row;
  }

  #closeRow(): void {
    if (this.#columns.length === 0) return;
    this.rows.push({
      number: this.#row,
      columns: this.#columns,
      texts: this.#texts,
      ...this.#midnights && { midnights: this.#midnights },
      ...this.#percents && { percents: this.#percents },
      ...this.#dates && { dates: this.#dates },
    });
    [this.#columns, this.#texts] = [[], []];
    this.#midnights = this.#percents = this.#dates = undefined;
  }

  #openCell(attributes: XmlAttributes): void {
    this.#isInCell = true;
    this.#type = attributes.get("t") ?? "n";
    const style = attributes.get("s");
    this.#style = style === undefined ? 0 : Number(style);
    this.#hasFormula = this.#hasValue = this.#hasInlineText = false;
    this.#text = "";
    const written = attributes.get("r");
    if (written === undefined) this.#column++;
    else this.#goToCell(written);
    if (this.#column < MAX_COLUMNS) return;
    throw this.#error(
      `cell ${written ?? this.#cell} is beyond the last column of a sheet, ${
        columnName(MAX_COLUMNS - 1)
      }; delete it, or ` +
        "save as CSV",
    );
  }

  #goToCell(written: string): void {
    const name = readCellName(written);
    if (name === undefined) throw this.#error(`${JSON.stringify(written)} is not the name of a cell`);
    if (name.row !== this.#row) {
      // A row without a number has that of its cells.
      if (this.#isNumbered) throw this.#error(`cell ${written} is in row ${this.#row}; save the workbook again`);
      this.#goToRow(name.row);
    }
    this.#isNumbered = true;
    if (name.column <= this.#column) {
      throw this.#error(`cell ${written} comes after ${this.#cell}; save the workbook again`);
    }
    this.#column = name.column;
  }

  /** An inline text is the cell's, and a `v` with it is not; only cells of its type have one. */
  #openInlineText(): void {
    if (!this.#hasInlineText) this.#text = "";
    this.#hasValue = this.#hasInlineText = true;
    this.wantsText = this.#isInCell && this.#phonetic === 0;
  }

  #closeCell(): void {
    this.#isInCell = false;
    const text = this.#cellText();
    if (text === "") return;
    this.#columns.push(this.#column);
    this.#texts.push(text);
  }

  #cellText(): string {
    const text = this.#text;
    switch (this.#type) {
      case "s":
        return text === "" ? "" : this.#sharedText(text);
      case "n":
        return text === "" ? this.#withoutValue() : this.#numberText(text);
      case "str":
      case "inlineStr":
        return this.#hasValue ? unescapeText(text) : this.#withoutValue();
      case "b":
        return text === "" ? this.#withoutValue() : text === "1" || text === "true" ? "true" : "false";
      case "e":
        this.#notes.errors.add(`${this.#cell} (${text})`);
        return "";
      default:
        return this.#isoDate(text);
    }
  }

  #withoutValue(): "" {
    if (this.#hasFormula) this.#notes.unstored.add(this.#cell);
    return "";
  }

  #sharedText(index: string): string {
    const text = this.#context.sharedTexts[Number(index)];
    if (text !== undefined) return text;
    throw this.#error(`cell ${this.#cell} has the shared text ${index}, which does not exist; save the workbook again`);
  }

  #numberText(text: string): string {
    if (this.#hasFormula && text === "0" && this.#context.isComputedOnOpening) this.#notes.uncomputed.add(this.#cell);
    const format = this.#context.styles[this.#style];
    if (format !== undefined) return this.#shownText(text, format);
    return this.#plainText(text);
  }

  #plainText(text: string): string {
    // A whole number keeps its digits; another is written as short as it can be: workbooks hold 48.119999999999997.
    if (isWholeNumber(text)) return text;
    return String(this.#number(text));
  }

  #number(text: string): number {
    const number = Number(text);
    if (!Number.isNaN(number)) return number;
    throw this.#error(`cell ${this.#cell} has ${JSON.stringify(text)} where a number is expected`);
  }

  /** Reads a number whose cell shows more than its digits. */
  #shownText(text: string, format: NumberFormat): string {
    switch (format.kind) {
      case "percent":
        (this.#percents ??= []).push(this.#columns.length);
        return percentText(this.#number(text));
      case "label":
        return labelText(this.#number(text), format) ?? this.#withoutUnit(text, format.text);
      case "unit":
        return this.#withoutUnit(text, format.text);
      default:
        return this.#dateText(text, format);
    }
  }

  #withoutUnit(text: string, unit: string): string {
    if (unit !== "") this.#notes.unitless.add(`${this.#cell} (${JSON.stringify(unit)})`);
    return this.#plainText(text);
  }

  #dateText(number: string, format: DateFormat): string {
    const text = serialText(Number(number), format, this.#context.is1904);
    if (format.kind === "month" || format.kind === "year") this.#noteDay(number, text);
    if (text === undefined) {
      this.#notes.undated.add(this.#cell);
      return String(Number(number));
    }
    this.#noteTime(text);
    if (format.kind !== "time" && format.kind !== "duration") (this.#dates ??= []).push(this.#columns.length);
    return text;
  }

  /** Remembers a cell that shows a month or a year, and holds another day than its first one. */
  #noteDay(number: string, text: string | undefined): void {
    const day = serialText(Math.floor(Number(number)), { kind: "day", fractions: false }, this.#context.is1904);
    if (text !== undefined && day !== text + "-01-01".slice(text.length - "YYYY".length)) {
      this.#notes.shortened.add(`${this.#cell} (${day})`);
    }
  }

  /** Reads a cell of the type for ISO 8601, which few programs write. */
  #isoDate(text: string): string {
    if (text === "") return this.#withoutValue();
    const date = text.replace(/(T[0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.0+)?Z?$/, "$1");
    this.#noteTime(date);
    return date;
  }

  /** Remembers whether a column's dates have times of day. */
  #noteTime(text: string): void {
    if (text.length < "YYYY-MM-DD".length + MIDNIGHT.length || this.#timed.has(this.#column)) return;
    if (text.endsWith(MIDNIGHT)) (this.#midnights ??= []).push(this.#columns.length);
    else this.#timed.add(this.#column);
  }

  #error(what: string): ParseError {
    return new ParseError(`Cannot read ${this.#context.name}: ${what}`);
  }
}

function isWholeNumber(text: string): boolean {
  for (let at = text.startsWith("-") ? 1 : 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 48 || code > 57) return false;
  }
  return text !== "-";
}
