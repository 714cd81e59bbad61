/** Long work in slices, between which others are served. */
import { SLICE_MS, slices } from "./time_slices.ts";
import { currentWork, spend, type Work } from "./work.ts";

/** How one piece of work takes its slices. */
export interface TurnsOptions {
  /** Milliseconds of a slice; `SLICE_MS` by default, 0 for as many slices as there are looks at the time. */
  readonly turnMs?: number;
  /** The work that this is part of; by default that of the request under way. */
  readonly work?: Work;
}

/** Milliseconds of the first slice, which begins at once, however many others compute. */
const FIRST_SLICE_MS = 5;

/** Slices of one piece of work. */
export class Turns {
  readonly #signal: AbortSignal | undefined;
  readonly #sliceMs: number;
  readonly #work: Work;
  #turnMs: number;
  #begun = performance.now();

  constructor(signal: AbortSignal | undefined, { turnMs = SLICE_MS, work = currentWork() }: TurnsOptions = {}) {
    this.#signal = signal;
    this.#sliceMs = turnMs;
    this.#turnMs = Math.min(turnMs, FIRST_SLICE_MS);
    this.#work = work;
  }

  /** Whether the time slice is used up; if so, await `next()`. */
  get over(): boolean {
    return performance.now() - this.#begun >= this.#turnMs;
  }

  /**
   * Waits for the next slice.
   *
   * @throws The signal's reason when it has aborted.
   * @throws {BudgetError} If the work has used up its budget.
   */
  async next(): Promise<void> {
    this.#signal?.throwIfAborted();
    spend(this.#work, performance.now() - this.#begun);
    await slices.next(this.#work);
    this.#signal?.throwIfAborted();
    this.#turnMs = this.#sliceMs;
    this.#begun = performance.now();
  }
}
