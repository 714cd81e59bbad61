/** Records by present-day country, and the other names. */
import { listSome } from "@seqreg/core/contract/ledger";
import { loadPlaces, type Place, type PlaceReader, type Spot } from "../places/places.ts";
import { holdsCountryCodes } from "@seqreg/core/contract/values/value_words";
import { byCount, type Run, total } from "./run.ts";
import type { Role } from "../source/roles.ts";
import { count, counted, does, label } from "../chart/words.ts";

export interface CountryCount {
  /** Code of ISO 3166-1 alpha-3. */
  readonly code: string;
  /** Name in English. */
  readonly place: string;
  readonly records: number;
  /** Names in the data that mean it, the most frequent first. */
  readonly names: readonly string[];
}

/** Records of a sea, or of an island without a code of its own. */
export interface SpotCount extends Pick<CountryCount, "place" | "records" | "names"> {
  readonly spot: Spot;
}

export interface CountryCounts {
  /** Countries, the one with most records first. */
  readonly countries: readonly CountryCount[];
  /** Seas, and islands without a code of their own, the one with most records first. */
  readonly spots: readonly SpotCount[];
  /** Names that are neither, the most frequent first. */
  readonly unmatched: readonly { readonly name: string; readonly why: string; readonly records: number }[];
  /** Records without a name. */
  readonly missing: number;
  readonly places: PlaceReader;
}

/** Finds how the texts of a column of countries are read, and says so where they are no names. */
export function placesOf<Needed extends Role>(
  run: Run<Needed, Role>,
  { places, role, texts }: {
    readonly places: PlaceReader;
    readonly role: Needed;
    readonly texts: readonly unknown[];
  },
): (name: string) => Place {
  const hasCodes = holdsCountryCodes(texts);
  if (hasCodes) run.note(`${run.name(role)} holds codes of ISO 3166-1: two and three letters are read as countries`);
  return (name) => places.read(name, { hasCodes });
}

/** Counts records by country; says in a note which names were not understood. */
export async function countCountries<Needed extends Role>(
  run: Run<Needed, Role>,
  role: Needed,
): Promise<CountryCounts> {
  const places = await loadPlaces();
  const tallied = (await run.tallyPlaces([role])).sort(byCount);
  const readPlace = placesOf(run, { places, role, texts: tallied.map(({ keys: [key] }) => key) });
  const countries = new Map<string, { code: string; place: string; records: number; names: string[] }>();
  const unmatched = new Map<string, { name: string; why: string; records: number }>();
  const spots = new Map<string, { place: string; spot: Spot; records: number; names: string[] }>();
  for (const { keys: [key], count } of tallied) {
    if (key === null) continue;
    const name = String(key);
    const read = readPlace(name);
    if (read.spot !== undefined) {
      const known = spots.get(read.spot.name) ?? { place: read.spot.name, spot: read.spot, records: 0, names: [] };
      known.records += count;
      known.names.push(name);
      spots.set(read.spot.name, known);
      continue;
    }
    if (read.country === undefined) {
      unmatched.set(name, { name, why: read.why, records: (unmatched.get(name)?.records ?? 0) + count });
      continue;
    }
    const { code, name: place } = read.country;
    const known = countries.get(code) ?? { code, place, records: 0, names: [] };
    known.records += count;
    known.names.push(name);
    countries.set(code, known);
  }
  const byRecords = <T extends { records: number }>(rows: Iterable<T>, key: (row: T) => string) =>
    [...rows].sort((a, b) => b.records - a.records || (key(a) < key(b) ? -1 : 1));
  const odd = byRecords(unmatched.values(), ({ name }) => name);
  if (odd.length > 0) {
    const records = odd.reduce((sum, row) => sum + row.records, 0);
    run.note(
      `${counted(records, "records")} ${does(records, "have")} a place in ${
        run.name(role)
      } that is not a present-day country: ${
        listSome(odd.map(({ name, why, records }) => `${label(name)} (${count(records)}; ${why})`), 10)
      }`,
    );
  }
  return {
    countries: byRecords(countries.values(), ({ code }) => code),
    spots: byRecords(spots.values(), ({ place }) => place),
    unmatched: odd,
    missing: total(tallied.filter(({ keys: [key] }) => key === null)),
    places,
  };
}
