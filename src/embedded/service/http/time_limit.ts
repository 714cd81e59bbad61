/** Limits on what finding takes: computing of its own, and waiting for others. */
import { MOST_MS } from "@seqreg/core/io/tasks";
import { asWork, BudgetError, currentWork } from "../schedule/work.ts";
import { invalid, Refusal } from "./refusal.ts";

export interface TimeLimit {
  /** Where the search object is in the request. */
  readonly loc: readonly string[];
  readonly signal: AbortSignal;
  /** Milliseconds that may be computed for the query; without a limit when absent. */
  readonly queryMs: number | undefined;
  /** Milliseconds that may pass until the query has its answer; without a limit when absent. */
  readonly waitMs: number | undefined;
}

/**
 * Runs work that ends when its signal aborts: with the request, when its computing time is used up, or when it took too
 * long under load. The limits end when the work has settled, although its signal may still be used.
 *
 * @throws {Refusal} 422 when the query computed for too long, 503 when it waited for too long.
 */
export async function withinTime<T>(
  { loc, signal, queryMs = Infinity, waitMs = Infinity }: TimeLimit,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const work = currentWork();
  const late = new AbortController();
  const timer = waitMs === Infinity ? undefined : setTimeout(
    () => late.abort(new DOMException("the query waited too long", "AbortError")),
    Math.min(waitMs, MOST_MS),
  );
  work.budgetMs = work.usedMs + queryMs;
  try {
    return await asWork(work, () => run(AbortSignal.any([signal, late.signal])));
  } catch (error) {
    const isLate = late.signal.aborted;
    // What was under way at the same time would compute on, and without a budget.
    late.abort(error);
    if (error instanceof BudgetError) throw tooSlow(loc, queryMs);
    if (!isLate || signal.aborted) throw error;
    throw new Refusal(
      503,
      `Busy: the query had no answer within ${waitMs / 1000} s; try again when less is under way`,
      {
        "retry-after": "10",
      },
    );
  } finally {
    clearTimeout(timer);
    work.budgetMs = Infinity;
  }
}

function tooSlow(loc: readonly string[], queryMs: number): Refusal {
  return invalid(
    [...loc, "query"],
    `took longer than ${
      queryMs / 1000
    } s, the computing time that a query has; expected a query that takes less, such ` +
      "as with fewer wildcards, with fields named, or with a filter",
    "too_slow",
  );
}
