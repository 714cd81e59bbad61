/** Records that differ, by country and by year of collection. */
import { formatDay, missingWord, readPartialDate } from "@seqreg/core/contract/values";
import { type ScratchSql, sqlName } from "@seqreg/core/engine/local/scratch_sql";
import { findRoleByName } from "@seqreg/analysis/source/roles";
import type { ComparedTables } from "./_differing_rows.ts";

/** Records of one group, by what happened to them. */
export interface GroupCounts {
  /** Country or year; null where it is missing or has no year. */
  readonly value: string | null;
  /** Records only in the new version. */
  readonly added: number;
  /** Records only in the old version. */
  readonly removed: number;
  /** Records with a cell that differs. */
  readonly changed: number;
}

type Kind = "added" | "removed" | "changed";

/**
 * Counts the differing records by a role, in the order of its values, those without one last; empty if no field plays
 * it. A changed record counts by its new value.
 */
export async function countGroups(
  sql: ScratchSql,
  { before, after }: ComparedTables,
  role: "country" | "collectionDate",
): Promise<GroupCounts[]> {
  const groups = new Map<string | null, Record<Kind, number>>();
  const read = role === "country" ? countryOf : yearOf;
  const queries = [
    { side: after, rows: "new_rows", kinds: "('added', 'changed')" },
    { side: before, rows: "old_rows", kinds: "('removed')" },
  ];
  for (const { side, rows, kinds } of queries) {
    const field = findRoleByName(side.columns.map(({ name }) => name), role);
    if (field === undefined) continue;
    const query = `SELECT r.${sqlName(field)}::VARCHAR, w.kind, count(*) FROM ${rows} r JOIN work w ON r.idx = w.idx ` +
      `WHERE w.kind IN ${kinds} GROUP BY ALL`;
    for await (const batch of sql.stream(query)) {
      const [values, kindColumn, counts] = [0, 1, 2].map((index) => batch.column(index));
      for (let row = 0; row < batch.rows; row++) {
        const value = values[row] === null ? null : read(String(values[row]));
        const group = groups.get(value) ?? { added: 0, removed: 0, changed: 0 };
        group[String(kindColumn[row]) as Kind] += Number(counts[row]);
        groups.set(value, group);
      }
    }
  }
  return [...groups].map(([value, counts]) => ({ value, ...counts }))
    .sort((a, b) => (a.value ?? "\uffff") < (b.value ?? "\uffff") ? -1 : 1);
}

function countryOf(text: string): string | null {
  return missingWord(text) === undefined ? text : null;
}

function yearOf(text: string): string | null {
  const date = readPartialDate(text);
  return date === undefined || date.precision === "range" ? null : formatDay(date.earliest).slice(0, 4);
}
