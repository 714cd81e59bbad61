/** What a user has to know of tables of a lake: of their form, their types and their values. */
import { listSome } from "../../../contract/ledger.ts";
import { type LedgerEntry, noteEntry, prefixEntries, savedEntries } from "../../../contract/ledger_entries.ts";
import { countOf } from "../../../contract/count_of.ts";
import { describeUnread } from "../../../io/csv/unread_rows.ts";
import type { LakeManifest } from "./lake_manifest.ts";

/** Everything that was noted when tables were built; rows that could not be read are counted elsewhere. */
export function manifestEntries(manifests: readonly LakeManifest[]): LedgerEntry[] {
  return [
    ...manifests.flatMap((manifest) => prefixEntries(savedEntries(manifest), manifest.table)),
    ...noteMisfits(manifests),
    ...noteMissingWords(manifests),
  ];
}

/** The rows of a file that its table does not hold. */
export function unreadEntries(
  source: string,
  { unparsed, problems }: Pick<LakeManifest, "unparsed" | "problems">,
): LedgerEntry[] {
  if (unparsed === 0) return [];
  const text = describeUnread(unparsed, problems, `${countOf(unparsed, "row")} of ${source}`);
  return [noteEntry("unreadable", text, { count: unparsed })];
}

/** The warning about values that do not fit the types of their columns. */
function noteMisfits(manifests: readonly LakeManifest[]): LedgerEntry[] {
  const misfits = manifests.flatMap(({ misfits }) => Object.entries(misfits));
  const count = misfits.reduce((total, [, values]) => total + values, 0);
  if (count === 0) return [];
  const ids = [...new Set(misfits.map(([field]) => field))];
  const named = ids.map((id) => {
    const texts = new Set(manifests.flatMap(({ misfitTexts }) => misfitTexts?.[id] ?? []));
    return texts.size === 0 ? id : `${id}: ${listSome([...texts].map((text) => JSON.stringify(text)), 3)}`;
  });
  const text =
    `${count === 1 ? "1 value does not fit its declared type" : `${count} values do not fit their declared types`} ` +
    `(${listSome(named, 20)}): null in the typed columns, dates excepted; the original texts are kept in the lake`;
  return [noteEntry("values-invalid", text, { count, ids })];
}

/** The warning about words that say that a value is missing, which are null in typed columns. */
function noteMissingWords(manifests: readonly LakeManifest[]): LedgerEntry[] {
  const [fields, words] = [new Map<string, number>(), new Map<string, number>()];
  for (const { columns, missingValues = {} } of manifests) {
    for (const [field, counts] of Object.entries(missingValues)) {
      if (columns.find(({ name }) => name === field)?.type === "date") continue;
      for (const [word, count] of Object.entries(counts)) {
        fields.set(field, (fields.get(field) ?? 0) + count);
        words.set(word, (words.get(word) ?? 0) + count);
      }
    }
  }
  if (fields.size === 0) return [];
  const count = fields.values().reduce((sum, each) => sum + each, 0);
  const most = (counts: ReadonlyMap<string, number>) => [...counts].sort(([, a], [, b]) => b - a);
  const named = most(words).map(([word]) => word.trim() === "" ? "blank" : JSON.stringify(word));
  const each = most(fields).map(([field, count]) => `${field} ${count}`);
  const values = count === 1 ? "1 value says that it is" : `${count} values say that they are`;
  const text = `${values} missing (${listSome(named, 5)}): null in the typed columns ${listSome(each, 20)}`;
  return [noteEntry("values-missing", text, { count, ids: [...fields.keys()] })];
}
