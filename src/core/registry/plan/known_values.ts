/** Values of fields, as facets and records show them. */
import { fieldAlias } from "../../contract/fields/field_alias.ts";
import { readFacets } from "../../contract/facets.ts";
import type { SearchResponse } from "../../contract/search.ts";

/** Records that are searched for values: facets may list only the most frequent ones. */
export const SAMPLE_SIZE = 1000;

/**
 * Lists the values that a search shows, by the name of their field in queries: those of facets first, which are all
 * there are, then those of its records.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { knownValues } from "./known_values.ts";
 *
 * const values = knownValues({ results: [], facets: { "Host Species": { "Homo sapiens": 75 } } });
 *
 * assertEquals([...values], [["host_species", new Set(["Homo sapiens"])]]);
 * ```
 */
export function knownValues(
  { results, facets }: Pick<SearchResponse, "results" | "facets">,
): Map<string, Set<string>> {
  const values = new Map<string, Set<string>>();
  const add = (field: string, value: string) => {
    const alias = fieldAlias(field);
    const known = values.get(alias) ?? new Set();
    values.set(alias, known.add(value));
  };
  for (const { field, values: all } of readFacets(facets)) for (const { value } of all) add(field, value);
  for (const { source } of results) {
    for (const [field, value] of Object.entries(source)) if (typeof value === "string") add(field, value);
  }
  return values;
}
