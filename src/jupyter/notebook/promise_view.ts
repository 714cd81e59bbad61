/** A promise as a cell's last value: nearly always an `await` that was forgotten. */
import { cut, DATA_CLASS, escapeHtml, type MediaBundle, visible } from "@seqreg/core/io/display";
import { errorView, isToolkitError } from "./error_view.ts";
import { OWN_KERNEL, promiseDetails } from "./kernel_internals.ts";

const BEGIN = "This is a promise, not its result: write ";
/** Characters of a result that are shown at most. */
const MOST_CHARACTERS = 300;

/** Shows what is missing from a promise, and what has become of it. */
export function promiseView(promise: Promise<unknown>): MediaBundle {
  const [state, value] = promiseDetails(promise);
  // What is shown here is seen to. Our own kernel prints what fails later.
  if (state !== 0 || !Reflect.has(globalThis, OWN_KERNEL)) promise.catch(() => {});
  const [said, shown] = state === 0
    ? ["It is pending.", ""]
    : state === 1
    ? ["It has its result:", cut(visible(inspected(value)), MOST_CHARACTERS)]
    : ["It has failed:", failureOf(value)];
  return {
    "text/plain": `${BEGIN}await before it. ${said}${shown && `\n${shown}`}`,
    "text/html":
      `<div class="${DATA_CLASS}" role="note" style="border-left:4px solid #ef6c00;padding:2px 8px;margin:4px 0">` +
      `! ${BEGIN}await before it. ${said}${shown && `<pre>${escapeHtml(shown)}</pre>`}</div>`,
  };
}

/** An error as a cell that ends with it shows it. */
function failureOf(value: unknown): string {
  return isToolkitError(value) ? errorView(value)["text/plain"] : visible(inspected(value));
}

function inspected(value: unknown): string {
  try {
    return Deno.inspect(value, { colors: false, depth: 2, iterableLimit: 8, strAbbreviateSize: 120 });
  } catch {
    return "a value that cannot be shown";
  }
}
