/**
 * Gives the memory of dropped frames back.
 *
 * polars frees a frame only after a full collection and a turn of the event loop; left alone, a stream of frames grows
 * to the size of all of them.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { DataFrame } from "nodejs-polars";

let collect: (() => void) | undefined;

/** Collects garbage, then lets finalizers run. */
export async function releaseFrames(): Promise<void> {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    const found: unknown = runInNewContext("gc");
    collect = typeof found === "function" ? () => void found() : () => {};
  }
  collect();
  // In the first turn finalizers may be no more than due: with one, frames were freed as late as at the next
  // collection.
  await nextTurn();
  await nextTurn();
}

/**
 * Takes all columns from a frame. One that nobody else has is freed, which else would wait for a collection.
 *
 * @param frame The frame; it has no columns afterwards.
 * @param small A column of little memory: it takes the others' places, and lives until a collection.
 */
export function emptyFrame({ columns, _df: native }: DataFrame, small: string): void {
  // What is taken out lives until a collection: by then it is the small column, the same each time.
  for (const [index, name] of columns.entries()) {
    const column = native.column(small);
    column.rename(name);
    native.replaceAtIdx(index, column);
  }
  for (const name of columns) native.dropInPlace(name);
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
  /** Bytes of frames after which memory is asked back. */
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
   * Asks memory back where enough frames have been given out. Whoever keeps them gets nothing from it: where most are
   * still there, twice as many are waited for the next time.
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

/** The largest block whose release makes the C library of Linux keep freed memory of that size, less its own header. */
const LARGEST_KEPT = 32 * 1024 * 1024 - 64 * 1024;

/**
 * Has freed memory used again. The C library of Linux gives large blocks back to the system at once, and every page of
 * the next is then fetched anew, which takes longer than all else that is done with a frame; once it has seen a large
 * block come and go it keeps twice as much. Elsewhere this does nothing.
 */
export function reuseFreedMemory(): void {
  new ArrayBuffer(LARGEST_KEPT).transfer(0);
}
