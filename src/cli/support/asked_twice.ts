/** The warning about names that were requested more than once. */
import { listSome } from "../../contract/ledger.ts";

/**
 * The warning of a ledger for names given more than once, if there are any.
 *
 * @param names What was asked for, as often as it was; spellings of one thing are one name.
 * @param unit What they are; a singular, such as `field`.
 */
export function warnAskedTwice(names: readonly string[], unit: string): string[] {
  const again = [...new Set(names.filter((name, index) => names.indexOf(name) < index))];
  if (again.length === 0) return [];
  const count = again.length === 1 ? `1 ${unit} was` : `${again.length} ${unit}s were`;
  return [`${count} requested more than once and fetched once: ${listSome(again, 20)}`];
}
