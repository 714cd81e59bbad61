/**
 * Listens to a notebook's Stop button, so that work ends and the kernel's state stays.
 *
 * Our own kernel has a controller that Stop aborts. The stock Deno kernel dies of Stop without a listener, so one is
 * installed at the first use.
 */
import { notebookApi } from "@seqreg/core/io/display";

/** Where our own kernel keeps the controller of the running cell. */
const KERNEL_STOP = Symbol.for("seqreg.stop");

let stopping: AbortController | undefined;

/**
 * Returns a signal that aborts at the next press of Stop; outside a notebook, one that never does.
 *
 * Ask for it when work begins: each press aborts what is under way, and what begins afterwards gets a new signal.
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
  const kernels: unknown = Reflect.get(globalThis, KERNEL_STOP);
  if (kernels instanceof AbortController) return kernels.signal;
  if (notebookApi() === undefined) return new AbortController().signal;
  if (stopping === undefined) {
    stopping = new AbortController();
    Deno.addSignalListener("SIGINT", () => {
      const pressed = stopping;
      stopping = new AbortController();
      pressed?.abort(
        new DOMException("Stopped: finished work is kept, and a download will be resumed", "AbortError"),
      );
    });
  }
  return stopping.signal;
}
