/** Waiting that a signal ends. */

/** Resolves after a time; rejects with the signal's reason as soon as it aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** What a promise gives, unless the signal aborts first. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** Growing waits between attempts, until a time has passed since the first failure. */
export class Patience {
  readonly #totalMs: number;
  #since: number | undefined;
  #failures = 0;

  /** Takes the milliseconds until patience ends. */
  constructor(totalMs: number) {
    this.#totalMs = totalMs;
  }

  /** Forgets the failures: something worked. */
  renew(): void {
    this.#since = undefined;
    this.#failures = 0;
  }

  /** Waits before another attempt, 20 ms at first and 2 s at most; `false` at once when patience has ended. */
  async wait(signal?: AbortSignal): Promise<boolean> {
    const now = performance.now();
    this.#since ??= now;
    const left = this.#totalMs - (now - this.#since);
    if (left <= 0) return false;
    await pause(Math.min(left, 2000, 20 * 2 ** this.#failures++), signal);
    return true;
  }
}
