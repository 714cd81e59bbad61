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
  await new Promise<void>((resolve) => setImmediate(resolve));
}
