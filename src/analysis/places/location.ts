/** Locations as GISAID writes them: `Continent / Country / Region / …`. */

/** Continents of such locations, in lower case. */
const CONTINENTS: ReadonlySet<string> = new Set([
  "africa",
  "antarctica",
  "asia",
  "central america",
  "europe",
  "north america",
  "oceania",
  "south america",
]);

/**
 * Finds the country of a location.
 *
 * @param text A location, or anything else.
 * @returns The part behind the continent; `undefined` for other texts.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { countryOfLocation } from "./location.ts";
 *
 * assertEquals(countryOfLocation("Europe / Germany / Berlin"), "Germany");
 * assertEquals(countryOfLocation("Ward 3 / Bed 2"), undefined);
 * ```
 */
export function countryOfLocation(text: string): string | undefined {
  const [continent, country = ""] = text.split("/").map((part) => part.trim());
  return country !== "" && CONTINENTS.has(continent.toLowerCase()) ? country : undefined;
}

/** The pattern of all locations in a country, for engines. */
export function locationPattern(country: string): string {
  const name = country.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return `^\\s*(?i:${[...CONTINENTS].join("|")})\\s*/\\s*${name}\\s*(?:/|$)`;
}
