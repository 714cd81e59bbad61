/** Long work that lets others have their turn. */
import { setImmediate } from "node:timers";

/** Milliseconds of work before others get their turn. */
export const TURN_MS = 8;

/** Turns of one piece of work. */
export class Turns {
  readonly #turnMs: number;
  readonly #signal: AbortSignal | undefined;
  #begun = performance.now();

  constructor(signal: AbortSignal | undefined, turnMs = TURN_MS) {
    this.#signal = signal;
    this.#turnMs = turnMs;
  }

  /** Whether the turn is over: then `next` is to be awaited. */
  get over(): boolean {
    return performance.now() - this.#begun >= this.#turnMs;
  }

  /**
   * Lets others have their turn.
   *
   * @throws The signal's reason when it has aborted.
   */
  async next(): Promise<void> {
    this.#signal?.throwIfAborted();
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#signal?.throwIfAborted();
    this.#begun = performance.now();
  }
}
