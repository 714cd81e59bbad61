/** Progress of work that its reader may leave before the end. */
import type { OnProgress, ProgressEvent } from "./progress.ts";

/**
 * Passes on the states of one piece of work, so that each ends: as finished, or as stopped where the reader of what it
 * yields leaves early or the work fails.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import type { ProgressEvent } from "./progress.ts";
 * import { WorkProgress } from "./work_progress.ts";
 *
 * const events: ProgressEvent[] = [];
 * const progress = new WorkProgress((event) => void events.push(event));
 * async function* count() {
 *   for (let done = 1; done <= 9; done++) {
 *     progress.tell({ task: "counting", done, total: 9, unit: "records" });
 *     yield done;
 *   }
 * }
 * for await (const done of progress.through(count())) if (done === 2) break;
 *
 * assertEquals(events.map(({ done, stopped }) => [done, stopped]), [[1, undefined], [2, undefined], [2, true]]);
 * ```
 */
export class WorkProgress {
  readonly #onProgress: OnProgress | undefined;
  /** The last state, unless it was the end. */
  #last: ProgressEvent | undefined;

  /** Takes the receiver of the states. */
  constructor(onProgress: OnProgress | undefined) {
    this.#onProgress = onProgress;
  }

  tell(event: ProgressEvent): void {
    this.#last = event.finished || event.stopped ? undefined : event;
    this.#onProgress?.(event);
  }

  /** Ends the work, unless it ended or never began: what it reached is all that comes. */
  finish(): void {
    if (this.#last !== undefined) this.tell({ ...this.#last, finished: true });
  }

  /** Yields what work yields; where that ends early, the last state has `stopped`. */
  async *through<T>(work: AsyncIterable<T>): AsyncGenerator<T> {
    let isRead = false;
    try {
      yield* work;
      isRead = true;
    } finally {
      if (!isRead && this.#last !== undefined) this.tell({ ...this.#last, stopped: true });
    }
  }
}
