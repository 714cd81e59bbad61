/** Suggestions for operations that no record matches. */
import type { Ledger } from "../../contract/ledger.ts";
import type { ExportScope } from "../exports/export_run.ts";
import { SAMPLE_SIZE } from "../plan/known_values.ts";
import { type RegistryKnowledge, withSuggestion } from "../plan/no_match.ts";
import type { RegistryContext } from "./context.ts";

/** What a suggestion may ask of a registry. */
export function knowledgeOf(
  { client, definitions }: Pick<RegistryContext, "client" | "definitions">,
  signal?: AbortSignal,
): RegistryKnowledge {
  return {
    names: () => definitions.names(signal),
    sample: async () => (await client.search({ query: "", pageSize: SAMPLE_SIZE }, { ...signal && { signal } })).body,
  };
}

/**
 * Adds a suggestion to the ledger of an export by query that no record matches; of named records nothing is suggested.
 */
export async function suggestFor(
  context: RegistryContext,
  scope: ExportScope,
  ledger: Ledger,
  signal?: AbortSignal,
): Promise<Ledger> {
  return "list" in scope ? ledger : await withSuggestion(ledger, scope, knowledgeOf(context, signal));
}
