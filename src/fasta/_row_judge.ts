/** Judges scanned rows: which are good, which are kept with a problem, which are left out. */
import { isBlank, ScannedBatch } from "./_batch.ts";
import type { FastaBatch, FastaHead } from "./fasta_batch.ts";
import { IdSet } from "./_id_set.ts";
import { PIPE } from "./_letters.ts";
import type { ProblemLog } from "./_problem_log.ts";
import type { ScannedRows } from "./_scanner.ts";
import { type TextColumn, textsOf } from "./text_column.ts";

/** Judges the rows of one reading, batch after batch. */
export class RowJudge {
  readonly #head: FastaHead;
  readonly #log: ProblemLog;
  readonly #seen = new IdSet();

  constructor(head: FastaHead, log: ProblemLog) {
    this.#head = head;
    this.#log = log;
  }

  /** Makes a batch of the rows that are kept; `undefined` when none is. */
  judge(rows: ScannedRows): FastaBatch | undefined {
    const headers = textsOf(rows.headers);
    const ids: string[] = [];
    const kept: number[] = [];
    for (let row = 0; row < rows.rows; row++) {
      const id = this.#idOf(headers[row]);
      if (this.#head.kind === "registry" && !this.#hasAllValues(rows, row, id, headers[row])) continue;
      this.#noteOddities(rows, row, id, headers[row]);
      ids.push(id);
      kept.push(row);
    }
    this.#log.received += kept.length;
    this.#log.isBlind = this.#seen.isOverfull;
    if (kept.length === 0) return undefined;
    return new ScannedBatch(this.#head, kept.length === rows.rows ? rows : pick(rows, kept), ids);
  }

  #idOf(header: string): string {
    if (this.#head.kind === "registry") {
      const pipe = header.indexOf("|");
      return pipe < 0 ? header : header.slice(0, pipe);
    }
    let end = 0;
    while (end < header.length && !isBlank(header.charCodeAt(end))) end += 1;
    return header.slice(0, end);
  }

  #hasAllValues(rows: ScannedRows, row: number, id: string, header: string): boolean {
    const { offsets, data } = rows.headers;
    const end = offsets[row + 1];
    let values = 1;
    for (let at = offsets[row]; at < end; at++) if (data[at] === PIPE) values += 1;
    const fields = this.#head.fields.length;
    if (values === fields) return true;
    this.#log.add("values", {
      ...placeOf(rows, row, id),
      value: header.slice(0, 200),
      reason: `the header holds ${values} values, ;fields= names ${fields}${
        values > fields ? '; a value may hold a raw "|"' : ""
      }`,
      kept: false,
    });
    return false;
  }

  #noteOddities(rows: ScannedRows, row: number, id: string, header: string): void {
    if (rows.oddByte[row] >= 0) {
      const letter = rows.oddLetter[row];
      const code = `0x${letter.toString(16).padStart(2, "0")}`;
      this.#log.add("oddLetter", {
        id,
        line: rows.oddLine[row],
        byte: rows.oddByte[row],
        field: "sequence",
        value: letter > 0x20 && letter < 0x7f ? String.fromCharCode(letter) : code,
        reason: letter === 0x3e
          ? '">" inside a sequence: a line end may be lost before it'
          : letter > 0x20 && letter < 0x7f
          ? `${JSON.stringify(String.fromCharCode(letter))} is no letter of a sequence`
          : `the byte ${code} is no letter of a sequence`,
        kept: true,
      });
    }
    if (rows.length[row] === 0) this.#note("emptySequence", rows, row, id, "the sequence is empty");
    if (id === "") {
      this.#note("emptyHeader", rows, row, id, "the header is empty or begins with a blank: the record has no id");
    } else if (this.#seen.seen(id)) {
      this.#log.duplicates += 1;
      this.#note("duplicate", rows, row, id, "the id came before");
    }
    if (header.includes("\r")) {
      this.#note("headerBreak", rows, row, id, "the header holds a carriage return: old Macintosh line ends?");
    }
    if (header.includes("\uFFFD") && !isUtf8(rows.headers, row)) {
      this.#note("headerText", rows, row, id, "the header is not UTF-8: its faulty bytes are read as U+FFFD");
    }
  }

  #note(
    kind: "emptySequence" | "emptyHeader" | "duplicate" | "headerBreak" | "headerText",
    rows: ScannedRows,
    row: number,
    id: string,
    reason: string,
  ): void {
    this.#log.add(kind, { ...placeOf(rows, row, id), reason, kept: true });
  }
}

function placeOf(rows: ScannedRows, row: number, id: string): { id: string; line: number; byte: number } {
  return { id, line: rows.line[row], byte: rows.byte[row] };
}

function isUtf8({ offsets, data }: TextColumn, row: number): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(data.subarray(offsets[row], offsets[row + 1]));
    return true;
  } catch {
    return false;
  }
}

/** Copies the columns with only some of their rows. */
function pick(rows: ScannedRows, kept: readonly number[]): ScannedRows {
  const numbers = (column: Float64Array) => Float64Array.from(kept, (row) => column[row]);
  return {
    rows: kept.length,
    headers: pickTexts(rows.headers, kept),
    sequences: rows.sequences === null ? null : pickTexts(rows.sequences, kept),
    length: numbers(rows.length),
    gcLetters: numbers(rows.gcLetters),
    ambiguous: numbers(rows.ambiguous),
    line: numbers(rows.line),
    byte: numbers(rows.byte),
    oddLetter: Uint8Array.from(kept, (row) => rows.oddLetter[row]),
    oddLine: numbers(rows.oddLine),
    oddByte: numbers(rows.oddByte),
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
