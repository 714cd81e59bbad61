/** Yields to the event loop during long work, so that timers, signals and messages are handled. */

/** Milliseconds of work after which to yield. */
export const YIELD_MS = 20;

/** Yields in the course of a piece of work. */
export class Yielder {
  #last = performance.now();

  /** Whether the work has not yielded for {@linkcode YIELD_MS}. */
  get isDue(): boolean {
    return performance.now() - this.#last > YIELD_MS;
  }

  /**
   * Yields if that is due.
   *
   * @throws The signal's reason when it has aborted by then.
   */
  async yieldWhenDue(signal: AbortSignal | undefined): Promise<void> {
    if (this.isDue) {
      await yieldToEventLoop();
      this.#last = performance.now();
    }
    signal?.throwIfAborted();
  }
}

/**
 * Turns of Node's loop in one call. Timers are looked at in each; signals and sockets only in every 24th to 28th turn
 * (observed) while the loop has anything to do.
 */
const ROUNDS = 32;

/**
 * Lets everything that waits be handled: timers, signals, messages of a worker.
 *
 * A message to oneself does what a timer would; but the first timer loads its module, which takes 8 ms, a tenth of a
 * short program. Where the threads of Node are loaded, as with polars, timers are there already, and a message arrives
 * before anything else is handled.
 */
export async function yieldToEventLoop(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  try {
    if (!("on" in port1)) return await message(port1, port2);
  } finally {
    port1.close();
    port2.close();
  }
  for (let round = 0; round < ROUNDS; round++) await new Promise((resolve) => setImmediate(resolve));
}

function message(from: MessagePort, to: MessagePort): Promise<void> {
  return new Promise((resolve) => {
    from.onmessage = () => resolve();
    to.postMessage(null);
  });
}
