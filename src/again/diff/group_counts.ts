/** Records that differ, by country and by year of collection. */
import { formatDay, missingWord, readPartialDate, trimWhiteSpace } from "@seqreg/core/contract/values";
import { findValueWords, mayBeValue } from "@seqreg/core/contract/values/value_words";
import type { ScratchSql } from "@seqreg/core/engine/local/scratch_sql";
import { findRoleByName } from "@seqreg/analysis/source/roles";
import { cellText } from "../columns.ts";
import type { SideColumn, SideTable } from "../open_side.ts";
import type { ComparedTables } from "./_compared_tables.ts";

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

const KINDS = ["added", "removed", "changed"] as const;

const ROLES = ["country", "collectionDate"] as const;

type GroupRole = typeof ROLES[number];
type Counts = Record<typeof KINDS[number], number>;

/**
 * Counts the differing records by a role, in the order of its values, those without one last; empty if no field plays
 * it. A changed record counts by its new value.
 */
export async function countGroups(
  sql: ScratchSql,
  { before, after }: ComparedTables,
  role: GroupRole,
): Promise<GroupCounts[]> {
  const texts = new Map<string | null, Counts>();
  const queries = [
    { side: after, rows: "new_whole", kind: "added" },
    { side: after, rows: "new_rows", kind: "changed" },
    { side: before, rows: "old_whole", kind: "removed" },
  ] as const;
  for (const { side, rows, kind } of queries) {
    const field = fieldOf(side, role);
    if (field === undefined) continue;
    const query = `SELECT ${cellText(field, "r.")}, count(*) FROM ${rows} r JOIN work w ON r.idx = w.idx ` +
      `WHERE w.kind = '${kind}' GROUP BY ALL`;
    for await (const batch of sql.stream(query)) {
      const [values, counts] = [0, 1].map((index) => batch.column(index));
      for (let row = 0; row < batch.rows; row++) {
        const text = values[row] === null ? null : String(values[row]);
        add(texts, text, { [kind]: Number(counts[row]) });
      }
    }
  }
  const codes = role === "country" && [...texts.keys()].some(mayBeValue)
    ? findValueWords("country", await textsOf(sql, [before, after]))
    : new Set<string>();
  const groups = new Map<string | null, Counts>();
  for (const [text, counts] of texts) {
    add(groups, text === null ? null : role === "country" ? countryOf(text, codes) : yearOf(text), counts);
  }
  return [...groups].map(([value, counts]) => ({ value, ...counts }))
    .sort((a, b) => (a.value ?? "\uffff") < (b.value ?? "\uffff") ? -1 : 1);
}

/** Names of the columns of a version by which records are counted. */
export function groupedColumns(side: SideTable): string[] {
  return ROLES.map((role) => fieldOf(side, role)?.name).filter((name) => name !== undefined);
}

function fieldOf({ columns }: SideTable, role: GroupRole): SideColumn | undefined {
  const field = findRoleByName(columns.map(({ name }) => name), role);
  return columns.find(({ name }) => name === field);
}

function add(groups: Map<string | null, Counts>, value: string | null, counts: Partial<Counts>): void {
  const group = groups.get(value) ?? { added: 0, removed: 0, changed: 0 };
  for (const kind of KINDS) group[kind] += counts[kind] ?? 0;
  groups.set(value, group);
}

/** The countries of both versions: whether `NA` is a code depends on all of them. */
async function textsOf(sql: ScratchSql, sides: readonly SideTable[]): Promise<unknown[]> {
  const texts: unknown[] = [];
  for (const side of sides) {
    const field = fieldOf(side, "country");
    if (field === undefined) continue;
    const rows = await sql.all(`SELECT DISTINCT ${cellText(field)} FROM ${await sql.parquet(side.files)}`);
    texts.push(...rows.map(([text]) => text));
  }
  return texts;
}

function countryOf(text: string, codes: ReadonlySet<string>): string | null {
  return missingWord(text) === undefined || codes.has(trimWhiteSpace(text)) ? text : null;
}

function yearOf(text: string): string | null {
  const date = readPartialDate(text);
  return date === undefined || date.precision === "range" ? null : formatDay(date.earliest).slice(0, 4);
}
