/** Ledgers without credentials. */
import { type Ledger, withEntries } from "../../contract/ledger.ts";
import type { LedgerEntry } from "../../contract/ledger_entries.ts";

/**
 * Hides credentials in what a ledger says: it may quote an answer, and a registry may echo what it was sent.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { closeLedger } from "../../contract/ledger.ts";
 * import { hideInLedger } from "./hide_in_ledger.ts";
 *
 * const ledger = closeLedger({ received: 0, unparsed: 1, unparsedReason: 'an accession is malformed: "secret"' });
 *
 * assertEquals(hideInLedger(ledger, (text) => text.replaceAll("secret", "***")).reasons, [
 *   'an accession is malformed: "***"',
 * ]);
 * ```
 */
export function hideInLedger(ledger: Ledger, hide: (text: string) => string): Ledger {
  return withEntries(ledger, hideInEntries(ledger.entries, hide));
}

export function hideInEntries(entries: readonly LedgerEntry[], hide: (text: string) => string): LedgerEntry[] {
  return entries.map(({ ids, field, text, ...entry }) => ({
    ...entry,
    ...ids !== undefined && { ids: ids.map(hide) },
    ...field !== undefined && { field: hide(field) },
    text: hide(text),
  }));
}
