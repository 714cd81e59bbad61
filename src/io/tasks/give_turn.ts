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

/**
 * Times that Node's loop goes round in one turn. Timers are looked at in each; for signals and sockets the system is
 * asked only every so often while the loop has anything to do, which was seen to be each 24th to 28th time.
 */
const ROUNDS = 32;

/**
 * Lets whatever waits have its turn: timers, signals, answers of a worker.
 *
 * A message to oneself does what timers would; but the first use of those loads them, which takes 8 ms, a tenth of a
 * short program. Where the threads of Node are loaded, as with polars, timers are there already, and a message comes
 * without anybody else having had a turn.
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
