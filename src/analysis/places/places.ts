/** From the names of countries in data to codes of ISO 3166-1. */
import { checkOptions } from "@seqreg/core/options/check_options";
import type { OptionRules } from "@seqreg/core/options/option_rule";
import * as rule from "@seqreg/core/options/rules";
import { PLACE_NAMES, SHORT_NAMES, TERRITORIES_OF, UNPLACED_NAMES } from "./place_names.ts";
import { countryOfLocation } from "./location.ts";
import { type GlobePoint, SPOTS, TERRITORY_POINTS } from "./place_points.ts";

/** A country of today. */
export interface Country {
  /** Code of ISO 3166-1 alpha-3, such as `KEN`. */
  readonly code: string;
  /** Its name in English. */
  readonly name: string;
}

/** A sea or an island that has no code of its own, such as `Baltic Sea` or `Wake Island`. */
export interface Spot {
  /** Its name in English. */
  readonly name: string;
  /** Where it is, in degrees to the east. */
  readonly longitude: number;
  /** Where it is, in degrees to the north. */
  readonly latitude: number;
}

/** The meaning of a name: a country, or the reason why it has none; a sea or an island without a code has a `spot`. */
export type Place =
  | { readonly country: Country; readonly spot?: undefined }
  | { readonly country: undefined; readonly why: string; readonly spot?: Spot };

/** Options of reading a name. */
export interface ReadPlaceOptions {
  /** Whether two letters are a code of ISO 3166-1 (default: no). */
  readonly hasCodes?: boolean;
}

const READ_PLACE_OPTIONS = { hasCodes: rule.flag } satisfies OptionRules<ReadPlaceOptions>;

/** Reads names of countries. */
export interface PlaceReader {
  /**
   * Finds which country a name means, or why none. What follows a colon (`USA: Ohio`) is a place within it, except for
   * a territory that INSDC's list of countries names on its own (`France: Réunion`). Of a location as GISAID writes it
   * (`Europe / Germany / Berlin`) the country is the second part. With `hasCodes` two letters are a code of
   * ISO 3166-1, such as `DE`.
   */
  read(name: string, options?: ReadPlaceOptions): Place;
  /** Where a country is that maps have no shape for, such as `REU` (Réunion); `undefined` for the others. */
  pointOf(code: string): GlobePoint | undefined;
  /** The code of a country by its number in ISO 3166-1, as in maps; `undefined` if unknown. */
  codeOfNumber(number: string): string | undefined;
}

let reader: Promise<PlaceReader> | undefined;

/**
 * Loads the names of countries; once.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { loadPlaces } from "./places.ts";
 *
 * const places = await loadPlaces();
 *
 * assertEquals(places.read("Côte d'Ivoire").country?.code, "CIV");
 * assertEquals(places.read("USA: Ohio").country?.code, "USA");
 * assertEquals(places.read("France: Réunion").country?.code, "REU");
 * assertEquals(places.read("Zaire").country?.code, "COD");
 * assertEquals(places.read("USSR"), { country: undefined, why: "became fifteen countries in 1991" });
 * assertEquals(places.read("Europe / Germany / Berlin").country?.code, "DEU");
 * assertEquals(places.read("DE", { hasCodes: true }).country?.code, "DEU");
 * assertEquals(places.read("Baltic Sea").spot, { name: "Baltic Sea", longitude: 20, latitude: 58 });
 * ```
 */
export async function loadPlaces(): Promise<PlaceReader> {
  return await (reader ??= makeReader());
}

async function makeReader(): Promise<PlaceReader> {
  // The lists alone: the package around them takes longer to load than to read them.
  const [{ default: codes }, { default: english }] = await Promise.all([
    import("i18n-iso-countries/codes.json", { with: { type: "json" } }),
    import("i18n-iso-countries/langs/en.json", { with: { type: "json" } }),
  ]);
  const byAlpha2 = new Map(codes.map(([alpha2, alpha3]) => [alpha2, alpha3]));
  const byNumber = new Map(codes.map(([, alpha3, number]) => [number, alpha3]));
  const byName = new Map<string, Country>();
  const byCode = new Map<string, Country>();
  const ofAlpha2 = new Map<string, Country>();
  for (const [alpha2, names] of Object.entries(english.countries)) {
    const all = Array.isArray(names) ? names.map(String) : [String(names)];
    // Kosovo has no code of ISO 3166-1; XKX is the one that is in use.
    const found = byAlpha2.get(alpha2);
    if (found === undefined) continue;
    const code = alpha2 === "XK" ? "XKX" : found;
    const country: Country = { code, name: SHORT_NAMES[code] ?? all[0] };
    for (const name of [...all, country.code]) byName.set(plainName(name), country);
    byCode.set(country.code, country);
    ofAlpha2.set(alpha2.toLowerCase(), country);
  }
  for (const [name, code] of Object.entries(PLACE_NAMES)) {
    const country = byCode.get(code);
    if (country === undefined) throw new Error(`place_names.ts maps ${name} to ${code}, which is not a code`);
    byName.set(name, country);
  }
  const readPlain = (plain: string, hasCodes: boolean): Place => {
    const coded = hasCodes ? ofAlpha2.get(plain) : undefined;
    if (coded !== undefined) return { country: coded };
    if (Object.hasOwn(UNPLACED_NAMES, plain)) return { country: undefined, why: UNPLACED_NAMES[plain] };
    if (Object.hasOwn(SPOTS, plain)) {
      const { name, why, at: [longitude, latitude] } = SPOTS[plain];
      return { country: undefined, why, spot: { name, longitude, latitude } };
    }
    const country = byName.get(plain) ?? byName.get(plain.replace(/^the /, ""));
    return country === undefined ? { country: undefined, why: "no such country is known" } : { country };
  };
  return {
    read(name, options = {}) {
      checkOptions("read()", options, READ_PLACE_OPTIONS);
      const { hasCodes = false } = options;
      const [whole, within = ""] = (countryOfLocation(name) ?? name).split(":");
      const place = readPlain(plainName(whole), hasCodes);
      const territory = plainName(within.split(",")[0]);
      const isOwn = Object.hasOwn(TERRITORIES_OF, territory) && TERRITORIES_OF[territory] === place.country?.code;
      return isOwn ? readPlain(territory, false) : place;
    },
    pointOf: (code) => Object.hasOwn(TERRITORY_POINTS, code) ? TERRITORY_POINTS[code] : undefined,
    codeOfNumber: (number) => byNumber.get(number),
  };
}

/** A name without accents, case and punctuation. */
function plainName(name: string): string {
  return name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/&/g, " and ").replace(/[^a-z0-9]+/g, " ")
    .trim();
}
