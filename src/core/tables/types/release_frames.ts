/**
 * Releases the memory of dropped frames.
 *
 * polars frees a frame only after a full collection and a turn of the event loop; left alone, a stream of frames grows
 * to the size of all of them.
 */
import { collectGarbage } from "./collect_garbage.ts";

/** Collects garbage, then lets finalizers run. */
export async function releaseFrames(): Promise<void> {
  collectGarbage();
  // In the first turn finalizers may be no more than due: with one, frames were freed as late as at the next
  // collection.
  await nextTurn();
  await nextTurn();
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Limit of unreleased bytes, as a multiple of the usual bytes, if frames are not dropped. */
const MOST_PATIENCE = 8;

/** Bytes that a frame without columns, and what was made on the way to it, take up until a collection. */
const LEFT_BYTES = 100_000;

/** Asks back the memory of frames that are given out one after the other. */
export class FrameRelease {
  /** Bytes of frames after which garbage is collected. */
  budget: number;
  readonly #usual: number;
  #held = 0;
  #frames = new Set<WeakRef<object>>();

  constructor(budget: number) {
    this.#usual = budget;
    this.budget = budget;
  }

  /**
   * Takes note of a frame that is given out.
   *
   * @returns What to call when its columns have been freed without a collection.
   */
  add(frame: object, bytes: number): () => void {
    const reference = new WeakRef(frame);
    this.#held += bytes;
    this.#frames.add(reference);
    return () => {
      // A collection that came first has asked for all of it already.
      if (this.#frames.delete(reference)) this.#held -= Math.max(0, bytes - LEFT_BYTES);
    };
  }

  /**
   * Releases memory where enough frames have been handed out. A caller that keeps them gets nothing from it: where most
   * are still there, twice as many are waited for the next time.
   */
  async releaseWhenDue(): Promise<void> {
    if (this.#held < this.budget) return;
    // What a weak reference was made for is kept until the turn ends.
    await nextTurn();
    await releaseFrames();
    const kept = [...this.#frames].filter((frame) => frame.deref() !== undefined).length;
    const isKept = 2 * kept > this.#frames.size;
    this.budget = isKept ? Math.min(2 * this.budget, MOST_PATIENCE * this.#usual) : this.#usual;
    this.#held = 0;
    this.#frames.clear();
  }
}
