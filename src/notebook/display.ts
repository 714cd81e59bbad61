/**
 * Displays values in a notebook, or on standard output elsewhere.
 *
 * @module
 */

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
  /** Gives the value's forms. */
  [DISPLAY](): MediaBundle | Promise<MediaBundle>;
}

/** What the toolkit uses of a notebook's kernel. */
export interface NotebookApi {
  /** Sends a message to the front end. */
  broadcast(type: string, content: unknown): Promise<void>;
}

/**
 * Finds the kernel's interface, if this program runs in a notebook.
 *
 * @returns The interface, or `undefined` elsewhere: there `Deno.jupyter` throws though it is there.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { notebookApi } from "./display.ts";
 *
 * assertEquals(notebookApi(), undefined);
 * ```
 */
export function notebookApi(): NotebookApi | undefined {
  try {
    const api: unknown = Reflect.get(Deno, "jupyter");
    if (typeof api !== "object" || api === null || !("broadcast" in api)) return undefined;
    const { broadcast } = api;
    if (typeof broadcast !== "function") return undefined;
    return { broadcast: async (type, content) => void await broadcast.call(api, type, content) };
  } catch {
    return undefined;
  }
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
