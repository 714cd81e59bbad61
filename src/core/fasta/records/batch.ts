/** A batch made of scanned rows. */
import type { FastaBatch, FastaHead } from "../text/fasta_batch.ts";
import { BASE_CLASS, PIPE, WHITE_SPACE } from "../text/bases.ts";
import type { ScannedRows } from "../scan/scanner.ts";
import { isAsciiText, textAt, type TextColumn } from "../text/text_column.ts";

/** Rows that a scanner found and that are good. */
export class ScannedBatch implements FastaBatch {
  readonly fields: readonly string[];
  readonly rows: number;
  readonly idLengths: Int32Array;
  readonly headers: TextColumn;
  readonly sequences: TextColumn | null;
  readonly length: Float64Array;
  readonly gcLetters: Float64Array;
  readonly ambiguous: Float64Array;
  readonly line: Float64Array;
  readonly byte: Float64Array;
  readonly #kind: FastaHead["kind"];
  #columns: readonly TextColumn[] | undefined;
  #ids: readonly string[] | undefined;

  constructor(head: FastaHead, scanned: ScannedRows) {
    this.fields = head.fields;
    this.rows = scanned.rows;
    this.idLengths = scanned.idLengths;
    this.headers = scanned.headers;
    this.sequences = scanned.sequences;
    this.length = scanned.length;
    this.gcLetters = scanned.gcBases;
    this.ambiguous = scanned.ambiguous;
    this.line = scanned.line;
    this.byte = scanned.byte;
    this.#kind = head.kind;
  }

  get ids(): readonly string[] {
    return this.#ids ??= beginnings(this.headers, this.idLengths);
  }

  get columns(): readonly TextColumn[] {
    return this.#columns ??= this.#kind === "registry"
      ? splitValues(this.headers, this.fields.length)
      : splitBlank(this.headers, this.idLengths);
  }

  gc(row: number): number | null {
    return gcShare(this.gcLetters[row], this.length[row] - this.ambiguous[row]);
  }
}

/** A share of bases; `null` if the total is 0. */
export function gcShare(gcBases: number, plainBases: number): number | null {
  return plainBases === 0 ? null : gcBases / plainBases;
}

/** Splits headers at `|`; the reader has made sure that each has as many values as there are fields. */
function splitValues({ offsets, data }: TextColumn, fields: number): TextColumn[] {
  const rows = offsets.length - 1;
  const columns = Array.from({ length: fields }, () => ({
    offsets: new Int32Array(rows + 1),
    data: new Uint8Array(Math.ceil((data.length + 16) / fields)),
  }));
  for (let row = 0, at = 0; row < rows; row++) {
    const end = offsets[row + 1];
    for (const [index, column] of columns.entries()) {
      const found = index === fields - 1 ? end : data.indexOf(PIPE, at);
      append(column, row, data, at, found);
      at = found + 1;
    }
    at = end;
  }
  return columns.map(trimmed);
}

/** Splits headers at the first blank, or run of blanks: id and description. */
function splitBlank({ offsets, data }: TextColumn, idLengths: Int32Array): TextColumn[] {
  const rows = offsets.length - 1;
  const columns = Array.from({ length: 2 }, () => ({
    offsets: new Int32Array(rows + 1),
    data: new Uint8Array(data.length),
  }));
  for (let row = 0; row < rows; row++) {
    const end = offsets[row + 1];
    const blank = offsets[row] + idLengths[row];
    let rest = blank;
    while (rest < end && isBlank(data[rest])) rest += 1;
    append(columns[0], row, data, offsets[row], blank);
    append(columns[1], row, data, rest, end);
  }
  return columns.map(trimmed);
}

function isBlank(byte: number): boolean {
  return BASE_CLASS[byte] === WHITE_SPACE;
}

/** The texts that the texts of a column begin with. */
function beginnings({ offsets, data }: TextColumn, lengths: Int32Array): string[] {
  const all = new TextDecoder("utf-8", { ignoreBOM: true }).decode(data);
  const isAscii = isAsciiText(data, all);
  return Array.from(lengths, (length, row) => {
    const start = offsets[row];
    return isAscii
      ? all.slice(start, start + length)
      : textAt({ offsets: Int32Array.of(start, start + length), data }, 0);
  });
}

interface GrowingColumn {
  offsets: Int32Array;
  data: Uint8Array;
}

function append(column: GrowingColumn, row: number, data: Uint8Array, start: number, end: number): void {
  let out = column.offsets[row];
  if (out + end - start > column.data.length) {
    const larger = new Uint8Array(Math.max(out + end - start, column.data.length * 2));
    larger.set(column.data.subarray(0, out));
    column.data = larger;
  }
  // A value is short: a loop is quicker than a view and a copy of it.
  for (let at = start; at < end; at++) column.data[out++] = data[at];
  column.offsets[row + 1] = out;
}

function trimmed({ offsets, data }: GrowingColumn): TextColumn {
  return { offsets, data: data.subarray(0, offsets[offsets.length - 1]) };
}
