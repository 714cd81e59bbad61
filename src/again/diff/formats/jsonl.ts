/** Changes as JSON, one object a line: a summary, then the records that differ. */
import type { Diff, TableDiff } from "../diff_result.ts";
import type { FieldChange } from "../record_change.ts";

/**
 * Writes a comparison as lines of JSON. The first line is `{"kind":"summary",…}`; each of the others one record:
 * `{"kind":"added"|"removed"|"changed","key":…,"fields":{NAME:{"old":…,"new":…,"how":…}}}`, sorted by key, with
 * `"table"` where several tables were compared.
 *
 * @param diff The comparison.
 * @returns Lines with their line ends.
 */
export async function* diffToJsonl(diff: Diff): AsyncGenerator<string> {
  yield `${JSON.stringify(summaryOf(diff))}\n`;
  const isOne = diff.tables.length === 1;
  for await (const { table, kind, key, fields } of diff.records()) {
    const entries = Object.entries(fields).map(([name, change]) => [name, fieldOf(change)]);
    yield `${JSON.stringify({ kind, ...!isOne && { table }, key, fields: Object.fromEntries(entries) })}\n`;
  }
}

function fieldOf({ old, new: now, how, sequence }: FieldChange) {
  return { old, new: now, how, ...sequence };
}

function summaryOf({ counts, tables, unpaired, entries }: Diff) {
  const columns = (read: (table: TableDiff) => readonly unknown[]) => tables.flatMap(read);
  return {
    kind: "summary",
    old: counts.old,
    new: counts.new,
    added: counts.added,
    removed: counts.removed,
    changed: counts.changed,
    unchanged: counts.unchanged,
    columns: {
      added: columns(({ columns }) => columns.added),
      removed: columns(({ columns }) => columns.removed),
      renamed: columns(({ columns }) => columns.renamed),
      proposed: columns(({ columns }) => columns.proposed),
      moved: columns(({ columns }) => columns.moved),
    },
    duplicate: counts.duplicate,
    duplicates: counts.duplicates,
    notCompared: counts.notCompared,
    keyless: counts.keyless,
    leftOut: [0, 1].map((version) => tables.reduce((sum, { leftOut }) => sum + leftOut[version], 0)),
    entries,
    tables: tables.map(({ duplicate: _, differing: __, ...table }) => table),
    unpaired,
  };
}
