/**
 * What may be wrong with a search that no record matches.
 *
 * @module
 */
import { fieldAlias } from "../../contract/field_alias.ts";
import { isWithoutMatch } from "../../contract/pages/ledger_page.ts";
import type { Ledger } from "../../contract/ledger.ts";
import { nearbyName, nearest } from "../../contract/options/nearest.ts";
import type { SearchCriteria } from "./search_criteria.ts";

/**
 * Suggests what to change in a search that no record matches: a field that the registry does not have, with the nearest
 * one that it has, else the values.
 *
 * @param criteria The search.
 * @param names Public field names of the registry; with fewer than two its fields are not known.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { suggestForNoMatch } from "./no_match.ts";
 *
 * const names = ["Registry Accession", "Country", "Host Species"];
 *
 * assertEquals(
 *   suggestForNoMatch({ query: "contry:Kenya" }, names),
 *   'no records match: no field is called "contry", did you mean "country"?',
 * );
 * assertEquals(
 *   suggestForNoMatch({ query: "country:Kenia" }, names),
 *   "no records match: check how the values are spelt, or leave out one clause or filter at a time",
 * );
 * ```
 */
export function suggestForNoMatch({ query, filter = [] }: SearchCriteria, names: readonly string[]): string {
  const aliases = names.map(fieldAlias);
  const known = new Set([...names, ...aliases]);
  if (names.length > 1) {
    for (const { field } of filter) if (!known.has(field)) return describeUnknown(field, names);
    for (const field of fieldsOf(query)) if (!known.has(field)) return describeUnknown(field, aliases);
  }
  return "no records match: check how the values are spelt, or leave out one clause or filter at a time";
}

/**
 * Adds the suggestion to the warnings of a ledger, where no record matches.
 *
 * @param readNames Lists the registry's public fields; called only then. What it fails with is left out: a suggestion is
 * no reason to fail.
 */
export async function withSuggestion(
  ledger: Ledger,
  criteria: SearchCriteria,
  readNames: () => Promise<readonly string[]>,
): Promise<Ledger> {
  if (!isWithoutMatch(ledger)) return ledger;
  const names = await readNames().catch(() => []);
  return { ...ledger, warnings: [...ledger.warnings, suggestForNoMatch(criteria, names)] };
}

function describeUnknown(field: string, known: readonly string[]): string {
  return `no records match: no field is called ${JSON.stringify(field.slice(0, 200))}, did you mean "${
    nearbyName(field, known) ?? nearest(field, known)
  }"?`;
}

/** Fields that clauses of a query name: `field:value`, outside quotes. */
function fieldsOf(query: string): string[] {
  const plain = query.replace(/"(?:[^"\\]|\\.)*"?/g, '""');
  return [...plain.matchAll(/(?:^|[\s(!+-])([A-Za-z_][\w.]*):/g)].map(([, field]) => field);
}
