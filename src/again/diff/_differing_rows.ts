/**
 * Finds the records that differ between two tables, without holding either in memory.
 *
 * Each row becomes the hash of its key and the hash of its compared cells, 16 bytes; the hashes of both versions are
 * joined, a part of all keys at a time. Only rows whose hashes differ are read again, in the order of their keys, into
 * the tables `old_rows` and `new_rows` of a database that spills to the disk.
 */
import { type ScratchSql, sqlName, sqlText } from "@seqreg/core/engine/local/scratch_sql";
import { cellText, rawTexts } from "../columns.ts";
import type { RowCondition } from "./_as_of.ts";
import type { SideColumn, SideTable } from "../open_side.ts";
import type { RenamedColumn } from "./propose_renames.ts";

/** Keys that one join holds in memory, about. */
const KEYS_AT_ONCE = 2_000_000;

/** Keys of duplicates that are listed. */
const LISTED_DUPLICATES = 10_000;

/** Two tables, and what of them is compared. */
export interface ComparedTables {
  readonly before: SideTable;
  readonly after: SideTable;
  /** Column that identifies a record, by its old and new name; absent where a whole row identifies itself. */
  readonly key?: RenamedColumn;
  /** Columns whose cells are compared, the key not among them. */
  readonly columns: readonly RenamedColumn[];
  /** Condition on the rows of each version; all rows without it. */
  readonly only?: readonly [before: RowCondition, after: RowCondition];
}

/** What differs, by number. */
export interface DifferingRows {
  /** Rows compared of the old and of the new version, those without a key included. */
  readonly old: number;
  readonly new: number;
  readonly added: number;
  readonly removed: number;
  /** Records in both versions whose hashes differ; their cells may still be equal. */
  readonly suspects: number;
  /** Rows without a key, of both versions. */
  readonly keyless: number;
  /** Those of the old version. */
  readonly oldKeyless: number;
  /** Keys that stand in more than one row of a version, the first 10,000 of them, sorted. */
  readonly duplicate: readonly string[];
  /** Number of those keys. */
  readonly duplicates: number;
  /** Those of them whose rows differ between the versions: they are not compared. */
  readonly differingDuplicates: number;
  /** Those keys, the first 10,000 of them, sorted. */
  readonly differing: readonly string[];
  /** Rows of the old version with such a key. */
  readonly oldRowsOfThem: number;
}

/** Names of the scratch tables of one version. */
export const VERSIONS = ["old", "new"] as const;

/** The version of a scratch table. */
export type Version = typeof VERSIONS[number];

/**
 * Fills `work` (`idx` from 0 in the order of keys, `key`, `kind`), `old_rows` and `new_rows` (`idx` and the columns of
 * that version) and `old_raw`, `new_raw` (`idx`, `field`, `value`).
 */
export async function findDifferingRows(sql: ScratchSql, tables: ComparedTables): Promise<DifferingRows> {
  const counts: Record<string, number>[] = [];
  for (const version of VERSIONS) counts.push(await hashRows(sql, tables, version));
  const [before, after] = counts;
  await findSuspects(sql, tables, Math.max(before.rows, after.rows));
  const summary = await summarize(sql);
  for (const version of VERSIONS) await readSuspects(sql, tables, version);
  return {
    old: before.rows,
    new: after.rows,
    keyless: before.keyless + after.keyless,
    oldKeyless: before.keyless,
    ...summary,
  };
}

/** Makes `old_keys` or `new_keys` in the order of rows: hash of the key, null without one, and hash of the cells. */
async function hashRows(sql: ScratchSql, tables: ComparedTables, version: Version): Promise<Record<string, number>> {
  const side = sideOf(tables, version);
  const cells = tables.columns.map((pair) => hashedCell(tables, pair, version));
  const key = keyOf(tables, version);
  const hash = `hash(${[key, ...cells].join(", ")})`;
  const keys = `${version}_keys`;
  const only = conditionOf(tables, version);
  // Rows that are left out are there too: texts of a row, and its key, are found by its number.
  const hasKey = `${key} IS NOT NULL${only === undefined ? "" : ` AND ${only}`}`;
  await sql.run(
    `CREATE OR REPLACE TABLE ${keys} AS SELECT CASE WHEN ${hasKey} THEN hash(${key}) END AS kh, ${hash} AS h` +
      `${only === undefined ? "" : `, ${only} AS is_compared`} FROM ${await sql.parquet(side.files)}`,
  );
  const names = tables.columns.map((pair) => sqlText(nameIn(pair, version)));
  if (side.raw.length > 0 && names.length > 0) {
    await sql.run(
      `UPDATE ${keys} SET h = xor(h, texts.th) FROM (SELECT row - 1 AS row, bit_xor(hash(field, value)) AS th ` +
        `FROM ${await rawTexts(sql, side)} WHERE field IN (${names.join(", ")}) GROUP BY row) texts ` +
        `WHERE ${keys}.rowid = texts.row`,
    );
  }
  const compared = only === undefined ? "count(*)" : "count(*) FILTER (WHERE is_compared)";
  const keyless = only === undefined ? "kh IS NULL" : "is_compared AND kh IS NULL";
  const [[total, missing]] = await sql.all(`SELECT ${compared}, count(*) FILTER (WHERE ${keyless}) FROM ${keys}`);
  return { rows: Number(total), keyless: Number(missing) };
}

/** Makes `work`: the keys whose rows differ, and those that stand in several rows. */
async function findSuspects(sql: ScratchSql, tables: ComparedTables, rows: number): Promise<void> {
  const parts = Math.max(1, Math.ceil(rows / KEYS_AT_ONCE));
  await sql.run("CREATE OR REPLACE TABLE suspects (kh UBIGINT)");
  for (let part = 0; part < parts; part++) {
    const only = parts === 1 ? "kh IS NOT NULL" : `kh % ${parts} = ${part}`;
    const keys = (version: Version) => `(SELECT kh, h FROM ${version}_keys WHERE ${only})`;
    await sql.run(
      `INSERT INTO suspects SELECT coalesce(o.kh, n.kh) FROM ${keys("old")} o FULL JOIN ${keys("new")} n ` +
        "ON o.kh = n.kh WHERE o.h IS DISTINCT FROM n.h",
    );
    for (const version of VERSIONS.filter((version) => mayRepeat(tables, version))) {
      await sql.run(
        `INSERT INTO suspects SELECT kh FROM ${version}_keys WHERE ${only} GROUP BY kh HAVING count(*) > 1`,
      );
    }
  }
  for (const version of VERSIONS) {
    const rows = await keyedRows(sql, tables, { version, only: "kh IN (SELECT kh FROM suspects)" });
    await sql.run(
      `CREATE OR REPLACE TABLE ${version}_found AS ` +
        `SELECT key, count(*) AS rows, min(row) AS row, sum(h::HUGEINT) AS h FROM (${rows}) GROUP BY key`,
    );
  }
  await sql.run(
    "CREATE OR REPLACE TABLE work AS SELECT row_number() OVER (ORDER BY key) - 1 AS idx, * FROM (" +
      "SELECT coalesce(o.key, n.key) AS key, o.row AS old_row, n.row AS new_row, " +
      "coalesce(o.rows, 0) AS old_rows, coalesce(n.rows, 0) AS new_rows, " +
      "CASE WHEN o.rows > 1 OR n.rows > 1 THEN " +
      "CASE WHEN o.rows = n.rows AND o.h = n.h THEN 'repeated' ELSE 'unclear' END " +
      "WHEN o.rows IS NULL THEN 'added' WHEN n.rows IS NULL THEN 'removed' " +
      "WHEN o.h <> n.h THEN 'changed' END AS kind " +
      "FROM old_found o FULL JOIN new_found n ON o.key = n.key) WHERE kind IS NOT NULL ORDER BY key",
  );
  for (const table of ["suspects", "old_found", "new_found"]) await sql.run(`DROP TABLE ${table}`);
}

/** Those rows of `old_keys` or `new_keys` that fulfil a condition: `row` from 0, `h`, and the text of their `key`. */
export async function keyedRows(
  sql: ScratchSql,
  tables: ComparedTables,
  { version, only }: { readonly version: Version; readonly only: string },
): Promise<string> {
  const files = await sql.parquet(sideOf(tables, version).files);
  // Without ORDER BY, this numbers rows in the order of the files.
  return `SELECT row, h, key FROM (SELECT row_number() OVER () - 1 AS row, ${keyOf(tables, version)} AS key ` +
    `FROM ${files}) JOIN (SELECT rowid AS row, h FROM ${version}_keys WHERE ${only}) USING (row)`;
}

async function summarize(sql: ScratchSql): Promise<Omit<DifferingRows, "old" | "new" | "keyless" | "oldKeyless">> {
  const [[added, removed, suspects, duplicates, unclear, oldRowsOfThem]] = await sql.all(
    "SELECT count(*) FILTER (kind = 'added'), count(*) FILTER (kind = 'removed'), count(*) FILTER (kind = 'changed'), " +
      "count(*) FILTER (kind IN ('repeated', 'unclear')), count(*) FILTER (kind = 'unclear'), " +
      "coalesce(sum(old_rows) FILTER (kind = 'unclear'), 0) FROM work",
  );
  const keysOf = async (kinds: string) =>
    (await sql.all(`SELECT key FROM work WHERE kind IN (${kinds}) ORDER BY key LIMIT ${LISTED_DUPLICATES}`))
      .map(([key]) => String(key));
  return {
    added: Number(added),
    removed: Number(removed),
    suspects: Number(suspects),
    duplicates: Number(duplicates),
    differingDuplicates: Number(unclear),
    oldRowsOfThem: Number(oldRowsOfThem),
    duplicate: await keysOf("'repeated', 'unclear'"),
    differing: await keysOf("'unclear'"),
  };
}

async function readSuspects(sql: ScratchSql, tables: ComparedTables, version: Version): Promise<void> {
  const side = sideOf(tables, version);
  const columns = side.columns.map(({ name }) => `r.${sqlName(name)}`).join(", ");
  const kinds = version === "old" ? "('changed', 'removed')" : "('changed', 'added')";
  const only = conditionOf(tables, version, "r.");
  await sql.run(
    `CREATE OR REPLACE TABLE ${version}_rows AS SELECT w.idx${columns === "" ? "" : `, ${columns}`} ` +
      `FROM ${await sql.parquet(side.files)} r JOIN work w ON ${keyOf(tables, version, "r.")} = w.key ` +
      `WHERE w.kind IN ${kinds}${only === undefined ? "" : ` AND ${only}`} ORDER BY w.idx`,
  );
  const raw = side.raw.length === 0
    ? "SELECT 0 AS idx, '' AS field, '' AS value LIMIT 0"
    : `SELECT w.idx, r.field, r.value FROM ${await rawTexts(sql, side)} r ` +
      `JOIN work w ON r.row - 1 = w.${version}_row WHERE w.kind IN ${kinds} ORDER BY w.idx`;
  await sql.run(`CREATE OR REPLACE TABLE ${version}_raw AS ${raw}`);
}

/** Whether a key may stand in several rows, which a lake's manifest rules out for its identifiers. */
export function mayRepeat(tables: ComparedTables, version: Version): boolean {
  const { rows, unique, idField } = sideOf(tables, version);
  const key = tables.key && nameIn(tables.key, version);
  return rows === undefined || rows !== unique || key === undefined || key !== idField;
}

/** A record's key as text; an empty one is a missing key. A whole row is its own key, as a JSON array. */
export function keyOf(tables: ComparedTables, version: Version, from = ""): string {
  if (tables.key !== undefined) return `nullif(${textCell(tables, tables.key, version, from)}, '')`;
  const cells = tables.columns.map((pair) => textCell(tables, pair, version, from)).join(", ");
  return `to_json([${cells}])::VARCHAR`;
}

function hashedCell(tables: ComparedTables, pair: RenamedColumn, version: Version): string {
  const [before, after] = VERSIONS.map((each) => columnOf(tables, pair, each)?.dtype);
  const cell = before === after ? sqlName(nameIn(pair, version)) : textCell(tables, pair, version);
  const isText = before !== after || before === "VARCHAR" || before === "String";
  // A Parquet file, whose rows are unknown, may have an empty text where a table of text has none.
  return isText && [tables.before, tables.after].some(({ rows }) => rows === undefined) ? `nullif(${cell}, '')` : cell;
}

/** A cell as text, where the types of the versions may differ. */
function textCell(tables: ComparedTables, pair: RenamedColumn, version: Version, from = ""): string {
  return cellText(columnOf(tables, pair, version) ?? { name: nameIn(pair, version) }, from);
}

function conditionOf({ only }: ComparedTables, version: Version, from = ""): string | undefined {
  return only?.[version === "old" ? 0 : 1](from);
}

function sideOf({ before, after }: ComparedTables, version: Version): SideTable {
  return version === "old" ? before : after;
}

/** Name of a column in one version. */
export function nameIn([before, after]: RenamedColumn, version: Version): string {
  return version === "old" ? before : after;
}

function columnOf(tables: ComparedTables, pair: RenamedColumn, version: Version): SideColumn | undefined {
  const name = nameIn(pair, version);
  return sideOf(tables, version).columns.find((column) => column.name === name);
}
