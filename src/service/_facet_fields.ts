/** Which fields have facets, and what facets say. */
import type { Facet, FacetValue } from "../spec/facets.ts";
import { compareCodePoints } from "./_fold.ts";
import type { Field } from "./_fields.ts";

/** Most fields with facets. */
export const MAX_FACET_FIELDS = 12;
/** Most values of one facet. */
export const MAX_FACET_VALUES = 20;

/** Fields that people filter by, by alias: they come first when the data has them. */
const PREFERRED = [
  "molecule_type",
  "genome_completeness",
  "host_species",
  "host_common_name",
  "country",
  "species",
  "genus",
  "family",
  "collection_year",
  "isolation_source",
  "segment",
];

/** Values that a preferred field, and any other, may have at most. */
const MAX_PREFERRED_VALUES = 1_000;
const MAX_OTHER_VALUES = 100;

/**
 * Chooses the fields that have facets, from the number of values that the import saw.
 *
 * Preferred fields with at most 1,000 values come first, then fields in the order of the archives with 2 to 100 values
 * that are each shared by two records on average; twelve in all. Lists, floats and the accession have none.
 */
export function chooseFacetFields(
  fields: readonly Field[],
  distinct: ReadonlyMap<number, number>,
  records: number,
): Field[] {
  const preferred = PREFERRED.flatMap((alias) => fields.filter((field) => field.alias === alias));
  const few = preferred.filter(({ index }) => within(distinct.get(index), 1, MAX_PREFERRED_VALUES));
  const others = fields.filter((field) =>
    !preferred.includes(field) && within(distinct.get(field.index), 2, Math.min(MAX_OTHER_VALUES, records / 2))
  );
  const chosen = new Set([...few, ...others].slice(0, MAX_FACET_FIELDS));
  return fields.filter((field) => chosen.has(field));
}

/** Whether a field may have facets at all. */
export function mayHaveFacet({ type, name }: Field, accessionField: string): boolean {
  return type !== "list" && type !== "float" && name !== accessionField;
}

/** Orders the values of one field: the most frequent first, equal ones by code point; at most twenty. */
export function facetOf(field: string, counts: readonly FacetValue[]): Facet {
  const values = counts.filter(({ value }) => value !== "")
    .sort((a, b) => b.count - a.count || compareCodePoints(a.value, b.value));
  return { field, values: values.slice(0, MAX_FACET_VALUES) };
}

function within(number: number | undefined, least: number, most: number): boolean {
  return number !== undefined && number >= least && number <= most;
}
