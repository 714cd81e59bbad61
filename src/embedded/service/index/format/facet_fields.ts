/** Which fields have facets, and what facets say. */
import type { Facet, FacetValue } from "@seqreg/core/contract";
import { compareCodePoints, type Field } from "@seqreg/core/query";

export const MAX_FACET_FIELDS = 12;
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

/** A field that has facets, with its values by code. */
export interface FacetField {
  /** Position among the archives' columns. */
  readonly index: number;
  /** Public name. */
  readonly name: string;
  /** Values by code. */
  readonly values: readonly string[];
  /** Codes of values that say that they are missing. */
  readonly missing: readonly number[];
}

/** Values of a field with how many records have each; `undefined` for a field that has too many to count. */
export interface ValueCounts {
  readonly values: readonly string[];
  /** Codes of values that say that they are missing. */
  readonly missing: readonly number[];
  readonly counts: Uint32Array;
}

/**
 * Chooses the fields that have facets: all but lists, floats and the accession may.
 *
 * Preferred fields with at most 1,000 values are chosen first, then fields in the order of the archives with 2 to 100
 * values that two records or more share on average; twelve in all.
 */
export function chooseFacetFields(
  fields: readonly Field[],
  columns: readonly (ValueCounts | undefined)[],
  { accessionField, records }: { readonly accessionField: number; readonly records: number },
): FacetField[] {
  const distinct = ({ index, type }: Field): number => {
    const column = columns[index];
    if (column === undefined || type === "list" || type === "float" || index === accessionField) return 0;
    return column.values.length - column.missing.length;
  };
  const preferred = PREFERRED.flatMap((alias) => fields.filter((field) => field.alias === alias));
  const few = preferred.filter((field) => isWithin(distinct(field), 1, MAX_PREFERRED_VALUES));
  const others = fields.filter((field) =>
    !preferred.includes(field) && isWithin(distinct(field), 2, Math.min(MAX_OTHER_VALUES, records / 2))
  );
  const chosen = new Set([...few, ...others].slice(0, MAX_FACET_FIELDS));
  return fields.filter((field) => chosen.has(field))
    .map(({ index, name }) => ({
      index,
      name,
      values: columns[index]?.values ?? [],
      missing: columns[index]?.missing ?? [],
    }));
}

/**
 * Orders the values of one field: the most frequent first, equal ones by code point; at most twenty, no missing one.
 */
export function facetOf(
  { name, values, missing }: FacetField,
  counts: Iterable<readonly [code: number, count: number]>,
): Facet {
  const absent = new Set(missing);
  const found: FacetValue[] = [];
  for (const [code, count] of counts) {
    if (count > 0 && !absent.has(code)) found.push({ value: values[code], count });
  }
  found.sort((a, b) => b.count - a.count || compareCodePoints(a.value, b.value));
  return { field: name, values: found.slice(0, MAX_FACET_VALUES) };
}

function isWithin(number: number, least: number, most: number): boolean {
  return number >= least && number <= most;
}
