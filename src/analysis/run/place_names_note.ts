/** Warns of places that are counted apart because they have several names. */
import { listSome } from "@seqreg/core/contract/ledger";
import { holdsCountryCodes } from "@seqreg/core/contract/values/value_words";
import { loadPlaces } from "../places/places.ts";
import { count, counted, does, label } from "../chart/words.ts";
import { kindOf, type KnownColumns } from "../source/text_keys.ts";

/** Places that a note lists, and names of each. */
const [NAMED, NAMES] = [5, 4];

/** Notes which places have several names among groups of a field of countries: `USA` and `United States`. */
export async function notePlaceNames(
  run: KnownColumns,
  field: string,
  groups: readonly { readonly name: unknown; readonly count: number }[],
): Promise<void> {
  if (kindOf(run, field) !== "country") return;
  const records = new Map<string, number>();
  for (const { name, count } of groups) {
    if (typeof name === "string") records.set(name, (records.get(name) ?? 0) + count);
  }
  if (records.size < 2) return;
  const places = await loadPlaces();
  const hasCodes = holdsCountryCodes([...records.keys()]);
  const codeOf = (name: string) => places.read(name, { hasCodes }).country?.code;
  const sum = (names: readonly string[]) => names.reduce((sum, name) => sum + records.get(name)!, 0);
  const twins = [...Map.groupBy(records.keys(), codeOf)]
    .filter(([code, names]) => code !== undefined && names.length > 1)
    .map(([, names]) => names.sort((a, b) => records.get(b)! - records.get(a)! || (a < b ? -1 : 1)))
    .sort((a, b) => sum(b) - sum(a));
  if (twins.length === 0) return;
  const words = twins.map((names) => {
    const shown = names.slice(0, NAMES).map((name) => `${label(name)} (${count(records.get(name)!)})`);
    return [...shown, ...names.length > NAMES ? [`${count(names.length - NAMES)} more`] : []].join(" and ");
  });
  run.note(
    `${counted(twins.length, "countries")} of ${field} ${does(twins.length, "have")} several names, counted apart: ${
      listSome(words, NAMED)
    }. worldMap reads them; to join them, write them alike first (docs/polars.md)`,
  );
}
