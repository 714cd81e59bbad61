/**
 * Gives the memory of dropped frames back.
 *
 * polars frees a frame only after a full collection and a turn of the event loop; left alone, a stream of frames grows
 * to the size of all of them.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let collect: (() => void) | undefined;

/** Collects garbage, then lets finalizers run. */
export async function releaseFrames(): Promise<void> {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    const found: unknown = runInNewContext("gc");
    collect = typeof found === "function" ? () => void found() : () => {};
  }
  collect();
  // In the first turn finalizers may be no more than due: with one, frames were freed as late as at the next collection.
  for (let turn = 0; turn < 2; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** The largest block whose release makes the C library of Linux keep freed memory of that size, less its own header. */
const LARGEST_KEPT = 32 * 1024 * 1024 - 64 * 1024;

/**
 * Has freed memory used again. The C library of Linux gives large blocks back to the system at once, and every page of the
 * next is then fetched anew, which takes longer than all else that is done with a frame; once it has seen a large block
 * come and go it keeps twice as much. Elsewhere this does nothing.
 */
export function reuseFreedMemory(): void {
  new ArrayBuffer(LARGEST_KEPT).transfer(0);
}
