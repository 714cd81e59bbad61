/** The kernel of a notebook, as far as rooms below the notebook's use it. */

/** What the toolkit uses of a notebook's kernel. */
export interface NotebookApi {
  /** Sends a message to the front end. */
  broadcast(type: string, content: unknown): Promise<void>;
}

/** What our own kernel leaves in every kernel that it runs. */
export const OWN_KERNEL: unique symbol = Symbol.for("seqreg.marker");

/**
 * Finds the kernel's interface, if this program runs in a notebook.
 *
 * @returns The interface, or `undefined` elsewhere: there `Deno.jupyter` throws though it is there.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { notebookApi } from "./notebook_api.ts";
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
