/**
 * A promise as a cell's last value: nearly always an `await` that was forgotten.
 *
 * @module
 */
import { DATA_CLASS, type MediaBundle } from "@seqreg/core/io/display";

const BEGIN = "This is a promise, not its result: write ";

/** Shows what is missing from a promise. */
export function promiseView(promise: Promise<unknown>): MediaBundle {
  // It may fail later, where nothing waits for it: that is for its own await to tell.
  promise.catch(() => {});
  return {
    "text/plain": `${BEGIN}await before it, as in: await registry.search(…)`,
    "text/html":
      `<div class="${DATA_CLASS}" role="note" style="border-left:4px solid #ef6c00;padding:2px 8px;margin:4px 0">` +
      `! ${BEGIN}<code>await</code> before it, as in: <code>await registry.search(…)</code></div>`,
  };
}
