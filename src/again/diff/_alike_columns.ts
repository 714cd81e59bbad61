/** Which of the columns that are gone came back under another name: by their values. */
import type { ScratchSql } from "@seqreg/core/engine/local/scratch_sql";
import { cellText } from "../columns.ts";
import { type ComparedTables, keyOf, type Version } from "./_compared_tables.ts";
import { numberedKeys } from "./_differing_rows.ts";
import type { SideTable } from "../open_side.ts";
import type { RenamedColumn } from "./propose_renames.ts";

/** Records whose values are compared, and records of each version among which they are looked for, about. */
const SAMPLED_RECORDS = 5_000;
const SOUGHT_RECORDS = 100_000;

/** Columns of each version that are tried, at most. */
const MOST_COLUMNS = 60;

/** Share of equal values, among records with a value in either version, from which columns are the same. */
const EQUAL_SHARE = 0.95;

/**
 * Pairs columns whose values are the same in nearly all records that both versions have. A column with a single value,
 * or with two equally good partners, is left alone.
 */
export async function pairByValues(
  sql: ScratchSql,
  tables: ComparedTables,
  { gone, came, rows }: { readonly gone: readonly string[]; readonly came: readonly string[]; readonly rows: number },
): Promise<RenamedColumn[]> {
  const { before, after } = tables;
  if (tables.key === undefined || gone.length === 0 || came.length === 0) return [];
  const [old, now] = [gone.slice(0, MOST_COLUMNS), came.slice(0, MOST_COLUMNS)];
  // Of many records those with low hashes: the same ones in both versions.
  const most = BigInt(Math.ceil(2 ** 64 * Math.min(1, SOUGHT_RECORDS / Math.max(1, rows)))) - 1n;
  const hashes = async (version: Version) =>
    `(SELECT hash(key) AS kh FROM (${await numberedKeys(sql, tables, version)}) WHERE hash(key) <= ${most})`;
  await sql.run(
    `CREATE OR REPLACE TABLE sampled AS SELECT DISTINCT kh FROM ${await hashes("old")} ` +
      `SEMI JOIN ${await hashes("new")} USING (kh) ORDER BY kh LIMIT ${SAMPLED_RECORDS}`,
  );
  const cells = ({ columns }: SideTable, names: readonly string[]) =>
    names.map((name, index) =>
      `${cellText(columns.find((column) => column.name === name) ?? { name }, "r.")} AS c${index}`
    );
  for (const [version, side, names] of [["old", before, old], ["new", after, now]] as const) {
    const key = keyOf(tables, version, "r.");
    await sql.run(
      `CREATE OR REPLACE TABLE alike_${version} AS SELECT ${key} AS key, ${cells(side, names).join(", ")} ` +
        `FROM ${await sql.parquet(side.files)} r JOIN sampled s ON hash(${key}) = s.kh`,
    );
  }
  const found: { readonly pair: RenamedColumn; readonly share: number }[] = [];
  for (const [oldIndex, from] of old.entries()) {
    for (const [newIndex, to] of now.entries()) {
      const [a, b] = [`nullif(o.c${oldIndex}, '')`, `nullif(n.c${newIndex}, '')`];
      const [[equal, either, values]] = await sql.all(
        `SELECT count(*) FILTER (WHERE ${a} = ${b}), count(*) FILTER (WHERE ${a} IS NOT NULL OR ${b} IS NOT NULL), ` +
          `count(DISTINCT ${a}) FILTER (WHERE ${a} = ${b}) FROM alike_old o JOIN alike_new n USING (key)`,
      );
      const share = Number(either) === 0 ? 0 : Number(equal) / Number(either);
      if (Number(values) > 1 && share >= EQUAL_SHARE) found.push({ pair: [from, to], share });
    }
  }
  return found.filter(({ pair, share }) =>
    !found.some((other) =>
      other.pair !== pair && (other.pair[0] === pair[0] || other.pair[1] === pair[1]) && other.share >= share
    )
  ).map(({ pair }) => pair);
}
