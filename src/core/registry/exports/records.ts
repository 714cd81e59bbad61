/** Which records an operation is about. */
import type { SearchFilter } from "../../contract/search.ts";
import { checkAccessions } from "../plan/accession_list.ts";
import type { ExportScope } from "./export_run.ts";
import type { OptionRules } from "../../options/option_rule.ts";
import * as rule from "../../options/rules.ts";
import { checkFirst } from "../../options/check_options.ts";

/** Named records. */
export interface RecordsByAccession {
  /** Accessions; one that comes twice is asked for once. */
  readonly ids: readonly string[];
}

/** Records that match. */
export interface RecordsByQuery {
  /** Search expression. */
  readonly query?: string;
  /** Facet filters: a list of field and value, or an object of values by field. */
  readonly filter?: readonly SearchFilter[] | Readonly<Record<string, unknown>>;
}

const SEARCH_FILTER = {
  field: rule.required(rule.text),
  value: rule.anything,
} satisfies OptionRules<SearchFilter>;

export const RECORDS_BY_QUERY = {
  query: rule.text,
  filter: rule.either(
    rule.listOf(rule.shape<SearchFilter>(SEARCH_FILTER), "{ field, value }"),
    rule.recordOf(rule.anything, "values by field"),
  ),
} satisfies OptionRules<RecordsByQuery>;

const RECORDS_BY_ACCESSION = {
  ids: rule.required(rule.like<readonly string[]>("a list of accessions", Array.isArray)),
} satisfies OptionRules<RecordsByAccession>;

/** Which records an operation is about. */
export type Records = RecordsByAccession | RecordsByQuery;

/** What a search looks for: a query, or a query and filters. */
export type SearchTerms = string | RecordsByQuery;

/** What status 404, "no results", becomes: an empty, typed result, or the error that the client throws. */
export type WhenNothingMatches = "empty" | "error";

export const WHEN_NOTHING_MATCHES = rule.oneOf(["empty", "error"]);

/**
 * Checks which records are meant.
 *
 * @throws {TypeError} If it is neither accessions nor something to search by, or an accession is malformed.
 */
export function scopeOf(records: Records): ExportScope {
  if (typeof records !== "object" || records === null) {
    throw new TypeError("Cannot tell which records are meant: expected { ids } or { query, filter }");
  }
  // A key that is undefined, as a function passes it on that takes both, counts as absent.
  const { ids, query: terms, filter: filters, ...unknown }: Partial<RecordsByAccession & RecordsByQuery> = records;
  const hasTerms = terms !== undefined || filters !== undefined;
  if (ids !== undefined && hasTerms) {
    throw new TypeError("Cannot tell which records are meant: expected either { ids } or { query, filter }, not both");
  }
  if ("ids" in records && !hasTerms) {
    checkFirst("the records asked for", { ids: records.ids, ...unknown }, RECORDS_BY_ACCESSION);
    return { list: checkAccessions(records.ids) };
  }
  checkFirst("the records asked for", { query: terms, filter: filters, ...unknown }, RECORDS_BY_QUERY);
  const query = terms ?? "";
  const filter = filtersOf(filters);
  if (query.trim() === "" && filter.length === 0) {
    throw new TypeError(
      'Cannot export: neither ids, a query nor a filter; the registry refuses an empty search term ("*" matches every ' +
        "record on the embedded registry)",
    );
  }
  return { query, ...filter.length > 0 && { filter } };
}

/**
 * Reads filters, given as a list or as an object of values by field.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { filtersOf } from "./records.ts";
 *
 * assertEquals(filtersOf({ Country: "Kenya" }), [{ field: "Country", value: "Kenya" }]);
 * ```
 */
export function filtersOf(filter: RecordsByQuery["filter"]): readonly SearchFilter[] {
  if (filter === undefined) return [];
  if (isList(filter)) return filter;
  return Object.entries(filter).map(([field, value]) => ({ field, value }));
}

function isList(filter: NonNullable<RecordsByQuery["filter"]>): filter is readonly SearchFilter[] {
  return Array.isArray(filter);
}
