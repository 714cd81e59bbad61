/** The warning about names that were requested more than once. */
import { listSome } from "@seqreg/core/contract/ledger";
import { type LedgerEntry, noteEntry } from "@seqreg/core/contract/ledger_entries";

/**
 * The ledger warning about names given more than once, if there are any.
 *
 * @param names The names, as often as they were requested; different spellings of a name are normalised.
 * @param unit What the names are, in the singular, such as `field`.
 */
export function noteAskedTwice(names: readonly string[], unit: string): LedgerEntry[] {
  const again = [...new Set(names.filter((name, index) => names.indexOf(name) < index))];
  if (again.length === 0) return [];
  const count = again.length === 1 ? `1 ${unit} was` : `${again.length} ${unit}s were`;
  const text = `${count} requested more than once and fetched once: ${listSome(again, 20)}`;
  return [noteEntry("requested-twice", text, { ids: again })];
}
