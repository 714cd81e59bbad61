/**
 * Listens to a notebook's Stop button, so that work ends and the kernel's state stays.
 *
 * On the stock Deno kernel Stop kills the kernel when nobody listens.
 *
 * @module
 */
import { notebookApi } from "./display.ts";

let stopping: AbortController | undefined;

/**
 * Gives a signal that aborts at the next press of Stop; outside a notebook, one that never does.
 *
 * Each press aborts the work that is under way; what starts afterwards gets a new signal.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { stopSignal } from "./stop.ts";
 *
 * assertEquals(stopSignal().aborted, false);
 * ```
 */
export function stopSignal(): AbortSignal {
  if (notebookApi() === undefined) return new AbortController().signal;
  if (stopping === undefined) {
    stopping = new AbortController();
    Deno.addSignalListener("SIGINT", () => {
      const pressed = stopping;
      stopping = new AbortController();
      pressed?.abort(
        new DOMException("Stopped: what was done is kept, and a download goes on where it ended", "AbortError"),
      );
    });
  }
  return stopping.signal;
}
