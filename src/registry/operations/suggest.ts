/** Suggestions for operations that no record matches. */
import type { Ledger } from "../../contract/ledger.ts";
import type { ExportScope } from "../exports/export_run.ts";
import { withSuggestion } from "../plan/no_match.ts";
import type { RegistryContext } from "./context.ts";

/** Adds a suggestion to the ledger of an export by query that no record matches; of named records nothing is suggested. */
export async function suggestFor(
  { definitions }: RegistryContext,
  scope: ExportScope,
  ledger: Ledger,
  signal?: AbortSignal,
): Promise<Ledger> {
  return "list" in scope ? ledger : await withSuggestion(ledger, scope, () => definitions.names(signal));
}
