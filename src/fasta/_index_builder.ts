/**
 * Builds an index from bytes, line by line, by the rules of samtools: all lines of a sequence are equally long, but for
 * the last, which may be shorter.
 */
import { describeBytes } from "../io/describe_bytes.ts";
import { FastaError } from "./fasta_error.ts";
import type { FastaIndexEntry } from "./fasta_index.ts";
import { FIELDS_PREFIX } from "./_fields_line.ts";
import { GrowingBytes } from "./_growing.ts";
import { BYTE_ORDER_MARK, CR, GREATER, LETTER_CLASS, LF, PIPE, SEMICOLON, WHITE_SPACE } from "./_letters.ts";
import { IdSet } from "./_id_set.ts";
import type { LineKernel } from "./_line_kernel.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Longest header that is kept; what follows plays no part in an id. */
const MAX_HEADER_BYTES = 1 << 20;

/** What was found besides the entries. */
export interface IndexFindings {
  /** Entries in the order of the file; of several with one id the first. */
  readonly entries: FastaIndexEntry[];
  /** Ids that came again, and so cannot be fetched. */
  readonly duplicates: string[];
  /** Ids of records without a sequence, which an index cannot hold. */
  readonly empty: string[];
  /** The `;fields=` line, where there is one. */
  readonly fieldsLine: string | undefined;
}

/** Builds one index. */
export class IndexBuilder {
  readonly #name: string;
  readonly #entries: FastaIndexEntry[] = [];
  readonly #seen = new IdSet();
  readonly #duplicates: string[] = [];
  readonly #empty: string[] = [];
  #fieldsLine: string | undefined;
  #position = 0;
  #line = 1;
  /** What the line is: it is known from its first byte. */
  #kind: "start" | "header" | "comment" | "letters" = "start";
  readonly #text = new GrowingBytes(256);
  #lineStart = 0;
  #lineBytes = 0;
  #lineLetters = 0;
  #id: string | undefined;
  #offset = 0;
  #length = 0;
  #fullBytes = 0;
  #fullLetters = 0;
  #isEnded = false;

  readonly #kernel: LineKernel;

  constructor(name: string, kernel: LineKernel) {
    this.#name = name;
    this.#kernel = kernel;
  }

  /**
   * Takes the next bytes, which lie at the beginning of the kernel's input.
   *
   * @throws {FastaError} If the text is no FASTA, or the lines of a sequence differ in length.
   */
  add(length: number): void {
    const bytes = this.#kernel.input.subarray(0, length);
    let at = 0;
    while (this.#kind === "start" && at < length && bytes[at] === BYTE_ORDER_MARK[this.#position]) {
      at += 1;
      this.#position += 1;
    }
    while (at < length) {
      if (this.#kind === "start") {
        at = this.#passFullLines(at, length);
        if (at === length) return;
        this.#beginLine(bytes, at);
      }
      const found = bytes.indexOf(LF, at);
      const end = found < 0 ? length : found;
      if (this.#kind === "letters") this.#lineLetters += this.#kernel.countGraphic(at, end);
      else if (this.#text.length < MAX_HEADER_BYTES) this.#text.append(bytes.subarray(at, end));
      this.#lineBytes += end - at;
      this.#position += end - at;
      at = end;
      if (found < 0) return;
      at += 1;
      this.#position += 1;
      this.#endLine();
    }
  }

  /** Ends the text. */
  finish(): IndexFindings {
    if (this.#kind !== "start") this.#endLine();
    this.#endRecord();
    return {
      entries: this.#entries,
      duplicates: this.#duplicates,
      empty: this.#empty,
      fieldsLine: this.#fieldsLine,
    };
  }

  /** Passes the lines that are just as the first of their sequence: nearly all there are. */
  #passFullLines(at: number, length: number): number {
    const bytes = this.#fullBytes;
    const letters = this.#fullLetters;
    const ends = bytes - letters;
    if (this.#isEnded || letters === 0 || ends < 1 || ends > 2) return at;
    const lines = this.#kernel.countFullLines(at, length, bytes, letters);
    this.#length += lines * letters;
    this.#position += lines * bytes;
    this.#line += lines;
    return at + lines * bytes;
  }

  #beginLine(bytes: Uint8Array, at: number): void {
    const first = bytes[at];
    this.#lineStart = this.#position;
    this.#lineBytes = 0;
    this.#lineLetters = 0;
    this.#kind = first === GREATER ? "header" : first === SEMICOLON ? "comment" : "letters";
    if (this.#kind === "letters" && this.#id === undefined && first > 0x20) {
      const what = describeBytes(bytes.subarray(at, at + 512));
      throw new FastaError(
        `Cannot index ${this.#name}: it looks like ${what}; expected a line that begins with > or ;fields=`,
        { line: this.#line, byte: this.#position },
      );
    }
  }

  #endLine(): void {
    if (this.#kind === "header") this.#beginRecord();
    else if (this.#kind === "comment") this.#noteComment();
    else this.#addLine();
    this.#kind = "start";
    this.#text.clear();
    this.#line += 1;
  }

  #beginRecord(): void {
    this.#endRecord();
    const { bytes, length } = this.#text;
    // As samtools has it: blanks before the id play no part. In a registry FASTA it is all before the first `|`.
    const isRegistry = this.#fieldsLine !== undefined;
    let start = 1;
    while (!isRegistry && start < length && isSpace(bytes[start])) start += 1;
    let end = start;
    while (end < length && (isRegistry ? bytes[end] !== PIPE : !isSpace(bytes[end]))) end += 1;
    if (isRegistry && end === length && bytes[end - 1] === CR) end -= 1;
    this.#id = decoder.decode(bytes.subarray(start, end));
    this.#offset = this.#position;
    this.#length = 0;
    this.#fullBytes = 0;
    this.#fullLetters = 0;
    this.#isEnded = false;
  }

  #noteComment(): void {
    const line = new TextDecoder().decode(this.#text.view()).replace(/\r$/, "");
    if (line.startsWith(FIELDS_PREFIX)) {
      if (this.#id !== undefined && line !== this.#fieldsLine) {
        throw new FastaError(
          `Cannot index ${this.#name}: a ;fields= line stands in its middle; index the files apart`,
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
    if (this.#id === undefined) return;
    // The last line of a text may lack its end; samtools counts it all the same.
    const bytes = this.#lineBytes + 1;
    if (this.#lineLetters === 0) {
      this.#isEnded = true;
      return;
    }
    if (this.#isEnded || this.#fullBytes > 0 && bytes > this.#fullBytes) {
      throw new FastaError(
        `Cannot index ${this.#name}: the lines of a sequence differ in length, or other lines stand between them, ` +
          "so that its letters cannot be found; write it anew with seqreg fasta plain",
        { line: this.#line, byte: this.#lineStart, id: this.#id },
      );
    }
    if (this.#fullBytes === 0) {
      this.#fullBytes = bytes;
      this.#fullLetters = this.#lineLetters;
    } else if (bytes < this.#fullBytes) this.#isEnded = true;
    this.#length += this.#lineLetters;
  }

  #endRecord(): void {
    const id = this.#id;
    if (id === undefined) return;
    if (this.#length === 0) this.#empty.push(id);
    else if (this.#seen.seen(id)) this.#duplicates.push(id);
    else {
      this.#entries.push({
        id,
        length: this.#length,
        offset: this.#offset,
        lineLetters: this.#fullLetters,
        lineBytes: this.#fullBytes,
      });
    }
  }
}

function isSpace(byte: number): boolean {
  return LETTER_CLASS[byte] === WHITE_SPACE;
}
