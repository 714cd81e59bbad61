/** Work may go on without waiting for anything; after so long, whoever wants to abort gets a turn. */
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

/** Rings when the turn before has long been over: nobody waits a millisecond for it, and yet timers have been looked at. */
let rung: Promise<void> | undefined;

/**
 * Lets whatever waits have its turn: timers, signals, answers of a worker.
 *
 * A message to oneself does what timers would; but the first use of those loads them, which takes 8 ms, a tenth of a short
 * program. Where the threads of Node are loaded, as with polars, timers are there already, and a message comes without
 * anybody else having had a turn: a timer that is due, and what Node calls when it has looked at all else, let through both
 * timers and signals.
 */
export async function giveTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  try {
    if (!("on" in port1)) return await message(port1, port2);
  } finally {
    port1.close();
    port2.close();
  }
  await (rung ??= ring());
  await new Promise((resolve) => setImmediate(resolve));
  rung = ring();
}

function message(from: MessagePort, to: MessagePort): Promise<void> {
  return new Promise((resolve) => {
    from.onmessage = () => resolve();
    to.postMessage(null);
  });
}

function ring(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, 0));
}
