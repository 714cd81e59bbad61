/**
 * What a notebook needs of the toolkit, installed once, when this module is imported: printed lines under their
 * cell, frames and results that show themselves, errors that say what to do next, and Stop that keeps the state.
 */
import { setStackWriter } from "@seqreg/core/errors";
import { DISPLAY, display, type MediaBundle, notebookApi, setNotebookHost } from "@seqreg/core/io/display";
import { faultsView, TOOLKIT, writeStack } from "./error_view.ts";
import { installGuard } from "./guard.ts";
import { isLazyFrame } from "./frame_view.ts";
import { findKernel } from "./kernel_internals.ts";
import { promiseView } from "./promise_view.ts";
import { viewOfKnown } from "./show.ts";
import { stopSignal } from "./stop.ts";
import { inNotebook } from "./work.ts";

const INSTALLED = Symbol.for("seqreg.installed");

/** Where our own kernel finds what shows the faults of the error that ended a cell. */
const SHOW_FAULTS = Symbol.for("seqreg.show_faults");
/** Where it finds which frames of a stack are the toolkit's. */
const TOOLKIT_KEY = Symbol.for("seqreg.toolkit");

setNotebookHost({ install: () => void installNotebook(), completeWork: inNotebook });

/**
 * Puts in place what a notebook needs; does nothing elsewhere, and nothing the second time.
 *
 * @returns Whether this is a notebook.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { installNotebook } from "./install.ts";
 *
 * assertEquals(installNotebook(), false); // not in a notebook
 * ```
 */
export function installNotebook(): boolean {
  if (notebookApi() === undefined) return false;
  if (Reflect.get(globalThis, INSTALLED) === true) return true;
  Reflect.set(globalThis, INSTALLED, true);
  installGuard();
  showResults();
  showErrors();
  // From now on SIGINT has a listener: without one, the stock kernel dies.
  stopSignal();
  return true;
}

/**
 * Assigns our display to values of the toolkit where they are the last value of a cell. Frames need it: polars' own
 * display fails on big integers, lists and structs, and cannot be replaced on the frame.
 */
function showResults(): void {
  const jupyter = findKernel()?.jupyter;
  const report: unknown = jupyter && Reflect.get(jupyter, "broadcastResult");
  if (jupyter === undefined || typeof report !== "function") return;
  Reflect.set(jupyter, "broadcastResult", async (count: unknown, result: unknown) => {
    const shown = await displayed(result);
    return await Reflect.apply(report, jupyter, [count, shown]);
  });
}

/** What the registry answered, word by word: for whom the error's first sentence is not enough. */
function folded(faults: MediaBundle): MediaBundle {
  const html = `<details><summary>what the registry answered</summary>${faults["text/html"]}</details>`;
  return { ...faults, "text/html": html };
}

async function displayed(result: unknown): Promise<unknown> {
  try {
    const view = result instanceof Promise ? promiseView(result) : await viewOfKnown(result);
    return view === undefined ? result : { [DISPLAY]: (): MediaBundle => view };
  } catch (cause) {
    // What we cannot draw is shown as without us. A lazy frame over a file that is not there fails: it is its error.
    if (!isLazyFrame(result)) return result;
    return { [DISPLAY]: () => Promise.reject(cause) };
  }
}

/** Writes the toolkit's errors as a cell shows them, and keeps the one that was written last for its table. */
function showErrors(): void {
  Reflect.set(globalThis, TOOLKIT_KEY, TOOLKIT);
  let written: Error | undefined;
  setStackWriter((error, stack) => {
    written = error;
    return writeStack(error, stack);
  });
  Reflect.set(globalThis, SHOW_FAULTS, async (message: unknown) => {
    const faults = written?.message === message ? faultsView(written) : undefined;
    written = undefined;
    if (faults !== undefined) await display(folded(faults));
  });
}

// At the import, so that frames are drawn before a registry is opened; elsewhere this is one look at `Deno.jupyter`.
installNotebook();
