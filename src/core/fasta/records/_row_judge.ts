/** Judges scanned rows: which are good, which are kept with a problem, which are left out. */
import { ScannedBatch } from "./batch.ts";
import type { FastaBatch, FastaHead } from "../text/fasta_batch.ts";
import type { Problem } from "../../contract/ledger.ts";
import type { ProblemLog } from "./_problem_log.ts";
import type { RowSieve } from "./_row_sieve.ts";
import { BREAK_MARK, hashOf, type HeaderRule, NON_ASCII_MARK, type ScannedRows } from "../scan/scanner.ts";
import { GREATER } from "../text/bases.ts";
import { textAt, type TextColumn } from "../text/text_column.ts";
import { makeSieve } from "./_wasm_sieve.ts";

/** Judges the rows of one reading, batch after batch. */
export class RowJudge {
  readonly #head: FastaHead;
  readonly #log: ProblemLog;
  /** How many values each header must hold; 0 when that is free. */
  readonly #values: number;
  readonly #sieve: RowSieve;
  /** How the scanner is to read headers. */
  readonly rule: HeaderRule;

  constructor(head: FastaHead, log: ProblemLog) {
    this.#head = head;
    this.#log = log;
    this.#values = head.kind === "registry" ? head.fields.length : 0;
    this.#sieve = makeSieve(this.#values);
    const [factor] = crypto.getRandomValues(new Int32Array(1));
    this.rule = { endsAtPipe: head.kind === "registry", hashFactor: factor | 1 };
  }

  /**
   * Makes a batch of the rows that are kept; `undefined` when none is. Problems are noted in the order of the file, and
   * with them `comments`, the lines before, between and behind the rows.
   */
  judge(rows: ScannedRows, comments: readonly Problem[]): FastaBatch | undefined {
    const { idLengths, valueCounts, headerMarks, length, invalidByte, invalidLine, line } = rows;
    const sieve = this.#sieve;
    const leftOut = new Set<number>();
    let noted = 0;
    const noteCommentsBefore = (line: number) => {
      for (; noted < comments.length && (comments[noted].line ?? 0) < line; noted++) {
        const comment = comments[noted];
        this.#log.add("comment", () => comment);
      }
    };
    sieve.load(rows);
    for (let row = sieve.next(0); row < rows.rows; row = sieve.next(row + 1)) {
      noteCommentsBefore(line[row]);
      if (this.#values > 0 && valueCounts[row] !== this.#values) {
        this.#noteValues(rows, row);
        leftOut.add(row);
        continue;
      }
      const marks = headerMarks[row];
      if (idLengths[row] === 0) {
        this.#note("emptyHeader", rows, row, "the header is empty: the record has no id");
      } else if ((marks & NON_ASCII_MARK) === 0 ? sieve.isDuplicate : this.#hasSeenText(rows, row)) {
        this.#log.duplicates += 1;
        this.#note("duplicate", rows, row, "the id came before");
      }
      if (marks !== 0) this.#noteMarks(rows, row);
      if (length[row] === 0) this.#note("emptySequence", rows, row, "the sequence is empty");
      if (invalidByte[row] < 0) continue;
      noteCommentsBefore(invalidLine[row]);
      this.#noteInvalidBase(rows, row);
    }
    noteCommentsBefore(Infinity);
    const count = rows.rows - leftOut.size;
    this.#log.received += count;
    this.#log.isBlind = sieve.isOverfull;
    if (count === 0) return undefined;
    return new ScannedBatch(this.#head, leftOut.size === 0 ? rows : dropRows(rows, leftOut));
  }

  /** Ids with equal texts are equal, even if their invalid bytes differed. */
  #hasSeenText(rows: ScannedRows, row: number): boolean {
    const id = new TextEncoder().encode(idOf(rows, row));
    return this.#sieve.seen(hashOf(id, 0, id.length, this.rule.hashFactor), id);
  }

  #noteMarks(rows: ScannedRows, row: number): void {
    if (rows.headerMarks[row] & BREAK_MARK) {
      this.#note("headerBreak", rows, row, "the header holds a carriage return: old Macintosh line ends?");
    }
    if (rows.headerMarks[row] & NON_ASCII_MARK && !isUtf8(rows.headers, row)) {
      this.#note("headerText", rows, row, "the header is not UTF-8: its faulty bytes are read as U+FFFD");
    }
  }

  #noteValues(rows: ScannedRows, row: number): void {
    const values = rows.valueCounts[row];
    const fields = this.#head.fields.length;
    this.#log.add("values", () => ({
      ...placeOf(rows, row),
      value: textAt(rows.headers, row).slice(0, 200),
      reason: `the header holds ${values} values, ;fields= names ${fields}${
        values > fields ? '; a value may hold a raw "|"' : ""
      }`,
      kept: false,
    }));
  }

  #noteInvalidBase(rows: ScannedRows, row: number): void {
    const base = rows.invalidBase[row];
    const code = `0x${base.toString(16).padStart(2, "0")}`;
    this.#log.add(base === GREATER ? "hiddenRecord" : "invalidBase", () => ({
      id: idOf(rows, row),
      line: rows.invalidLine[row],
      byte: rows.invalidByte[row],
      field: "sequence",
      value: base > 0x20 && base < 0x7f ? String.fromCharCode(base) : code,
      reason: base === GREATER
        ? '">" inside a sequence: a line end may be lost before it, and with it a record'
        : base > 0x20 && base < 0x7f
        ? `${JSON.stringify(String.fromCharCode(base))} is not a sequence character`
        : `the byte ${code} is not a sequence character`,
      kept: true,
    }));
  }

  #note(
    kind: "emptySequence" | "emptyHeader" | "duplicate" | "headerBreak" | "headerText",
    rows: ScannedRows,
    row: number,
    reason: string,
  ): void {
    this.#log.add(kind, () => ({ ...placeOf(rows, row), reason, kept: true }));
  }
}

function placeOf(rows: ScannedRows, row: number): { id: string; line: number; byte: number } {
  return { id: idOf(rows, row), line: rows.line[row], byte: rows.byte[row] };
}

function idOf({ headers: { offsets, data }, idLengths }: ScannedRows, row: number): string {
  return textAt({ offsets: Int32Array.of(offsets[row], offsets[row] + idLengths[row]), data }, 0);
}

function isUtf8({ offsets, data }: TextColumn, row: number): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(data.subarray(offsets[row], offsets[row + 1]));
    return true;
  } catch {
    return false;
  }
}

/** Copies the columns without some of their rows. */
function dropRows(rows: ScannedRows, dropped: ReadonlySet<number>): ScannedRows {
  const kept = Array.from({ length: rows.rows }, (_, row) => row).filter((row) => !dropped.has(row));
  const numbers = (column: Float64Array) => Float64Array.from(kept, (row) => column[row]);
  const integers = (column: Int32Array) => Int32Array.from(kept, (row) => column[row]);
  return {
    rows: kept.length,
    headers: pickTexts(rows.headers, kept),
    idLengths: integers(rows.idLengths),
    idHashes: integers(rows.idHashes),
    valueCounts: integers(rows.valueCounts),
    headerMarks: Uint8Array.from(kept, (row) => rows.headerMarks[row]),
    sequences: rows.sequences === null ? null : pickTexts(rows.sequences, kept),
    length: numbers(rows.length),
    gcBases: numbers(rows.gcBases),
    ambiguous: numbers(rows.ambiguous),
    line: numbers(rows.line),
    byte: numbers(rows.byte),
    invalidBase: Uint8Array.from(kept, (row) => rows.invalidBase[row]),
    invalidLine: numbers(rows.invalidLine),
    invalidByte: numbers(rows.invalidByte),
  };
}

function pickTexts({ offsets, data }: TextColumn, kept: readonly number[]): TextColumn {
  const lengths = kept.map((row) => offsets[row + 1] - offsets[row]);
  const picked = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  const pickedOffsets = new Int32Array(kept.length + 1);
  for (const [index, row] of kept.entries()) {
    picked.set(data.subarray(offsets[row], offsets[row + 1]), pickedOffsets[index]);
    pickedOffsets[index + 1] = pickedOffsets[index] + lengths[index];
  }
  return { offsets: pickedOffsets, data: picked };
}
