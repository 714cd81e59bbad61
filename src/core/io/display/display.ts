/** Displays values in a notebook, or on standard output elsewhere. */

import { type NotebookApi, notebookApi } from "../tasks/notebook_api.ts";

export { type NotebookApi, notebookApi };

/** A value in several forms, by media type; always with `text/plain`. */
export interface MediaBundle {
  /** What a terminal, a log or a screen reader gets. */
  readonly "text/plain": string;
  /** What a notebook shows. Every value in it is escaped. */
  readonly "text/html"?: string;
}

/** The method that a notebook calls on the last value of a cell. */
export const DISPLAY: unique symbol = Symbol.for("Jupyter.display");

/** A value that knows how to show itself in a notebook. */
export interface Displayable {
  /** Returns the value's forms. */
  [DISPLAY](): MediaBundle | Promise<MediaBundle>;
}

/**
 * Shows forms of a value: under the running cell of a notebook, else as plain text on standard output.
 *
 * @param bundle The forms.
 */
export async function display(bundle: MediaBundle): Promise<void> {
  const api = notebookApi();
  if (api === undefined) {
    await Deno.stdout.write(new TextEncoder().encode(`${bundle["text/plain"]}\n`));
    return;
  }
  await api.broadcast("display_data", { data: bundle, metadata: {}, transient: {} });
}
