/** Suggestions for a search or an export without matches. */
import type { Ledger } from "../../contract/ledger.ts";
import type { SearchCriteria } from "../../registry/plan/search_criteria.ts";
import type { CommandContext } from "./command.ts";
import type { OpenClient } from "./registry.ts";

/** If no record matches, the ledger warns about possible errors in the search. */
export async function warnOfNoMatch(
  context: CommandContext,
  registry: OpenClient,
  criteria: SearchCriteria,
  ledger: Ledger,
): Promise<Ledger> {
  const { SAMPLE_SIZE, withSuggestion } = await import("../../registry/plan/no_match.ts");
  const { publicNames } = await import("../../client/mod.ts");
  const { signal } = context;
  return await withSuggestion(ledger, criteria, {
    names: () => publicNames(registry.client, signal),
    sample: async () => (await registry.client.search({ query: "", pageSize: SAMPLE_SIZE }, { signal })).body,
  });
}
