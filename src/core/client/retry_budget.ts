/** Limits of retries: four attempts and 30 seconds of waiting, reset after progress. */
import { RegistryError } from "../errors.ts";
import { pause } from "../io/tasks/pause.ts";
import { BusyError, NetworkError, StatusError, TimeoutError } from "./errors.ts";
import { DEFAULT_RETRY, RETRY_POLICY, type RetryEvent, type RetryPolicy } from "./retry_policy.ts";
import { parseHttpDate, parseRetryAfter } from "./retry_after.ts";
import type { OptionRules } from "../options/option_rule.ts";
import * as rule from "../options/rules.ts";
import { checkOptions } from "../options/check_options.ts";

/** Bytes that count as progress, after which attempts and waiting are reset. */
export const PROGRESS_BYTES: number = 1 << 20;

/** Statuses after which a request is retried. Other 4xx never are. */
export const RETRIED_STATUSES: readonly number[] = [
  ...[408, 429, 500, 502, 503, 504],
  // Of networks in front of a registry: it could not be reached, did not answer in time, or is overloaded.
  ...[520, 521, 522, 523, 524, 529],
];

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;

/** Injected dependencies of a {@linkcode RetryBudget}. */
export interface RetrySurroundings {
  /** Time in milliseconds since 1970; `Date.now` by default. */
  readonly now?: () => number;
  /** Number from 0 to 1; `Math.random` by default. */
  readonly random?: () => number;
  /** Waits, and ends early with the signal's reason; a timer by default. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Called after every failed attempt that is followed by another. */
  readonly onRetry?: (event: RetryEvent) => void;
}

const SURROUNDINGS = {
  now: rule.callback(),
  random: rule.callback(),
  sleep: rule.callback(),
  onRetry: rule.callback(),
} satisfies OptionRules<RetrySurroundings>;

const PAUSE_OPTIONS = { signal: rule.signal } satisfies OptionRules<{ readonly signal?: AbortSignal }>;

/**
 * Counts the attempts and waits of one task, which may need several requests, such as a resumed download.
 *
 * Waits grow from half a second, each random between zero and its maximum (full jitter), so that many clients do not
 * retry at the same time. A `Retry-After` is followed, never shortened.
 *
 * @example
 * ```ts
 * import { assertEquals, assertRejects } from "@std/assert";
 * import { NetworkError } from "./errors.ts";
 * import { RetryBudget } from "./retry_budget.ts";
 *
 * const waits: number[] = [];
 * const budget = new RetryBudget({ tries: 2 }, { random: () => 1, sleep: (ms) =>
 *   Promise.resolve(void waits.push(ms)) });
 * const broken = new NetworkError("Cannot search: the connection broke", "http://127.0.0.1/");
 * await budget.pause(broken);
 *
 * assertEquals(waits, [500]);
 * await assertRejects(() => budget.pause(broken), NetworkError);
 * ```
 */
export class RetryBudget {
  readonly #policy: Required<RetryPolicy>;
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly #onRetry: (event: RetryEvent) => void;
  #failed = 0;
  #waitedMs = 0;
  #bytes = 0;

  /** Takes limits and, for tests, dependencies. Throws a RangeError for limits that are negative or not integers. */
  constructor(policy: RetryPolicy = {}, surroundings: RetrySurroundings = {}) {
    checkOptions("new RetryBudget()", policy, RETRY_POLICY);
    checkOptions("new RetryBudget()", surroundings, SURROUNDINGS);
    const { tries = DEFAULT_RETRY.tries, budgetMs = DEFAULT_RETRY.budgetMs } = policy;
    this.#policy = { tries, budgetMs };
    this.#now = surroundings.now ?? Date.now;
    this.#random = surroundings.random ?? Math.random;
    this.#sleep = surroundings.sleep ?? pause;
    this.#onRetry = surroundings.onRetry ?? (() => {});
  }

  /** Reports received bytes that are kept: after 1 MiB of them, attempts and waiting are reset. */
  progress(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < PROGRESS_BYTES) return;
    this.#bytes = 0;
    this.#failed = 0;
    this.#waitedMs = 0;
  }

  /**
   * Waits before the next attempt, if one is allowed.
   *
   * @param error Why the last attempt failed.
   * @param options `signal` ends the wait with its reason.
   * @throws The same error if a retry cannot help, or no attempt or time is left; a {@linkcode BusyError} if the
   * registry asks to retry later than that.
   */
  async pause(error: unknown, options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    checkOptions("retries.pause()", options, PAUSE_OPTIONS);
    options.signal?.throwIfAborted();
    if (!isRetriable(error)) throw error;
    this.#failed++;
    const waitMs = this.#nextWaitMs(error);
    this.#waitedMs += waitMs;
    this.#onRetry({ error, tries: this.#failed, waitMs });
    await this.#sleep(waitMs, options.signal);
    options.signal?.throwIfAborted();
  }

  /** Chooses the next wait, or throws if none is left. */
  #nextWaitMs(error: RegistryError): number {
    const leftMs = this.#policy.budgetMs - this.#waitedMs;
    const now = this.#now();
    const asked = error instanceof StatusError ? waitAskedBy(error, now) : undefined;
    const spent = this.#failed >= this.#policy.tries;
    if (error instanceof StatusError && asked !== undefined && asked > 0 && (spent || asked > leftMs)) {
      throw busyError(error, asked, now);
    }
    const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.#failed - 1));
    const waitMs = asked !== undefined && asked > 0 ? asked : Math.round(this.#random() * most);
    if (spent || waitMs > leftMs) throw error;
    return waitMs;
  }
}

/** Whether a retry may help: a broken connection, a time-out, or one of the retried statuses. */
export function isRetriable(error: unknown): error is RegistryError {
  if (error instanceof NetworkError) return !error.permanent;
  if (error instanceof BusyError) return false;
  return error instanceof TimeoutError || error instanceof StatusError && RETRIED_STATUSES.includes(error.status);
}

/** Milliseconds that an answer asks to wait. A date counts from the answer's own: the clocks may differ. */
function waitAskedBy({ headers }: StatusError, now: number): number | undefined {
  const own = parseHttpDate(headers.get("date") ?? "");
  return parseRetryAfter(headers.get("retry-after"), Number.isNaN(own) ? now : own);
}

function busyError(error: StatusError, askedMs: number, now: number): BusyError {
  const at = new Date(Math.min(now + askedMs, 8.64e15));
  return new BusyError(
    `${error.message.replace(/; try again later$/, "")}; the registry asks to retry in ${describeWait(askedMs)}, ` +
      `at ${at.toISOString()}: run it again then`,
    error,
    at,
  );
}

function describeWait(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 120) return `${seconds} ${seconds === 1 ? "second" : "seconds"}`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
