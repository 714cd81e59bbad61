/** What the embedded registry allows, where the specification states nothing. */

/** Greatest `pageSize`. The specification does not show one: chosen because no search reaches further. */
export const MAX_PAGE_SIZE = 10_000;

/** Greatest request body, 8 MiB: beyond it the answer is 413. Not shown in the specification. */
export const MAX_BODY_BYTES: number = 8 * 2 ** 20;

/**
 * Most bytes of request bodies that are held at once, 64 MiB, the first 64 KiB of each not counted: beyond it the
 * answer is 503 with `Retry-After`. Not shown either.
 */
export const MAX_BODIES_BYTES: number = 64 * 2 ** 20;

/**
 * Milliseconds of computing that `seqreg serve` spends on a search, and on an export until its first records: then 422.
 * Time in which others are served does not count. Not shown in the specification.
 */
export const QUERY_MS = 10_000;

/**
 * Milliseconds that `seqreg serve` lets pass until a search is answered, and an export has its first records: a query
 * that others kept waiting for so long is answered with 503 and `Retry-After`. Not shown in the specification.
 */
export const QUERY_WAIT_MS = 60_000;

/** Most columns of the metadata: each takes a megabyte or two while they are imported. Not shown either. */
export const MAX_FIELDS = 500;

/** Deepest nesting of arrays and objects in a request body: beyond it the answer is 422. Not shown either. */
export const MAX_JSON_DEPTH = 64;
