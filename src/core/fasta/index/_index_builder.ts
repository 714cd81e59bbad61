/**
 * Builds an index from bytes, line by line, by the rules of samtools: all lines of a sequence are equally long, but for
 * the last, which may be shorter.
 */
import { endsFastaWithReturns, FIRST_LINE_BYTES } from "../../io/bytes/describe_bytes.ts";
import { FastaError } from "../text/fasta_error.ts";
import { describeNotFasta } from "../text/not_fasta.ts";
import { FIELDS_PREFIX } from "../text/fields_line.ts";
import { GrowingBytes } from "../text/growing.ts";
import { IndexText } from "./_index_text.ts";
import {
  BASE_CLASS,
  beginsInTwoBytes,
  BYTE_ORDER_MARK,
  CR,
  GREATER,
  LF,
  PIPE,
  SEMICOLON,
  TAB,
  WHITE_SPACE,
} from "../text/bases.ts";
import type { LineRoutines } from "../scan/line_routines.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Longest line before or between sequences that is kept; what follows plays no part in an id. */
const MAX_TEXT_BYTES = 1 << 20;

/** Bytes in which records are searched for at first: a module is compiled well only between calls. */
const FIRST_BYTES = 1 << 16;
/**
 * Searches in a row without a record after which no more are made: the records are not simple, or larger than a piece.
 */
const MAX_MISSES = 8;

/** Ids that are kept are as many at most; all are counted. */
const MAX_KEPT_IDS = 1000;

/** The first of some ids, and how many there are. */
export interface CountedIds {
  readonly ids: string[];
  count: number;
}

/** What was found besides the entries. */
export interface IndexFindings {
  /** Sequences in the order of the file; of several with one id the first. */
  readonly table: IndexText;
  /** Ids that came again, and so cannot be fetched. */
  readonly duplicates: CountedIds;
  /** Ids of records without a sequence, which an index cannot hold. */
  readonly empty: CountedIds;
  /** Ids with a tab, which ends an id in an index. */
  readonly tabbed: CountedIds;
  /** The `;fields=` line, where there is one. */
  readonly fieldsLine: string | undefined;
}

export class IndexBuilder {
  readonly #name: string;
  readonly #table = new IndexText();
  readonly #duplicates: CountedIds = { ids: [], count: 0 };
  readonly #empty: CountedIds = { ids: [], count: 0 };
  readonly #tabbed: CountedIds = { ids: [], count: 0 };
  #fieldsLine: string | undefined;
  #position = 0;
  #line = 1;
  /** What the line is: it is known from its first byte. */
  #kind: "start" | "header" | "comment" | "bases" = "start";
  readonly #text = new GrowingBytes(256);
  #lineStart = 0;
  #lineBytes = 0;
  #lineBases = 0;
  /** The id of the open record. */
  readonly #id = new GrowingBytes(256);
  #isOpen = false;
  #offset = 0;
  #length = 0;
  #fullBytes = 0;
  #fullLineBases = 0;
  #isEnded = false;

  readonly #routines: LineRoutines;
  #searched = FIRST_BYTES;
  #misses = 0;

  constructor(name: string, routines: LineRoutines) {
    this.#name = name;
    this.#routines = routines;
  }

  /**
   * Takes the next bytes: those of the module's input from `from` up to `to`.
   *
   * @throws {FastaError} If the text is not a FASTA file, or the lines of a sequence differ in length.
   */
  add(from: number, to: number): void {
    const bytes = this.#routines.input.subarray(0, to);
    let at = from;
    while (this.#kind === "start" && at < to && bytes[at] === BYTE_ORDER_MARK[this.#position]) {
      at += 1;
      this.#position += 1;
    }
    // Text of two bytes a character, or without a line feed, begins as FASTA does.
    const head = bytes.subarray(at, at + FIRST_LINE_BYTES);
    const begins = head[0] === GREATER || head[0] === SEMICOLON;
    if (this.#position === 0 && begins && (beginsInTwoBytes(head, 0) || endsFastaWithReturns(head))) {
      throw this.#notFasta(head);
    }
    while (at < to) {
      if (this.#kind === "start") {
        at = bytes[at] === GREATER ? this.#passRecords(at, to) : this.#passFullLines(at, to);
        if (at === to) return;
        this.#beginLine(bytes, at);
      }
      const found = bytes.indexOf(LF, at);
      const end = found < 0 ? to : found;
      this.#lineBytes += end - at;
      this.#position += found < 0 ? end - at : end + 1 - at;
      if (this.#kind === "bases") this.#lineBases += this.#routines.countGraphic(at, end);
      else if (found < 0 || this.#text.length > 0) {
        this.#text.append(bytes.subarray(at, Math.min(end, at + MAX_TEXT_BYTES - this.#text.length)));
      }
      if (found < 0) return;
      if (this.#text.length > 0) this.#endLine(this.#text.bytes, 0, this.#text.length);
      else this.#endLine(bytes, at, end);
      at = end + 1;
    }
  }

  finish(): IndexFindings {
    if (this.#kind !== "start") this.#endLine(this.#text.bytes, 0, this.#text.length);
    this.#endRecord();
    if (this.#routines.mayRepeat) { for (const id of this.#table.removeRepeated()) this.#note(this.#duplicates, id); }
    return {
      table: this.#table,
      duplicates: this.#duplicates,
      empty: this.#empty,
      tabbed: this.#tabbed,
      fieldsLine: this.#fieldsLine,
    };
  }

  /** Passes the records that the module finds: nearly all there are but for one at the end of each piece. */
  #passRecords(start: number, to: number): number {
    this.#endRecord();
    this.#isOpen = false;
    let at = start;
    while (at < to && this.#misses < MAX_MISSES) {
      const end = Math.min(to, at + this.#searched);
      const routines = this.#routines;
      const count = routines.findRecords(at, end, {
        endsAtPipe: this.#fieldsLine !== undefined,
        position: this.#position,
      });
      if (count > 0) {
        this.#table.append(routines.foundText, routines.idLengths.subarray(0, count));
        this.#line += routines.foundLines;
        this.#position += routines.stop - at;
        at = routines.stop;
      } else if (end === to) {
        this.#misses += 1;
        return at;
      }
      this.#misses = 0;
      this.#searched *= 2;
    }
    return at;
  }

  /** Passes the lines that are just as the first of their sequence: nearly all there are. */
  #passFullLines(at: number, length: number): number {
    const bytes = this.#fullBytes;
    const bases = this.#fullLineBases;
    const ends = bytes - bases;
    if (this.#isEnded || bases === 0 || ends < 1 || ends > 2) return at;
    const lines = this.#routines.countFullLines(at, length, bytes, bases);
    this.#length += lines * bases;
    this.#position += lines * bytes;
    this.#line += lines;
    return at + lines * bytes;
  }

  #beginLine(bytes: Uint8Array, at: number): void {
    const first = bytes[at];
    this.#lineStart = this.#position;
    this.#lineBytes = 0;
    this.#lineBases = 0;
    this.#kind = first === GREATER ? "header" : first === SEMICOLON ? "comment" : "bases";
    if (this.#kind === "bases" && !this.#isOpen && first > 0x20) {
      throw this.#notFasta(bytes.subarray(at, at + 512));
    }
  }

  #notFasta(head: Uint8Array): FastaError {
    return new FastaError(
      `Cannot index ${this.#name}: ${describeNotFasta(head)}`,
      { line: this.#line, byte: this.#position },
    );
  }

  /** Ends the line whose text, unless it is bases, lies from `start` up to `end`. */
  #endLine(bytes: Uint8Array, start: number, end: number): void {
    if (this.#kind === "header") this.#beginRecord(bytes, start, end);
    else if (this.#kind === "comment") this.#noteComment(bytes.subarray(start, end));
    else this.#addLine();
    this.#kind = "start";
    this.#text.clear();
    this.#line += 1;
  }

  #beginRecord(bytes: Uint8Array, start: number, end: number): void {
    this.#endRecord();
    // As samtools has it: blanks before the id play no part. In a registry FASTA it is all before the first `|`.
    const isRegistry = this.#fieldsLine !== undefined;
    let from = start + 1;
    while (!isRegistry && from < end && BASE_CLASS[bytes[from]] === WHITE_SPACE) from += 1;
    let to = from;
    while (to < end && (isRegistry ? bytes[to] !== PIPE : BASE_CLASS[bytes[to]] !== WHITE_SPACE)) to += 1;
    if (isRegistry && to === end && bytes[to - 1] === CR) to -= 1;
    this.#id.clear();
    this.#id.append(bytes.subarray(from, to));
    this.#isOpen = true;
    this.#offset = this.#position;
    this.#length = 0;
    this.#fullBytes = 0;
    this.#fullLineBases = 0;
    this.#isEnded = false;
  }

  #noteComment(text: Uint8Array): void {
    const line = new TextDecoder().decode(text).replace(/\r$/, "");
    if (line.startsWith(FIELDS_PREFIX)) {
      if (this.#isOpen && line !== this.#fieldsLine) {
        throw new FastaError(
          `Cannot index ${this.#name}: it has a ;fields= line in the middle; index the files apart`,
          {
            line: this.#line,
          },
        );
      }
      this.#fieldsLine = line;
    }
    this.#isEnded = true;
  }

  #addLine(): void {
    if (!this.#isOpen) return;
    // The last line of a text may lack its end; samtools counts it all the same.
    const bytes = this.#lineBytes + 1;
    if (this.#lineBases === 0) {
      this.#isEnded = true;
      return;
    }
    if (this.#isEnded || this.#fullBytes > 0 && bytes > this.#fullBytes) {
      throw new FastaError(
        `Cannot index ${this.#name}: the lines of a sequence differ in length, or other lines stand between them, ` +
          "so that its bases cannot be found; rewrite it with seqreg fasta plain",
        { line: this.#line, byte: this.#lineStart, id: decoder.decode(this.#id.view()) },
      );
    }
    if (this.#fullBytes === 0) {
      this.#fullBytes = bytes;
      this.#fullLineBases = this.#lineBases;
    } else if (bytes < this.#fullBytes) this.#isEnded = true;
    this.#length += this.#lineBases;
  }

  #endRecord(): void {
    if (!this.#isOpen) return;
    const id = this.#id.view();
    if (this.#length === 0) return this.#note(this.#empty, id);
    // Only an accession can hold one.
    if (this.#fieldsLine !== undefined && id.includes(TAB)) return this.#note(this.#tabbed, id);
    this.#routines.noteId(id);
    this.#table.add(id, {
      length: this.#length,
      offset: this.#offset,
      lineLetters: this.#fullLineBases,
      lineBytes: this.#fullBytes,
    });
  }

  #note(list: CountedIds, id: Uint8Array): void {
    list.count += 1;
    if (list.ids.length < MAX_KEPT_IDS) list.ids.push(decoder.decode(id));
  }
}
