/** Leaves out the records that became public after a day. */
import { readPartialDate } from "@seqreg/core/contract/values";
import { findRoleByName } from "@seqreg/analysis/source/roles";
import { type ScratchSql, sqlName, sqlText } from "@seqreg/core/engine/local/scratch_sql";
import { cellText } from "../columns.ts";
import type { SideTable } from "../open_side.ts";

/** A condition on rows in SQL, with what stands before its columns, such as `r.`. */
export type RowCondition = (from: string) => string;

/** What was left out, and the condition on the others. */
export interface LeftOut {
  /** Records left out of the old and of the new version. */
  readonly counts: readonly [old: number, new: number];
  /** The field whose dates were read, by version; absent where a version has none. */
  readonly field?: string;
  /** Conditions on the rows that stay. */
  readonly only?: readonly [old: RowCondition, new: RowCondition];
}

/**
 * Finds the records whose release date is after a day; one that may be on or before it, or is missing, stays. The field
 * of the new version is the one that the caller names as that of the old, else each version's own.
 * Where a version has no field of release dates, all records of the table stay.
 */
export async function leaveOutLater(
  sql: ScratchSql,
  sides: readonly [SideTable, SideTable],
  { asOf, rename = {} }: { readonly asOf?: string; readonly rename?: Readonly<Record<string, string>> },
): Promise<LeftOut> {
  if (asOf === undefined) return { counts: [0, 0] };
  const last = readPartialDate(asOf)!.latest;
  const [old, now] = sides.map(({ columns }) => findRoleByName(columns.map(({ name }) => name), "releaseDate"));
  const former = Object.entries(rename).find(([, to]) => to === now)?.[0];
  const fields = old !== undefined && Object.hasOwn(rename, old) ? [old, rename[old]] : [former ?? old, now];
  const [before, after] = [
    await laterRecords(sql, sides[0], { last, field: fields[0], type: `later in old ${sides[0].name}` }),
    await laterRecords(sql, sides[1], { last, field: fields[1], type: `later in new ${sides[1].name}` }),
  ];
  if (before === undefined || after === undefined) return { counts: [0, 0] };
  return { counts: [before.count, after.count], field: after.field, only: [before.only, after.only] };
}

async function laterRecords(
  sql: ScratchSql,
  side: SideTable,
  { last, field, type }: { readonly last: number; readonly field: string | undefined; readonly type: string },
) {
  const column = side.columns.find(({ name }) => name === field);
  if (field === undefined || column === undefined) return undefined;
  let count = 0;
  const later: string[] = [];
  const rows = `SELECT ${cellText(column)}, count(*) FROM ${await sql.parquet(side.files)} GROUP BY ALL`;
  for await (const batch of sql.stream(rows)) {
    const [texts, counts] = [batch.column(0), batch.column(1)];
    texts.forEach((text, row) => {
      const date = text === null ? undefined : readPartialDate(String(text));
      if (date === undefined || date.earliest <= last) return;
      later.push(String(text));
      count += Number(counts[row]);
    });
  }
  if (later.length === 0) return { field, count, only: () => "true" };
  // A long list with IN would be a join, which loses the order of the rows.
  await sql.run(`CREATE TYPE ${sqlName(type)} AS ENUM (${later.map(sqlText).join(", ")})`);
  const only: RowCondition = (from) => `(TRY_CAST(${cellText(column, from)} AS ${sqlName(type)}) IS NULL)`;
  return { field, count, only };
}
