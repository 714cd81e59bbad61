/** Ledgers without credentials. */
import type { Ledger } from "../../contract/ledger.ts";

/**
 * Hides credentials in what a ledger says: it may quote an answer, and a registry may echo what it was sent.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { closeLedger } from "../../contract/ledger.ts";
 * import { hideInLedger } from "./hide_in_ledger.ts";
 *
 * const ledger = closeLedger({ received: 1, reasons: ['an accession is malformed: "secret"'] });
 *
 * assertEquals(hideInLedger(ledger, (text) => text.replaceAll("secret", "***")).reasons, [
 *   'an accession is malformed: "***"',
 * ]);
 * ```
 */
export function hideInLedger(ledger: Ledger, hide: (text: string) => string): Ledger {
  return { ...ledger, reasons: ledger.reasons.map(hide), warnings: ledger.warnings.map(hide) };
}
