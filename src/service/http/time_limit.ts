/** A limit on the time that finding takes. */
import { invalid } from "./refusal.ts";

/** What limits a query. */
export interface TimeLimit {
  /** Where the search object is in the request. */
  readonly loc: readonly string[];
  /** Ends with the request. */
  readonly signal: AbortSignal;
  /** Milliseconds that the query has; without a limit when absent. */
  readonly queryMs: number | undefined;
}

/**
 * Runs work that ends when its signal aborts: with the request, or when its time is over. The time no longer counts when
 * the work has settled, though its signal may be used on.
 *
 * @throws {Refusal} 422 when the time was over.
 */
export async function withinTime<T>(
  { loc, signal, queryMs }: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (queryMs === undefined) return await work(signal);
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new DOMException("the query's time is over", "AbortError")), queryMs);
  try {
    return await work(AbortSignal.any([signal, limit.signal]));
  } catch (error) {
    if (!limit.signal.aborted || signal.aborted) throw error;
    throw invalid(
      [...loc, "query"],
      `took longer than ${
        queryMs / 1000
      } s, the time that a query has; expected one that is sooner followed, such as ` +
        "with fewer wildcards, or that comes when less is under way",
      "too_slow",
    );
  } finally {
    clearTimeout(timer);
  }
}
