/**
 * Tells our own kernel which values fields have, when it asks: it completes them behind `country:` in a query.
 *
 * @module
 */
import { notebookApi } from "./display.ts";
import { OWN_KERNEL } from "./guard.ts";

/** Where our own kernel finds what tells it the values. */
const TELL_VALUES = Symbol.for("seqreg.tell_values");

/** Maximum values reported per field. */
const MOST_VALUES = 1000;

/** Values by the name of their field in queries. */
export type ValuesByField = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * From now on the values come from here; does nothing on another kernel, or outside a notebook.
 *
 * @param read Reads values; if it fails, the field has none.
 */
export function tellValues(read: () => Promise<ValuesByField>): void {
  const api = Reflect.has(globalThis, OWN_KERNEL) ? notebookApi() : undefined;
  if (api === undefined) return;
  // What another registry told is forgotten.
  api.broadcast("seqreg_values", {}).catch(() => {});
  Reflect.set(globalThis, TELL_VALUES, async () => {
    const found = await read().catch((): ValuesByField => new Map());
    const values = Object.fromEntries([...found].map(([field, all]) => [field, [...all].slice(0, MOST_VALUES)]));
    await api.broadcast("seqreg_values", { values });
  });
}
