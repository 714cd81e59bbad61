/** Sends our own kernel the values that fields have, when it asks: it completes them behind `country:` in a query. */
import { notebookApi, OWN_KERNEL } from "./notebook_api.ts";

/** Where our own kernel finds what tells it the values. */
const TELL_VALUES = Symbol.for("seqreg.tell_values");

/** Maximum values reported per field. */
const MOST_VALUES = 1000;

/** Values by the name of their field in queries. */
export type ValuesByField = ReadonlyMap<string, ReadonlySet<string>>;

/** What knows the values: a registry knows those that queries find, which a lake opened later does not replace. */
export type ValueSource = "registry" | "lake";

let current: ValueSource | undefined;

/**
 * From now on the values come from here; does nothing on another kernel, or outside a notebook.
 *
 * @param read Reads values, by the name of their field in queries; if it fails, the field has none.
 */
export function tellValues(source: ValueSource, read: () => Promise<ValuesByField>): void {
  const api = Reflect.has(globalThis, OWN_KERNEL) ? notebookApi() : undefined;
  if (api === undefined || (source === "lake" && current === "registry")) return;
  current = source;
  // What another registry or lake told is forgotten.
  api.broadcast("seqreg_values", {}).catch(() => {});
  Reflect.set(globalThis, TELL_VALUES, async () => {
    const found = await read().catch((): ValuesByField => new Map());
    const values = Object.fromEntries([...found].map(([field, all]) => [field, [...all].slice(0, MOST_VALUES)]));
    await api.broadcast("seqreg_values", { values });
  });
}
