/**
 * Finds the records that differ between two tables, without holding either in memory.
 *
 * Each row becomes hashes of its key and of its compared cells, in a file; those of both versions are passed side by
 * side, and the rest is joined, a part of all keys at a time. Only rows whose hashes differ are read again, and of them
 * only the columns whose hashes do, in the order of their keys, into tables of a database that spills to the disk.
 */
import { type ScratchSql, sqlName } from "@seqreg/core/engine/local/scratch_sql";
import { rawTexts } from "../columns.ts";
import { type ComparedTables, conditionOf, keyOf, nameIn, sideOf, type Version, VERSIONS } from "./_compared_tables.ts";
import { groupedColumns } from "./group_counts.ts";
import { type ColumnGroups, findOpenRows } from "./_hash_tables.ts";
import type { RenamedColumn } from "./propose_renames.ts";

/** Keys of duplicates that are listed. */
const LISTED_DUPLICATES = 10_000;

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
  /** Columns among which those are whose cells differ. */
  readonly columns: readonly RenamedColumn[];
}

/**
 * Fills `work` (`idx` from 0 in the order of keys, `key`, `kind`); of the records in both versions `old_rows` and
 * `new_rows` (`idx`, and the columns that may differ), of those in one of them `old_whole` and `new_whole` (`idx`, and
 * all its columns); and `old_raw`, `new_raw` (`idx`, `field`, `value`).
 */
export async function findDifferingRows(sql: ScratchSql, tables: ComparedTables): Promise<DifferingRows> {
  const { old, new: now, groups } = await findOpenRows(sql, tables);
  await findRecords(sql, tables, groups);
  const columns = await differingColumns(sql, groups);
  const summary = await summarize(sql);
  for (const version of VERSIONS) await readRecords(sql, tables, { version, columns });
  for (const table of ["old_found", "new_found"]) await sql.run(`DROP TABLE ${table}`);
  return {
    old: old.compared,
    new: now.compared,
    keyless: old.keyless + now.keyless,
    oldKeyless: old.keyless,
    columns,
    ...summary,
  };
}

/** Makes `work` and, of the rows that it is made of, `old_found` and `new_found`. */
async function findRecords(sql: ScratchSql, tables: ComparedTables, groups: ColumnGroups): Promise<void> {
  const hashes = groups.map((_, index) => `h${index}`);
  const first = hashes.map((hash) => `min(${hash}) AS ${hash}`).join(", ");
  for (const version of VERSIONS) {
    const rows = "SELECT o.*, key FROM " +
      `(${await numberedKeys(sql, tables, version)}) JOIN ${version}_open o USING (row)`;
    await sql.run(
      `CREATE OR REPLACE TABLE ${version}_found AS SELECT key, count(*) AS rows, min(row) AS row, ` +
        `sum(hash(${hashes.join(", ")})::HUGEINT) AS h, ${first} FROM (${rows}) GROUP BY key`,
    );
    await sql.run(`DROP TABLE ${version}_open`);
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
}

/** Columns of those groups whose hashes differ in some record. */
async function differingColumns(sql: ScratchSql, groups: ColumnGroups): Promise<readonly RenamedColumn[]> {
  const differ = groups.map((_, index) => `coalesce(bool_or(o.h${index} <> n.h${index}), false)`);
  const [found] = await sql.all(
    `SELECT ${differ.join(", ")} FROM old_found o JOIN new_found n USING (key) WHERE o.rows = 1 AND n.rows = 1`,
  );
  return groups.flatMap((group, index) => found[index] === true ? group : []);
}

/** Those rows of a version that are compared and have a key: `row` from 0, and the text of their `key`. */
export async function numberedKeys(sql: ScratchSql, tables: ComparedTables, version: Version): Promise<string> {
  const files = await sql.parquet(sideOf(tables, version).files);
  const only = conditionOf(tables, version);
  // Without ORDER BY, this numbers rows in the order of the files.
  return `SELECT row, key FROM (SELECT row_number() OVER () - 1 AS row, ${keyOf(tables, version)} AS key` +
    `${only === undefined ? "" : `, ${only} AS is_compared`} FROM ${files}) WHERE key IS NOT NULL` +
    `${only === undefined ? "" : " AND is_compared"}`;
}

async function summarize(
  sql: ScratchSql,
): Promise<Omit<DifferingRows, "old" | "new" | "keyless" | "oldKeyless" | "columns">> {
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

async function readRecords(
  sql: ScratchSql,
  tables: ComparedTables,
  { version, columns }: { readonly version: Version; readonly columns: readonly RenamedColumn[] },
): Promise<void> {
  const side = sideOf(tables, version);
  const alone = version === "old" ? "removed" : "added";
  const names = side.columns.map(({ name }) => name);
  const needed = new Set([...columns.map((pair) => nameIn(pair, version)), ...groupedColumns(side)]);
  const isAll = columns.length === tables.columns.length;
  // A second reading of all columns costs less than all columns of the records in both versions.
  if (isAll) {
    await readRows(sql, tables, { version, into: `${version}_rows`, names, kinds: `'changed', '${alone}'` });
  } else {
    await readRows(sql, tables, {
      version,
      into: `${version}_rows`,
      names: names.filter((name) => needed.has(name)),
      kinds: "'changed'",
    });
    await readRows(sql, tables, { version, into: `${version}_alone`, names, kinds: `'${alone}'` });
  }
  const whole = isAll ? `${version}_rows` : `${version}_alone`;
  await sql.run(`CREATE OR REPLACE VIEW ${version}_whole AS SELECT * FROM ${whole}`);
  const raw = side.raw.length === 0
    ? "SELECT 0 AS idx, '' AS field, '' AS value LIMIT 0"
    : `SELECT w.idx, r.field, r.value FROM ${await rawTexts(sql, side)} r ` +
      `JOIN work w ON r.row - 1 = w.${version}_row WHERE w.kind IN ('changed', '${alone}') ORDER BY w.idx`;
  await sql.run(`CREATE OR REPLACE TABLE ${version}_raw AS ${raw}`);
}

/** Makes a table of some columns of the records of some kinds. */
async function readRows(
  sql: ScratchSql,
  tables: ComparedTables,
  { version, into, names, kinds }: {
    readonly version: Version;
    readonly into: string;
    readonly names: readonly string[];
    readonly kinds: string;
  },
): Promise<void> {
  const columns = names.map((name) => `, r.${sqlName(name)}`).join("");
  const only = conditionOf(tables, version, "r.");
  await sql.run(
    `CREATE OR REPLACE TABLE ${into} AS SELECT w.idx${columns} ` +
      `FROM ${await sql.parquet(sideOf(tables, version).files)} r JOIN work w ON ${
        keyOf(tables, version, "r.")
      } = w.key ` +
      `WHERE w.kind IN (${kinds})${only === undefined ? "" : ` AND ${only}`} ORDER BY w.idx`,
  );
}
