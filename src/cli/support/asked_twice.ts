/** The warning about names that were requested more than once. */
import { listSome } from "../../contract/ledger.ts";

/**
 * The ledger warning about names given more than once, if there are any.
 *
 * @param names The names, as often as they were requested; different spellings of a name are normalised.
 * @param unit What the names are, in the singular, such as `field`.
 */
export function warnAskedTwice(names: readonly string[], unit: string): string[] {
  const again = [...new Set(names.filter((name, index) => names.indexOf(name) < index))];
  if (again.length === 0) return [];
  const count = again.length === 1 ? `1 ${unit} was` : `${again.length} ${unit}s were`;
  return [`${count} requested more than once and fetched once: ${listSome(again, 20)}`];
}
