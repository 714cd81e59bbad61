/**
 * The records and sequences of an import by row: what is found is fetched here.
 *
 * Files are written once, sequentially, and read by offset; a call reads adjacent records at once.
 */
import type { SequenceRecord, StoredRecord } from "../store/store.ts";
import type { CsvCells } from "@seqreg/core/io/csv";
import {
  type AccessionReader,
  createAccessions,
  numberIn,
  numberOf,
  openAccessions,
  type Twice,
} from "./_accession_file.ts";
import { createRows, openRows } from "./_row_file.ts";
import { createSequences, openSequences } from "./_sequence_file.ts";

/** Writes records, in the order of the archives. */
export interface RecordsWriter {
  /** Appends records: their values, the accession among them. */
  add(records: readonly (readonly string[])[]): void;
  /** Appends records as bytes. Gives false, and keeps none, when one must be looked at as texts. */
  addCells(cells: CsvCells): boolean;
  /**
   * Ends: puts the accessions in order. Gives the first accession that is there twice, with both rows, or `undefined`
   * when all differ and everything is lasting.
   */
  finish(): Promise<Twice | undefined>;
}

/** Writes the sequences of records that are written already. */
export interface RecordSequencesWriter extends Disposable {
  /** Records that have a sequence. */
  readonly count: number;
  /**
   * Appends the sequences of accessions; those of unknown accessions are left out.
   *
   * @returns Indices of the accessions that are unknown, and the first whose record has a sequence already.
   */
  add(accessions: readonly string[], sequences: readonly string[]): {
    readonly unknown: readonly number[];
    readonly second: number | undefined;
  };
  /**
   * Appends sequences as bytes, `column` being that of the accessions. Gives false, and keeps none, when they must be
   * looked at as texts.
   */
  addCells(cells: CsvCells, column: number): boolean;
  /** Ends: everything is lasting then. */
  finish(): Promise<void>;
}

/** Reads records and sequences by row. */
export interface RecordsReader extends Disposable {
  /** Yields the values of rows, in the order of the rows that are asked for. */
  values(rows: readonly number[]): string[][];
  /** Yields records of rows, in the order of the rows that are asked for. */
  records(rows: readonly number[]): StoredRecord[];
  /** Yields the same in batches of about `maxBytes` bytes of values, or one record. */
  batches(rows: readonly number[], maxBytes: number): Generator<StoredRecord[]>;
  /** The same with sequences; each batch holds at most `maxBytes` bytes of them, and about as many of values. */
  withSequences(rows: readonly number[], maxBytes: number): Generator<SequenceRecord[]>;
  /** Finds the rows of accessions, in their order; unknown ones are left out. */
  rowsOf(accessions: readonly string[]): number[];
}

/** How the records of an import look. */
export interface RecordsShape {
  readonly recordCount: number;
  /** Values of each. */
  readonly width: number;
  /** Index of the accession among the values. */
  readonly accessionField: number;
}

/** Makes the files of records in a folder. */
export function createRecords(
  folder: string,
  { width, accessionField }: Omit<RecordsShape, "recordCount">,
): RecordsWriter {
  const rows = createRows(folder, width);
  const accessions = createAccessions(folder);
  return {
    add(records) {
      rows.add(records);
      for (const values of records) accessions.add(numberOf(values[accessionField]));
    },
    addCells(cells) {
      const numbers = cells.plain ? numbersIn(cells, accessionField) : undefined;
      if (numbers === undefined) return false;
      rows.addCells(cells);
      for (const number of numbers) accessions.add(number);
      return true;
    },
    async finish() {
      const twice = await accessions.finish();
      if (twice === undefined) await rows.finish();
      return twice;
    },
  };
}

/** Creates the files of sequences next to finished records. */
export function createRecordSequences(folder: string, recordCount: number): RecordSequencesWriter {
  using opening = new DisposableStack();
  const accessions: AccessionReader = opening.use(openAccessions(folder, recordCount));
  const file = opening.use(createSequences(folder, recordCount));
  const stack = opening.move();
  let guess = 0;
  return {
    get count() {
      return file.count;
    },
    add(names, sequences) {
      const rows: number[] = [];
      const unknown: number[] = [];
      for (let at = 0; at < names.length; at++) {
        const row = accessions.rowNear(numberOf(names[at]), guess);
        if (row === undefined) {
          unknown.push(at);
          continue;
        }
        rows.push(row);
        guess = row + 1;
      }
      const skipped = new Set(unknown);
      const known = unknown.length === 0 ? sequences : sequences.filter((_, at) => !skipped.has(at));
      const second = file.add(rows, known);
      if (second === -1) return { unknown, second: undefined };
      const indices = names.map((_, at) => at).filter((at) => !skipped.has(at));
      return { unknown, second: indices[second] };
    },
    addCells(cells, column) {
      const numbers = numbersIn(cells, column);
      if (numbers === undefined) return false;
      let next = guess;
      for (let at = 0; at < numbers.length; at++) {
        const row = accessions.rowNear(numbers[at], next);
        if (row === undefined) return false;
        numbers[at] = row;
        next = row + 1;
      }
      if (!file.addCells(numbers, cells, 1 - column)) return false;
      guess = next;
      return true;
    },
    finish: () => file.finish(),
    [Symbol.dispose]: () => stack.dispose(),
  };
}

/** Parses the numbers of accessions; `undefined` if a cell is invalid. */
function numbersIn({ bytes, ends, width, count }: CsvCells, column: number): Float64Array | undefined {
  const numbers = new Float64Array(count);
  for (let row = 0, cell = column; row < count; row++, cell += width) {
    numbers[row] = numberIn(bytes, cell === 0 ? 0 : ends[cell - 1] + 1, ends[cell]);
    if (numbers[row] === -1) return undefined;
  }
  return numbers;
}

export function openRecords(folder: string, { recordCount, width, accessionField }: RecordsShape): RecordsReader {
  using opening = new DisposableStack();
  const rowFile = opening.use(openRows(folder, recordCount, width));
  const accessions = opening.use(openAccessions(folder, recordCount));
  const sequences = opening.use(openSequences(folder));
  const stack = opening.move();
  const records = (rows: readonly number[]): StoredRecord[] =>
    rowFile.read(rows).map((values) => ({ accession: values[accessionField], values }));
  return {
    values: rowFile.read,
    records,
    *batches(rows, maxBytes) {
      for (const run of rowFile.runs(rows, maxBytes)) yield records(run);
    },
    *withSequences(rows, maxBytes) {
      for (const run of rowFile.runs(rows, maxBytes)) {
        let start = 0;
        for (const part of sequences.read(run, maxBytes)) {
          const end = start + part.length;
          yield records(run.slice(start, end)).map((record, at) => ({ ...record, sequence: part[at] }));
          start = end;
        }
      }
    },
    rowsOf(names) {
      const rows: number[] = [];
      for (const name of names) {
        const row = accessions.rowOf(name);
        if (row !== undefined) rows.push(row);
      }
      return rows;
    },
    [Symbol.dispose]: () => stack.dispose(),
  };
}
