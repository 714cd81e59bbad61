/** Which of the matching records a page of a search contains. */
import type { Ledger, Provenance } from "../ledger.ts";
import { DEFAULT_PAGE_NUMBER, DEFAULT_PAGE_SIZE } from "../limits.ts";

/**
 * Describes the position of a page among the matching records: `records 1 to 20 of 112: page 1`.
 *
 * The registry's total is the number of matches; a page with fewer records can still be complete.
 *
 * @param provenance Where it comes from: the request of a search has the page number.
 * @returns The description; `undefined` if the result is not a page of a larger one.
 * @see Specification 4.4 for page number and size, and their defaults.
 */
export function describePage(ledger: Ledger, provenance: Provenance): string | undefined {
  const { asked, promised, received, complete } = ledger;
  if (asked !== null || promised === null || received >= promised || provenance.operation !== "search") {
    return undefined;
  }
  const page = pageOf(provenance.request);
  if (page === undefined || page.isOfMany && !complete) return undefined;
  const { number, size } = page;
  const first = (number - 1) * size + 1;
  if (received > 0) return `records ${first} to ${first + received - 1} of ${promised}: page ${number}`;
  const pages = Math.ceil(promised / size);
  if (first <= promised) return undefined;
  return `no records on page ${number}: ${promised} match, on ${pages} ${pages === 1 ? "page" : "pages"} of ${size}`;
}

/** A page of a search. */
interface AskedPages {
  readonly number: number;
  readonly size: number;
  /** Whether the request combines several. */
  readonly isOfMany: boolean;
}

/** The page of a search request; `undefined` for another request. */
function pageOf(request: unknown): AskedPages | undefined {
  if (typeof request !== "object" || request === null || !("query" in request)) return undefined;
  const number = "pageNumber" in request ? request.pageNumber : DEFAULT_PAGE_NUMBER;
  const size = "pageSize" in request ? request.pageSize : DEFAULT_PAGE_SIZE;
  if (typeof number !== "number" || typeof size !== "number") return undefined;
  return { number, size, isOfMany: "pages" in request };
}

/** Whether a result is empty because no record matches: complete, but with nothing to show. */
export function isWithoutMatch({ asked, promised, received, complete }: Ledger): boolean {
  return complete && asked === null && promised === 0 && received === 0;
}
