/**
 * Facet filters: from the request's list to the same tree that a query becomes.
 *
 * The specification shows `{field, value: any}` and no more. Our choice: the field is a public name or an alias; all
 * entries must hold, those of one field are alternatives; a value is a text, a number, a boolean, or a list of these,
 * which are alternatives too. A text is compared exactly as it stands in the archives, so that filtering by a value of
 * a facet finds as many records as the facet counts; `""` finds records whose value is empty, and `?` those that say
 * so. A number is compared as one in a field of numbers, and a boolean in a field of booleans. In a `;`-joined list an
 * element is enough.
 */
import type { FieldType } from "../contract/metadata.ts";
import { readInteger } from "../contract/values/mod.ts";
import type { SearchFilter } from "../contract/search.ts";
import { type Field, type FieldLookup, isNumeric } from "./fields.ts";
import type { Key } from "./keys.ts";
import { allOf, type QueryNode } from "./query_ast.ts";
import { CriteriaError } from "./criteria_error.ts";

/** Most values in all filters of a request together. */
export const MAX_FILTER_VALUES = 10_000;
/** Most entries of a filter. */
export const MAX_FILTER_ENTRIES = 1_000;

/** Texts, and keys of numbers and booleans, that a field may have. */
interface Alternatives {
  readonly texts: Set<string>;
  readonly keys: Set<Key>;
}

/**
 * Reads filters.
 *
 * @param filter Entries as they came; their values are not checked yet.
 * @returns The compiled filters; every record if the list is empty.
 * @throws {CriteriaError} With `loc` `["filter", index, "field"]` for an unknown field, `["filter", index, "value"]`
 * for a value of another kind, and `["filter"]` when there are more entries or values than the limits.
 * @see Specification 4.4; the meaning of a filter's value is not shown there.
 */
export function readFilters(filter: readonly SearchFilter[], lookup: FieldLookup): QueryNode {
  if (filter.length > MAX_FILTER_ENTRIES) {
    throw new CriteriaError(`expected at most ${MAX_FILTER_ENTRIES} filters, got ${filter.length}`, ["filter"]);
  }
  const byField = new Map<Field, Alternatives>();
  let values = 0;
  for (const [index, entry] of filter.entries()) {
    const field = lookup.find(entry.field);
    if (field === undefined) throw new CriteriaError(lookup.describeUnknown(entry.field), ["filter", index, "field"]);
    const alternatives = byField.get(field) ?? { texts: new Set(), keys: new Set() };
    byField.set(field, alternatives);
    const list = Array.isArray(entry.value) ? entry.value : [entry.value];
    values += list.length;
    if (list.length === 0) throw valueError(index, "an empty array");
    if (values > MAX_FILTER_VALUES) {
      throw new CriteriaError(`expected at most ${MAX_FILTER_VALUES} values in all filters together`, ["filter"]);
    }
    for (const value of list) addValue(alternatives, field, value, index);
  }
  return allOf([...byField].map(([field, { texts, keys }]) => ({
    kind: "exact",
    field: field.index,
    texts: [...texts],
    definition: { type: field.type, unit: field.unit },
    keys: [...keys],
    elements: field.type === "list",
  })));
}

function addValue({ texts, keys }: Alternatives, field: Field, value: unknown, index: number): void {
  if (typeof value === "string") texts.add(value.toWellFormed());
  else if (typeof value === "boolean") {
    if (field.type === "boolean") keys.add(Number(value));
    else texts.add(String(value));
  } else if (typeof value === "number" && Number.isFinite(value)) {
    if (isNumeric(field.type)) addNumber(keys, value, field.type);
    else texts.add(String(value));
  } else {throw valueError(
      index,
      value === null ? "null" : Array.isArray(value) ? "an array in an array" : typeof value,
    );}
}

/** No integer equals a fraction; those beyond 2^53 have keys of their own kind; minus zero and zero are one number. */
function addNumber(keys: Set<Key>, value: number, type: FieldType): void {
  const key = type === "integer" ? readInteger(Number.isInteger(value) ? String(BigInt(value)) : "") : value + 0;
  if (key !== undefined) keys.add(key);
}

function valueError(index: number, got: string): CriteriaError {
  return new CriteriaError(
    `expected a string, a number, a boolean, or an array of at least one of these, got ${got}`,
    ["filter", index, "value"],
  );
}
