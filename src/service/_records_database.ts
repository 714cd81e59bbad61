/**
 * The records and sequences by row, in SQLite: what is found is fetched here.
 *
 * Rows are fetched a few hundred at a time in one statement that is read to its end, so that no statement stays open
 * while a slow client reads, and the cost of a call is paid once for many rows.
 */
import type { DatabaseSync } from "node:sqlite";
import type { SequenceRecord, StoredRecord } from "./store.ts";

/** Writes records and sequences, in the order of the archives. */
export interface RecordsWriter {
  /** Adds a record; `row` counts from 0. */
  addRecord(row: number, accession: string, values: readonly string[]): void;
  /** Adds the sequence of a record. Gives false when the record has one already. */
  addSequence(row: number, letters: string): boolean;
  /** Finds the row of an accession, `undefined` for none; the index must be built. */
  findRow(accession: string): number | undefined;
  /** Builds the index of accessions; gives one that is there twice, with both rows, or `undefined` when all differ. */
  indexAccessions(): { accession: string; rows: [number, number] } | undefined;
  /** Counts records without a sequence. */
  countWithoutSequence(): number;
  /** Makes everything lasting, or gives up, and closes. */
  close(): void;
}

/** Reads records and sequences by row. */
export interface RecordsReader extends Disposable {
  /** Gives records of rows, in the order of the rows that are asked for. */
  records(rows: readonly number[]): StoredRecord[];
  /** The same with sequences; each batch holds at most `maxLetters` of them, or one record. */
  withSequences(rows: readonly number[], maxLetters: number): Generator<SequenceRecord[]>;
  /** Finds the rows of accessions, in their order; unknown ones are left out. */
  rowsOf(accessions: readonly string[]): number[];
}

/** Makes the tables of a new database. */
export async function createRecords(path: string): Promise<RecordsWriter> {
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(path);
  // The file is thrown away if it is not finished: a journal would only double the writing.
  database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 16384");
  database.exec("CREATE TABLE record (row INTEGER PRIMARY KEY, accession TEXT NOT NULL, vals TEXT NOT NULL)");
  database.exec("CREATE TABLE sequence (row INTEGER PRIMARY KEY, length INTEGER NOT NULL, letters TEXT NOT NULL)");
  database.exec("BEGIN");
  const insertRecord = database.prepare("INSERT INTO record VALUES (?, ?, ?)");
  const insertSequence = database.prepare("INSERT OR IGNORE INTO sequence VALUES (?, ?, ?)");
  const find = database.prepare("SELECT row FROM record WHERE accession = ?");
  return {
    addRecord: (row, accession, values) => void insertRecord.run(row, accession, JSON.stringify(values)),
    addSequence: (row, letters) => insertSequence.run(row, letters.length, letters).changes === 1,
    findRow(accession) {
      const row = find.get(accession)?.row;
      return row === undefined ? undefined : Number(row);
    },
    indexAccessions() {
      database.exec("CREATE INDEX record_accession ON record (accession)");
      const twice = database.prepare(
        "SELECT a.accession AS accession, a.row AS first, min(b.row) AS second FROM record a JOIN record b " +
          "ON a.accession = b.accession AND a.row < b.row GROUP BY a.row ORDER BY a.row LIMIT 1",
      ).get();
      if (twice === undefined) return undefined;
      return { accession: String(twice.accession), rows: [Number(twice.first), Number(twice.second)] };
    },
    countWithoutSequence: () =>
      Number(
        database.prepare("SELECT (SELECT count(*) FROM record) - (SELECT count(*) FROM sequence) AS n").get()?.n,
      ),
    close() {
      if (database.isTransaction) database.exec("COMMIT");
      database.close();
    },
  };
}

/** Opens a finished database. */
export async function openRecords(path: string): Promise<RecordsReader> {
  const { DatabaseSync } = await import("node:sqlite");
  const database: DatabaseSync = new DatabaseSync(path, { readOnly: true });
  database.exec("PRAGMA query_only = 1");
  // json_each keeps the order of its array and takes one parameter however many rows there are.
  const byRow = database.prepare(
    "SELECT r.accession AS accession, r.vals AS vals FROM json_each(?) e JOIN record r ON r.row = e.value ORDER BY e.key",
  );
  const lengths = database.prepare(
    "SELECT coalesce(s.length, 0) AS length FROM json_each(?) e LEFT JOIN sequence s ON s.row = e.value ORDER BY e.key",
  );
  const sequences = database.prepare(
    "SELECT s.letters AS letters FROM json_each(?) e LEFT JOIN sequence s ON s.row = e.value ORDER BY e.key",
  );
  const byAccession = database.prepare(
    "SELECT r.row AS row FROM json_each(?) e JOIN record r ON r.accession = e.value ORDER BY e.key",
  );
  const records = (rows: readonly number[]): StoredRecord[] =>
    byRow.all(JSON.stringify(rows)).map(({ accession, vals }) => ({
      accession: String(accession),
      values: readValues(vals),
    }));
  return {
    records,
    *withSequences(rows, maxLetters) {
      const counts = lengths.all(JSON.stringify(rows)).map(({ length }) => Number(length));
      for (let start = 0; start < rows.length;) {
        let end = start + 1;
        for (let sum = counts[start]; end < rows.length && sum + counts[end] <= maxLetters; end++) sum += counts[end];
        const part = rows.slice(start, end);
        const letters = sequences.all(JSON.stringify(part));
        yield records(part).map((record, index) => {
          const sequence = letters[index].letters;
          return { ...record, sequence: typeof sequence === "string" ? sequence : undefined };
        });
        start = end;
      }
    },
    rowsOf: (accessions) => byAccession.all(JSON.stringify(accessions)).map(({ row }) => Number(row)),
    [Symbol.dispose]: () => database.close(),
  };
}

function readValues(text: unknown): string[] {
  const values: unknown = JSON.parse(String(text));
  if (!isTexts(values)) throw new TypeError("Cannot read a record of the import: expected an array of texts");
  return values;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}
