/**
 * A full collection of V8, which has no interface for it: the flag `--expose-gc` is set at run time.
 * `tests/core/tables/types/collect_garbage_test.ts` fails when that stops working; then nothing is collected early.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let collect: (() => void) | undefined;

/** Collects garbage at once. Finalizers run in the next two turns of the event loop. */
export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    const found: unknown = runInNewContext("gc");
    collect = typeof found === "function" ? () => void found() : () => {};
  }
  collect();
}
