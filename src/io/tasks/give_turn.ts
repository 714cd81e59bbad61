/** Yields to the event loop during long work, so that an abort can take effect. */
export const TURN_MS = 20;

/** Gives others their turns in the course of a piece of work. */
export class Turns {
  #last = performance.now();

  /** Whether the last one was long ago. */
  get isDue(): boolean {
    return performance.now() - this.#last > TURN_MS;
  }

  /**
   * Gives a turn if one is due.
   *
   * @throws The signal's reason when it has aborted by then.
   */
  async giveWhenDue(signal: AbortSignal | undefined): Promise<void> {
    if (this.isDue) {
      await giveTurn();
      this.#last = performance.now();
    }
    signal?.throwIfAborted();
  }
}

/**
 * Times that Node's loop goes round in one turn. Timers are looked at in each; for signals and sockets the system is
 * asked only every so often while the loop has anything to do, which was seen to be each 24th to 28th time.
 */
const ROUNDS = 32;

/**
 * Lets pending events run: timers, signals, messages of a worker.
 *
 * A message to oneself yields like a timer would; but the first timer loads modules, which takes 8 ms, a tenth of a
 * short program. If Node's threads are loaded, as with polars, timers are loaded too, and a message may arrive before
 * other events have run.
 */
export async function giveTurn(): Promise<void> {
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
