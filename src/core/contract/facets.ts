/** A lenient reader of facets, whose structure the specification does not show. */
import { isRecord } from "../options/is_record.ts";

/** How often one value of a field occurs among the matching records. */
export interface FacetValue {
  /** The value. */
  readonly value: string;
  /** Matching records that have it. */
  readonly count: number;
}

/** Values of one field among the matching records. */
export interface Facet {
  /** Field, as the registry names it. */
  readonly field: string;
  /** Values with their counts, in the registry's order. */
  readonly values: readonly FacetValue[];
}

const NAME_KEYS = ["value", "key", "name", "label", "term"];
const COUNT_KEYS = ["count", "doc_count", "docCount", "total", "n"];
const LIST_KEYS = ["values", "buckets", "items", "options", "facets"];
const FIELD_KEYS = ["field", "name", "key", "label"];

/**
 * Reads facets in any common shape; entries that cannot be read are left out, and stay in the raw response.
 *
 * Shapes: `{field: [{value, count}]}`, `{field: {value: count}}`, `{field: {buckets: [{key, doc_count}]}}`, a list of
 * `{field, values: [...]}`, and pairs `[value, count]`.
 *
 * @param raw `facets` as received.
 * @returns One entry per field that could be read; empty when nothing could.
 * @see Specification 2.3, "structure of facets entries: not shown".
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readFacets } from "./facets.ts";
 *
 * assertEquals(readFacets({ Country: { Kenya: 3 } }), [{ field: "Country", values: [{ value: "Kenya", count: 3 }] }]);
 * assertEquals(readFacets("unknown"), []);
 * ```
 */
export function readFacets(raw: unknown): Facet[] {
  const facets: Facet[] = [];
  const add = (field: unknown, entry: unknown): void => {
    const values = readValues(entry);
    if (typeof field === "string" && values !== undefined) facets.push({ field, values });
  };
  if (Array.isArray(raw)) {
    for (const entry of raw) if (isRecord(entry)) add(pick(entry, FIELD_KEYS), pick(entry, LIST_KEYS));
  } else if (isRecord(raw)) {
    for (const [field, entry] of Object.entries(raw)) add(field, entry);
  }
  return facets;
}

function readValues(entry: unknown): FacetValue[] | undefined {
  if (Array.isArray(entry)) {
    const values = entry.map(readValue).filter((value) => value !== undefined);
    return values.length === 0 && entry.length > 0 ? undefined : values;
  }
  if (!isRecord(entry)) return undefined;
  const list = pick(entry, LIST_KEYS);
  if (typeof list === "object" && list !== null) return readValues(list);
  const pairs = Object.entries(entry).map(([value, count]) => readValue([value, count]));
  return pairs.every((pair) => pair !== undefined) ? pairs as FacetValue[] : undefined;
}

function readValue(entry: unknown): FacetValue | undefined {
  const [value, count] = Array.isArray(entry)
    ? entry
    : isRecord(entry)
    ? [pick(entry, NAME_KEYS), pick(entry, COUNT_KEYS)]
    : [];
  if (typeof count !== "number" || !Number.isFinite(count)) return undefined;
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return undefined;
  return { value: String(value), count };
}

function pick(entry: Readonly<Record<string, unknown>>, keys: readonly string[]): unknown {
  const key = keys.find((key) => Object.hasOwn(entry, key));
  return key === undefined ? undefined : entry[key];
}
