/** Which of the columns that are gone came back under another name: by their values. */
import { type ScratchSql, sqlName } from "@seqreg/core/engine/local/scratch_sql";
import type { ComparedTables } from "./_differing_rows.ts";
import type { RenamedColumn } from "./propose_renames.ts";

/** Records whose values are compared. */
const SAMPLED_RECORDS = 5_000;

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
  { before, after, key }: ComparedTables,
  { gone, came }: { readonly gone: readonly string[]; readonly came: readonly string[] },
): Promise<RenamedColumn[]> {
  if (key === undefined || gone.length === 0 || came.length === 0) return [];
  const [old, now] = [gone.slice(0, MOST_COLUMNS), came.slice(0, MOST_COLUMNS)];
  await sql.run(
    "CREATE OR REPLACE TABLE sampled AS SELECT DISTINCT kh FROM old_keys SEMI JOIN new_keys USING (kh) " +
      `WHERE kh IS NOT NULL ORDER BY kh LIMIT ${SAMPLED_RECORDS}`,
  );
  const cells = (names: readonly string[]) => names.map((name, index) => `r.${sqlName(name)}::VARCHAR AS c${index}`);
  for (
    const [table, side, name, names] of [["alike_old", before, key[0], old], ["alike_new", after, key[1], now]] as const
  ) {
    await sql.run(
      `CREATE OR REPLACE TABLE ${table} AS SELECT r.${sqlName(name)}::VARCHAR AS key, ${cells(names).join(", ")} ` +
        `FROM ${await sql.parquet(side.files)} r JOIN sampled s ON hash(r.${sqlName(name)}::VARCHAR) = s.kh`,
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
