/** On whose behalf something is computed, and how long it may take. */
import { AsyncLocalStorage } from "node:async_hooks";

export interface Work {
  /** The client that asked, such as its address: clients take their slices in turn. */
  readonly client: string;
  /** Computed in a fixed share of the slices while requests wait for slices, such as an import. */
  readonly background: boolean;
  /** Milliseconds computed so far. */
  usedMs: number;
  /** Milliseconds that may be computed; `Infinity` without a budget. */
  budgetMs: number;
}

/** A query has used up its budget. */
export class BudgetError extends Error {
  override readonly name = "BudgetError";
}

const current = new AsyncLocalStorage<Work>();

export function startWork(client: string): Work {
  return { client, background: false, usedMs: 0, budgetMs: Infinity };
}

/** Starts work that no request waits for, or that several share. */
export function startSharedWork(background: boolean): Work {
  return { client: "", background, usedMs: 0, budgetMs: Infinity };
}

/** Returns the work that the caller belongs to; new work outside of any. */
export function currentWork(): Work {
  return current.getStore() ?? startWork("");
}

/** Runs a function as part of work, including everything it starts. */
export function asWork<T>(work: Work, run: () => T): T {
  return current.run(work, run);
}

/**
 * Adds computing time to work.
 *
 * @throws {BudgetError} If that is more than its budget.
 */
export function spend(work: Work, ms: number): void {
  work.usedMs += ms;
  if (work.usedMs > work.budgetMs) throw new BudgetError(`computed for more than ${work.budgetMs} ms`);
}
