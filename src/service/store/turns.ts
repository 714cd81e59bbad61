/** Long work that lets others have their turn. */
import { setImmediate } from "node:timers";

/** Milliseconds of work before others get their turn. */
export const TURN_MS = 8;

/** Milliseconds without anybody's work after which nobody is taken to want a turn. */
const QUIET_MS = 0.5;
/** Milliseconds that others have in a row at most. */
const PATIENCE_MS = 25;

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
   * Lets others have turns until they want none: a request takes many short ones, and would wait for this work at each.
   *
   * @throws The signal's reason when it has aborted.
   */
  async stepBack(patienceMs = PATIENCE_MS): Promise<void> {
    const begun = performance.now();
    let quietSince = begun;
    for (let now = begun; now - quietSince < QUIET_MS && now - begun < patienceMs;) {
      await this.next();
      const before = now;
      now = performance.now();
      if (now - before >= QUIET_MS) quietSince = now;
    }
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
