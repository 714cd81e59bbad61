/** Counts the changes of one table while they are read. */
import type { RenamedTaxon, TableDiff } from "./diff_result.ts";
import type { ComparedTable } from "./_compare_tables.ts";
import type { IsRenamedTaxon } from "./_taxon_names.ts";
import type { HowChanged } from "./how_changed.ts";
import type { RecordChange } from "./record_change.ts";

/** Most pairs of names of taxa that are counted. */
const MOST_TAXA = 100_000;

/** Counts the changes of one table. */
export class Tally {
  changed = 0;
  readonly fields: Record<string, Partial<Record<HowChanged, number>>> = Object.create(null);
  readonly #isRenamed: IsRenamedTaxon;
  readonly #taxa = new Map<string, RenamedTaxon>();

  constructor(isRenamed: IsRenamedTaxon) {
    this.#isRenamed = isRenamed;
  }

  add({ kind, fields }: RecordChange): void {
    if (kind !== "changed") return;
    this.changed++;
    for (const [field, { how, old, new: now }] of Object.entries(fields)) {
      const counts = this.fields[field] ??= {};
      counts[how] = (counts[how] ?? 0) + 1;
      if (typeof old === "string" && typeof now === "string" && this.#isRenamed(old, now)) this.#addTaxon(old, now);
    }
  }

  #addTaxon(old: string, now: string): void {
    const key = `${old}\n${now}`;
    const cells = (this.#taxa.get(key)?.cells ?? 0) + 1;
    if (cells > 1 || this.#taxa.size < MOST_TAXA) this.#taxa.set(key, { old, new: now, cells });
  }

  get taxa(): RenamedTaxon[] {
    return [...this.#taxa.values()].sort((a, b) => b.cells - a.cells || (a.old < b.old ? -1 : 1));
  }
}

/** Everything that is known of one table. */
export async function tableDiff(compared: ComparedTable, tally: Tally): Promise<TableDiff> {
  const { name, key, columns, rows, leftOut } = compared;
  const { changed, fields, taxa } = tally;
  return {
    table: name,
    ...key !== undefined && { key },
    old: rows.old,
    new: rows.new,
    added: rows.added,
    removed: rows.removed,
    changed,
    unchanged: rows.old - rows.oldKeyless - rows.oldRowsOfThem - rows.removed - changed,
    duplicate: rows.duplicate,
    duplicates: rows.duplicates,
    notCompared: rows.differingDuplicates,
    differing: rows.differing,
    keyless: rows.keyless,
    oldKeyless: rows.oldKeyless,
    columns,
    fields,
    taxa,
    leftOut: leftOut.counts,
    ...leftOut.field !== undefined && { leftOutBy: leftOut.field },
    countries: await compared.countGroups("country"),
    years: await compared.countGroups("collectionDate"),
  };
}
