/** What work in a notebook has unless its caller says otherwise: progress under the cell, and an end at Stop. */
import { notebookApi, type WorkOptions } from "@seqreg/core/io/display";
import { createProgress } from "./progress.ts";
import { stopSignal } from "./stop.ts";

/** Work shorter than this ends before its progress would be noticed. */
const SHOW_AFTER_MS = 400;

export type { WorkOptions };

/**
 * Completes options in a notebook: progress is shown if work takes longer than a moment, and Stop ends it, in addition
 * to the caller's own signal. Elsewhere the options stay unchanged.
 *
 * @param options Options of an operation.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { inNotebook } from "./work.ts";
 *
 * const options = { pageSize: 3, signal: AbortSignal.timeout(1000) };
 *
 * assertEquals(inNotebook(options), options); // not in a notebook
 * ```
 */
export function inNotebook<T extends WorkOptions>(options: T): T & WorkOptions {
  if (notebookApi() === undefined) return options;
  const stop = stopSignal();
  const signal = options.signal === undefined ? stop : AbortSignal.any([options.signal, stop]);
  return {
    ...options,
    signal,
    onProgress: options.onProgress ?? createProgress({ to: "notebook", afterMs: SHOW_AFTER_MS, signal }),
  };
}
