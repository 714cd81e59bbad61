/** Waiting that a signal ends. */

/** Maximum delay of a timer, in milliseconds, some 25 days: a longer one would fire at once. */
export const MOST_MS = 2 ** 31 - 1;

/**
 * Waits.
 *
 * @param signal Ends the wait; the promise is rejected with the signal's own reason.
 */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  // Loading timers takes a tenth of a short command, and most commands never wait.
  const { setTimeout } = await import("node:timers/promises");
  try {
    let leftMs = ms;
    do await setTimeout(Math.min(leftMs, MOST_MS), undefined, signal && { signal }); while ((leftMs -= MOST_MS) > 0);
  } catch (cause) {
    signal?.throwIfAborted();
    throw cause;
  }
}

/** Waits for what may never come, until the signal aborts. */
export async function unlessAborted<T>(waited: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await waited;
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([waited, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
