/**
 * How to get every record that a search matches, decided before it is done.
 *
 * A registry pages through its first 10,000 matching records only. The others need a `max` export, which has no such
 * limit, but requires a search term and returns neither identifiers nor scores. Without a term the search is divided
 * into parts, if probes prove that these are complete; if that cannot be proved, the plan reports it.
 */
import { countOf } from "../../contract/count_of.ts";
import { MAX_SEARCH_DEPTH } from "../../contract/limits.ts";
import type { SearchCriteria } from "./search_criteria.ts";
import type { SearchPart, SearchSplit } from "./search_split.ts";

/** One step of a {@linkcode SearchPlan}. */
export interface SearchStep {
  /** What is asked: pages of a search, one `max` export, or pages of each part. */
  readonly kind: "pages" | "export" | "split";
  /** Requests of this step. */
  readonly requests: number;
  /** Records it is expected to give; `null` when the registry did not say. */
  readonly records: number | null;
  /** What and why, in words. */
  readonly why: string;
}

/** The steps of a search for all records, and whether they reach all. */
export interface SearchPlan {
  /** What is searched. */
  readonly criteria: SearchCriteria;
  /** Matching records, as the registry counts them. */
  readonly total: number;
  /** Whether the registry may have stopped counting: a total of exactly 10,000 is "at least". */
  readonly atLeast: boolean;
  /** Results in a page. */
  readonly pageSize: number;
  /** The steps, in order. */
  readonly steps: readonly SearchStep[];
  /** Whether the steps reach every record; when not, `reason` says why. */
  readonly complete: boolean;
  /** Why not every record is reached; `null` when it is. */
  readonly reason: string | null;
  /** Whether the registry does not say how many match, so that pages are read until one is not full. */
  readonly isOpen?: boolean;
  /** Limits that the registry has shown, in words. */
  readonly limits?: readonly string[];
  /** What pages of parts are read of, in the step `split`. */
  readonly parts?: readonly SearchPart[];
}

/** Properties of a search in addition to its total. */
export interface KnownOfSearch {
  /** Whether more may match than the total says. */
  readonly atLeast?: boolean;
  /** Whether the registry does not say how many match. */
  readonly isOpen?: boolean;
  /** Limits that the registry has shown, in words. */
  readonly limits?: readonly string[];
  /** The record where paging ends; 10,000 by default. */
  readonly depth?: number;
}

/**
 * Plans a search for all records. Asks nothing.
 *
 * @param total Matching records, from a first page.
 * @see Specification 4.4, rule 2, and 4.2, rule 2. That a query is needed is rule 5: "empty search term" gives 400.
 */
export function planSearch(
  criteria: SearchCriteria,
  total: number,
  pageSize: number,
  known: KnownOfSearch = {},
): SearchPlan {
  const { isOpen = false, limits = [], depth = MAX_SEARCH_DEPTH } = known;
  const atLeast = isOpen || known.atLeast === true || total === MAX_SEARCH_DEPTH;
  const paged = Math.min(total, depth);
  const steps: SearchStep[] = [{
    kind: "pages",
    requests: Math.max(1, Math.ceil(paged / pageSize)),
    records: paged,
    why: total < depth
      ? `pages of ${pageSize} reach ${total === 1 ? "the 1 record" : `all ${total} records`}`
      : `pages of ${pageSize} reach the first ${depth} records, in order, with identifiers and scores`,
  }];
  const base = { criteria, total, atLeast, pageSize, ...limits.length > 0 && { limits } };
  if (isOpen) {
    const requests = Math.max(1, Math.min(Math.ceil(paged / pageSize) + 1, MAX_SEARCH_DEPTH / pageSize));
    const why = `pages of ${pageSize} until one is not full: the registry does not say exactly how many match`;
    const step: SearchStep = { kind: "pages", requests: Math.ceil(requests), records: null, why };
    return { ...base, isOpen, steps: [step], complete: true, reason: null };
  }
  if (total < depth) return { ...base, steps, complete: true, reason: null };
  const count = atLeast ? `at least ${total}` : String(total);
  if (criteria.query.trim() === "") {
    const reason = `${count} records match, paging ends at ${depth}, and an export needs a query; ` +
      `add a clause to the query, or take a dataset archive`;
    return { ...base, steps, complete: false, reason };
  }
  steps.push({
    kind: "export",
    requests: 1,
    records: atLeast ? null : total - depth,
    why: `one export of all that match gives the records beyond ${depth}, without identifiers and scores, ` +
      `in the registry's order`,
  });
  return { ...base, steps, complete: true, reason: null };
}

/** Extends a plan that does not reach every record by parts that do, or by the reason why it cannot. */
export function addSplit(plan: SearchPlan, split: SearchSplit | { readonly reason: string }): SearchPlan {
  if ("reason" in split) return { ...plan, reason: `${plan.reason}; ${split.reason}` };
  const { parts, by, probes } = split;
  const requests = parts.reduce((sum, { total }) => sum + Math.ceil(total / plan.pageSize), 0);
  const step: SearchStep = {
    kind: "split",
    requests,
    records: plan.total - MAX_SEARCH_DEPTH,
    why:
      `${parts.length} parts by ${by} have the rest: ${probes} probes show that they sum to ${plan.total}, and that ` +
      `paging reaches each`,
  };
  return { ...plan, steps: [...plan.steps, step], complete: true, reason: null, parts };
}

/** Writes a plan for people, one line a step. */
export function explainPlan({ criteria, total, atLeast, steps, reason, limits = [] }: SearchPlan): string {
  const filters = criteria.filter?.length ?? 0;
  const filtered = filters === 0 ? "" : ` with ${countOf(filters, "filter")}`;
  return [
    `Search for all of ${JSON.stringify(criteria.query)}${filtered}: ${atLeast ? "at least " : ""}${
      countOf(total, "record")
    } ${total === 1 ? "matches" : "match"}`,
    ...steps.map(({ kind, requests, records, why }, index) =>
      `${index + 1}. ${kind}, ${countOf(requests, "request")}, ` +
      `${records === null ? "an unknown number of records" : countOf(records, "record")}: ${why}`
    ),
    ...limits.map((limit) => `The registry takes ${limit}.`),
    reason === null ? "Reaches every record." : `Does not reach every record: ${reason}.`,
  ].join("\n");
}
