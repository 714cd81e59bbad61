/** Hashes the rows of both tables into files, and finds those that have to be looked at. */
import { RegistryError } from "@seqreg/core/errors";
import { type ScratchSql, sqlText } from "@seqreg/core/engine/local/scratch_sql";
import { rawTexts } from "../columns.ts";
import {
  type ComparedTables,
  conditionOf,
  hashedCell,
  keyOf,
  mayRepeat,
  nameIn,
  sideOf,
  type Version,
  VERSIONS,
} from "./_compared_tables.ts";
import { alignHashes } from "./hashes/align_hashes.ts";
import { GatheredFile, HashReader } from "./hashes/hash_file.ts";
import { type RecordLayout, RowSet } from "./hashes/hash_record.ts";
import { joinHashes } from "./hashes/join_hashes.ts";
import type { RenamedColumn } from "./propose_renames.ts";

/** Columns whose cells share a hash, about, and the most hashes of a row. */
const COLUMNS_A_HASH = 16;
const MOST_HASHES = 4;

/** The word of a name's hash by which its group is found. */
const LOW_WORD = 0xFFFFFFFFn;

/** Rows that are appended to a table at once, at least. */
const APPENDED_ROWS = 50_000;

/** Columns of a table by the hash of a row that their cells are in: `h0`, `h1`, … of `old_open` and `new_open`. */
export type ColumnGroups = readonly (readonly RenamedColumn[])[];

/** How many rows of a version were hashed. */
interface HashedTable {
  readonly file: string;
  readonly rows: number;
  /** Those that are compared. */
  readonly compared: number;
  /** Those without a key. */
  readonly keyless: number;
}

/** Both tables with hashes of their rows. */
export interface HashedTables {
  readonly old: HashedTable;
  readonly new: HashedTable;
  readonly groups: ColumnGroups;
}

/**
 * Makes `old_open` and `new_open`: the number of each row that has a key and no equal partner, or shares its key, from
 * 0, and its hashes.
 */
export async function findOpenRows(sql: ScratchSql, tables: ComparedTables): Promise<HashedTables> {
  const groups = columnGroups(tables.columns);
  // One after the other: a database needs memory for each file that it reads.
  const hashed: HashedTable[] = [];
  for (const version of VERSIONS) hashed.push(await hashRows(sql, tables, { version, groups }));
  const [old, now] = hashed;
  const layout = layoutOf(groups);
  const versions = {
    files: [old.file, now.file],
    rows: [old.rows, now.rows],
    layout,
    sample: 0,
    ...sql.signal && { signal: sql.signal },
  } as const;
  const open = [sql.newPath(), sql.newPath()] as const;
  const mayRepeatIn = [mayRepeat(tables, "old"), mayRepeat(tables, "new")] as const;
  const { openRows, ...aligned } = await alignHashes({ ...versions, open, mayRepeat: mayRepeatIn });
  const joined = await joinHashes({ ...versions, files: open, openRows: openRows[0] });
  const kept = aligned.kept.map((bits, version) => {
    const rows = new RowSet(bits);
    rows.addAll(joined.kept[version]);
    return rows;
  });
  for (const path of open) await Deno.remove(path);
  for (const [index, version] of VERSIONS.entries()) {
    await insertOpen(sql, `${version}_open`, { file: hashed[index].file, layout, kept: kept[index] });
    await Deno.remove(hashed[index].file);
  }
  return { old, new: now, groups };
}

function columnGroups(columns: readonly RenamedColumn[]): ColumnGroups {
  const count = Math.min(MOST_HASHES, Math.max(1, Math.ceil(columns.length / COLUMNS_A_HASH)));
  const size = Math.ceil(columns.length / count);
  return Array.from({ length: count }, (_, group) => columns.slice(group * size, (group + 1) * size));
}

/** A hash of the key, of 64 bits, and one of each group of cells. */
function layoutOf(groups: ColumnGroups): RecordLayout {
  const words = 2 + 2 * groups.length;
  return { words, keyWords: 2, comparedWords: words };
}

/** How one version is hashed. */
interface HashRequest {
  readonly version: Version;
  readonly groups: ColumnGroups;
}

/** Hashes the rows of one version in their order. */
async function hashRows(sql: ScratchSql, tables: ComparedTables, request: HashRequest): Promise<HashedTable> {
  const { version, groups } = request;
  const key = keyOf(tables, version);
  const only = conditionOf(tables, version);
  const isCompared = only ?? "true";
  const hashes = groups.map((group) =>
    `hash(${[key, ...group.map((pair) => hashedCell(tables, pair, version))].join(", ")})`
  );
  // Rows that are left out are there too: texts of a row, and its key, are found by its number.
  const query = `SELECT CASE WHEN ${key} IS NULL OR NOT ${isCompared} THEN 0 ELSE greatest(hash(${key}), 1) END, ` +
    `${hashes.join(", ")}, ${isCompared} FROM ${await sql.parquet(sideOf(tables, version).files)}`;
  await using texts = await TextHashes.open(sql, tables, request);
  const file = sql.newPath();
  using out = new GatheredFile(file);
  let [rows, compared, keyless] = [0, 0, 0];
  const { words } = layoutOf(groups);
  for await (const batch of sql.stream(query)) {
    const records = new Uint32Array(batch.rows * words);
    for (let column = 0; column < words / 2; column++) {
      const values = batch.words(column);
      for (let from = 0, to = 2 * column; from < values.length; from += 2, to += words) {
        records[to] = values[from];
        records[to + 1] = values[from + 1];
      }
    }
    const areCompared = only === undefined ? undefined : batch.column(words / 2);
    for (let row = 0; row < batch.rows; row++) {
      if (areCompared?.[row] === false) continue;
      compared++;
      if ((records[row * words] | records[row * words + 1]) === 0) keyless++;
    }
    await texts.addTo(records, rows, words);
    rows += batch.rows;
    out.append(new Uint8Array(records.buffer));
  }
  out.flush();
  return { file, rows, compared, keyless };
}

/** Hashes of the texts that typed columns do not hold, which are added to those of the rows that they stand in. */
class TextHashes {
  /** Groups of the fields that are compared, by the hashes of their names. */
  readonly #groups: ReadonlyMap<number, number>;
  readonly #batches: AsyncGenerator<TextBatch>;
  #batch: TextBatch = { rows: 0, row: new Uint32Array(0), field: new Uint32Array(0), hash: new Uint32Array(0) };
  #at = 0;
  #isOver = false;

  private constructor(groups: ReadonlyMap<number, number>, batches: AsyncGenerator<TextBatch>) {
    this.#groups = groups;
    this.#batches = batches;
  }

  static async open(sql: ScratchSql, tables: ComparedTables, request: HashRequest): Promise<TextHashes> {
    const side = sideOf(tables, request.version);
    const names = request.groups.map((group) => group.map((pair) => nameIn(pair, request.version)));
    const isNone = side.raw.length === 0 || names.flat().length === 0;
    const hashes = isNone ? [] : await sql.all(`SELECT ${names.flat().map((name) => `hash(${sqlText(name)})`)}`);
    const groupOf = names.flatMap((group, index) => group.map(() => index));
    const groups = new Map(
      (hashes[0] ?? []).map((hash, index) => [Number((hash as bigint) & LOW_WORD), groupOf[index]]),
    );
    return new TextHashes(groups, readTexts(sql, isNone ? undefined : await rawTexts(sql, side)));
  }

  /** Adds those of the rows from `first` to the records of these rows. */
  async addTo(records: Uint32Array, first: number, words: number): Promise<void> {
    const end = first + records.length / words;
    while (!this.#isOver) {
      const { rows, row, field, hash } = this.#batch;
      for (; this.#at < rows; this.#at++) {
        const low = 2 * this.#at;
        const number = row[low] + row[low + 1] * 2 ** 32 - 1;
        if (number >= end) return;
        if (number < first) throw unsorted();
        const group = this.#groups.get(field[low]);
        if (group === undefined) continue;
        const at = (number - first) * words + 2 + 2 * group;
        records[at] ^= hash[low];
        records[at + 1] ^= hash[low + 1];
      }
      const { done, value } = await this.#batches.next();
      if (done) this.#isOver = true;
      else [this.#batch, this.#at] = [value, 0];
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#batches.return(undefined);
  }
}

/** Texts as words of 32 bits, two each. */
interface TextBatch {
  readonly rows: number;
  /** From 1. */
  readonly row: Uint32Array;
  readonly field: Uint32Array;
  readonly hash: Uint32Array;
}

async function* readTexts(sql: ScratchSql, texts: string | undefined): AsyncGenerator<TextBatch> {
  if (texts === undefined) return;
  // A condition on names would be a join, which loses the order of the files.
  const query = `SELECT row::BIGINT, hash(field), hash(field, value) FROM ${texts}`;
  for await (const { rows, words } of sql.stream(query)) {
    const [row, field, hash] = [0, 1, 2].map((index) => words(index).slice());
    yield { rows, row, field, hash };
  }
}

function unsorted(): RegistryError {
  return new RegistryError(
    "damaged",
    "Cannot compare the tables: a lake's texts are not in the order of its rows; build the lake again: seqreg lake",
  );
}

/** Makes a table of rows that are kept: `row`, and their hashes, `h0` and so on. */
async function insertOpen(
  sql: ScratchSql,
  table: string,
  { file, layout, kept }: { readonly file: string; readonly layout: RecordLayout; readonly kept: RowSet },
): Promise<void> {
  const width = layout.words / 2;
  const names = Array.from({ length: width - 1 }, (_, index) => `, h${index} UBIGINT`).join("");
  await sql.run(`CREATE OR REPLACE TABLE ${table} (row BIGINT${names})`);
  using reader = new HashReader(file, layout);
  const records = new BigUint64Array(reader.words.buffer);
  const columns: bigint[][] = Array.from({ length: width }, () => []);
  for (; !reader.isOver; await reader.fill(sql.signal)) {
    for (; reader.at < reader.end; reader.next()) {
      const { row, at } = reader;
      if (!kept.has(row)) continue;
      const record = at / 2;
      if (records[record] === 0n) continue;
      columns[0].push(BigInt(row));
      for (let index = 1; index < width; index++) columns[index].push(records[record + index]);
    }
    if (columns[0].length < APPENDED_ROWS) continue;
    await sql.append(table, columns);
    for (const column of columns) column.length = 0;
  }
  await sql.append(table, columns);
}
