/** Ledger entries about the query of a search. */
import { extendLedger, type Ledger } from "../../contract/ledger.ts";
import type { LedgerEntry } from "../../contract/ledger_entries.ts";
import type { ExportScope } from "../exports/export_run.ts";
import { SAMPLE_SIZE } from "../plan/known_values.ts";
import { type RegistryKnowledge, withSuggestion } from "../plan/no_match.ts";
import type { SearchCriteria } from "../plan/search_criteria.ts";
import type { RegistryContext } from "./context.ts";

/** Records whose values a note on a range may show. */
const RANGE_SAMPLE = 100;

/** What a suggestion may ask of a registry. */
function knowledgeOf({ client, definitions }: RegistryContext, signal?: AbortSignal): RegistryKnowledge {
  return {
    names: () => definitions.names(signal),
    sample: async () => (await client.search({ query: "", pageSize: SAMPLE_SIZE }, { signal })).body,
  };
}

/**
 * Adds to the ledger of a search, or of an export by query, what may be wrong with the query: on an embedded registry,
 * ranges that meet texts; where no record matches, a suggestion. A query of named records has none.
 */
export async function suggestFor(
  context: RegistryContext,
  scope: ExportScope | SearchCriteria,
  ledger: Ledger,
  signal?: AbortSignal,
): Promise<Ledger> {
  if ("list" in scope) return ledger;
  const noted = extendLedger(ledger, await rangeEntries(context, scope, signal));
  return await withSuggestion(noted, scope, knowledgeOf(context, signal));
}

/** Notes on the ranges of a query. Errors are ignored: a missing note is not a failure. */
async function rangeEntries(
  { client, definitions, embedded }: RegistryContext,
  { query = "" }: Partial<SearchCriteria>,
  signal: AbortSignal | undefined,
): Promise<LedgerEntry[]> {
  const { mayHaveRange, noteRanges } = await import("../plan/range_entries.ts");
  if (!embedded || !mayHaveRange(query)) return [];
  try {
    const known = await definitions.find(await definitions.names(signal), signal);
    const options = { signal };
    return await noteRanges(
      query,
      known.definitions,
      async (query) => (await client.search({ query, pageSize: RANGE_SAMPLE }, options)).body,
    );
  } catch {
    return [];
  }
}
