/** Waiting that a signal ends. */
import { pause } from "@seqreg/core/io/tasks";

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
