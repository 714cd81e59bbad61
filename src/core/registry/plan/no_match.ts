/** What may be wrong with a search that no record matches. */
import { fieldAlias } from "../../contract/fields/field_alias.ts";
import { isWithoutMatch } from "../../contract/pages/ledger_page.ts";
import { extendLedger, type Ledger } from "../../contract/ledger.ts";
import { noteEntry } from "../../contract/ledger_entries.ts";
import { adviseName, nearbyName } from "../../options/nearest.ts";
import type { SearchResponse } from "../../contract/search.ts";
import { knownValues } from "./known_values.ts";
import type { SearchCriteria } from "./search_criteria.ts";

/** What is asked of a registry for a suggestion, when there is one to make. */
export interface RegistryKnowledge {
  /** Lists the public fields. */
  names(): Promise<readonly string[]>;
  /** Searches for everything: some records and facets, whose values may have been meant. */
  sample(): Promise<Pick<SearchResponse, "results" | "facets">>;
}

const CHECK_VALUES = "no records match: check how the values are spelt, or leave out one clause or filter at a time";

/**
 * Suggests what to change in a search that no record matches: a field that the registry does not have, with the nearest
 * one that it has, else the values.
 *
 * @param names Public field names of the registry; with fewer than two its fields are not known.
 */
export function suggestForNoMatch({ query, filter = [] }: SearchCriteria, names: readonly string[]): string {
  const aliases = names.map(fieldAlias);
  // Fields are found in any case.
  const known = new Set([...names, ...aliases].map((name) => name.toLowerCase()));
  const isKnown = (field: string) => known.has(field.toLowerCase());
  if (names.length > 1) {
    for (const { field } of filter) if (!isKnown(field)) return describeUnknown(field, names);
    for (const field of fieldsOf(query)) if (!isKnown(field)) return describeUnknown(field, aliases);
  }
  return CHECK_VALUES;
}

/**
 * Suggests the value that was meant, where a clause or a filter asks for one that some record nearly has.
 *
 * @param sample Some records and facets of the registry.
 * @returns The suggestion; `undefined` when no value is near.
 */
export function suggestValue(
  { query, filter = [] }: SearchCriteria,
  sample: Pick<SearchResponse, "results" | "facets">,
): string | undefined {
  const all = knownValues(sample);
  const asked = [
    ...filter.map(({ field, value }) => ({ field, value, colon: "=" })),
    ...clausesOf(query).map((clause) => ({ ...clause, colon: ":" })),
  ];
  for (const { field, value, colon } of asked) {
    if (typeof value !== "string") continue;
    const values = all.get(fieldAlias(field)) ?? new Set();
    const folded = value.toLowerCase();
    if ([...values].some((known) => known.toLowerCase() === folded)) continue;
    const near = nearbyName(value, [...values]);
    if (near === undefined) continue;
    const written = colon === ":" && /[^\w.-]/.test(near) ? JSON.stringify(near) : near;
    return `no record has ${field}${colon}${value.slice(0, 200)}, did you mean ${field}${colon}${
      written.slice(0, 200)
    }?`;
  }
}

/**
 * Adds a suggestion to the warnings of a ledger, where no record matches: an unknown field, else a value that is near.
 *
 * @param registry Used only in that case. Its errors are ignored: a missing suggestion is not a failure.
 */
export async function withSuggestion(
  ledger: Ledger,
  criteria: SearchCriteria,
  registry: RegistryKnowledge,
): Promise<Ledger> {
  if (!isWithoutMatch(ledger)) return ledger;
  const names = await registry.names().catch(() => []);
  const suggestion = suggestForNoMatch(criteria, names);
  const value = suggestion === CHECK_VALUES
    ? await registry.sample().then((sample) => suggestValue(criteria, sample), () => undefined)
    : undefined;
  return extendLedger(ledger, [
    noteEntry("no-match", value === undefined ? suggestion : `no records match: ${value}`),
  ]);
}

function describeUnknown(field: string, known: readonly string[]): string {
  return `no records match: no field is called ${JSON.stringify(field.slice(0, 200))}, ${adviseName(field, known)}`;
}

/** Fields that clauses of a query name: `field:value`, outside quotes. */
function fieldsOf(query: string): string[] {
  const plain = query.replace(/"(?:[^"\\]|\\.)*"?/g, '""');
  return [...plain.matchAll(/(?:^|[\s(!+-])([A-Za-z_][\w.]*):/g)].map(([, field]) => field);
}

/** Plain clauses of a query that ask for one whole value, in quotes or without spaces. */
function clausesOf(query: string): { readonly field: string; readonly value: string }[] {
  const clause = /(?:^|[\s(+])([A-Za-z_][\w.]*):(?:"([^"\\]+)"|([^\s"'()[\]{}<>*?\\]+))(?=[\s)]|$)/g;
  return [...query.matchAll(clause)].map(([, field, quoted, bare]) => ({ field, value: quoted ?? bare }));
}
