/** The limits that the specification states. */

/** A search reaches the first 10,000 matching records. Source: Specification 4.4, rule 2, and 8. */
export const MAX_SEARCH_DEPTH = 10_000;

/** A selection is cut after 10,000 accessions; the rest are ignored. Source: Specification 4.2, rule 1, and 8. */
export const MAX_SELECTION = 10_000;

/** Results per page when a search has no page size. Source: Specification 4.4 and 8. */
export const DEFAULT_PAGE_SIZE = 50;

/** Page when a search has no page number, counted from 1. Source: Specification 4.4 and 8. */
export const DEFAULT_PAGE_NUMBER = 1;
